/** Owns how a cluster is reached: the fields that the Kafka source and sink share, their rules and their permissions. */

import { resolve } from "node:path";
import type { Static } from "typebox";
import type { CheckContext, Needs, PluginIssue } from "../../../plugin/mod.ts";
import { block, choice, list, optional, text } from "../../../schema/mod.ts";
import { hostOf, oauth2Schema } from "../http_auth.ts";
import { KAFKAJS_ENVIRONMENT } from "./kafkajs_parts.ts";

const PORT_MAX = 65_535;
const HOST_PATTERN = "(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9_.-]+)";
const BROKER_PATTERN = `^${HOST_PATTERN}:\\d{1,5}$`;
const ADVERTISED_PATTERN = `^${HOST_PATTERN}(:\\d{1,5})?$`;
const PORT_REGEXP = /:(\d+)$/;

/** Where the brokers are. */
export const brokersField = list(
  text({
    description: "`HOST:PORT` of a broker.",
    pattern: BROKER_PATTERN,
    expected: "HOST:PORT such as kafka-1:9092",
  }),
  { description: "Brokers to begin with; the others are learned from them." },
);

/** Where else the brokers say they are. */
export const advertisedField = optional(list(
  text({
    description: "`HOST:PORT`, or `HOST` for any port of it.",
    pattern: ADVERTISED_PATTERN,
    expected: "HOST:PORT or HOST",
  }),
  {
    description:
      "Addresses that the brokers tell their clients (`advertised.listeners`) and that do not stand under `brokers`. " +
      "The pipeline may connect to these and to no others.",
  },
));

/** TLS to the brokers. */
export const kafkaTlsField = optional(block({
  ca_file: optional(text({
    description: "Certificates in PEM that the brokers' are checked against, relative to the pipeline file. Default: " +
      "those that come with the program.",
  })),
  cert_file: optional(text({ description: "The client's certificate chain in PEM, where the brokers want one." })),
  key_file: optional(text({ description: "Its private key in PEM." })),
  server_name: optional(text({
    description: "Name that the brokers' certificates must hold. Default: the host of each broker's address.",
  })),
}, { description: "Connect with TLS. `{}` trusts the authorities that come with the program." }));

/** How the client proves who it is. */
export const kafkaSaslField = optional(block({
  mechanism: choice(["plain", "scram-sha-256", "scram-sha-512", "oauthbearer"], { description: "SASL mechanism." }),
  username: optional(text({ description: "User name; not for `oauthbearer`." })),
  password: optional(text({ description: "Password; not for `oauthbearer`.", minLength: 0 })),
  token: optional(text({ description: "A fixed token, for `oauthbearer`." })),
  oauth2: optional(oauth2Schema),
}, { description: "Log in with SASL." }));

/** The fields of a block that say how a cluster is reached. */
export interface ConnectionConfig {
  readonly brokers: Static<typeof brokersField>;
  readonly advertised?: Static<typeof advertisedField>;
  readonly tls?: Static<typeof kafkaTlsField>;
  readonly sasl?: Static<typeof kafkaSaslField>;
}

/** Everything wrong with the fields beyond their schema. */
export function checkConnection(config: ConnectionConfig): readonly PluginIssue[] {
  return [
    ...portIssues("brokers", config.brokers),
    ...portIssues("advertised", config.advertised ?? []),
    ...tlsIssues(config),
    ...saslIssues(config),
  ];
}

/** The permissions that the fields need. */
export function connectionNeeds(config: ConnectionConfig, { directory }: CheckContext): Needs {
  const { brokers, advertised = [], tls, sasl } = config;
  const files = [tls?.ca_file, tls?.cert_file, tls?.key_file].filter((file) => file !== undefined);
  const tokenUrl = sasl?.oauth2?.token_url;
  const tokenHosts = tokenUrl !== undefined && URL.canParse(tokenUrl) ? [hostOf(tokenUrl)] : [];
  return {
    net: [...brokers, ...advertised, ...tokenHosts],
    env: KAFKAJS_ENVIRONMENT,
    ...(files.length === 0 ? {} : { read: files.map((file) => resolve(directory, file)) }),
  };
}

function portIssues(field: "brokers" | "advertised", addresses: readonly string[]): PluginIssue[] {
  return addresses.flatMap((address, index) => {
    const port = PORT_REGEXP.exec(address)?.[1];
    if (port === undefined || (Number(port) >= 1 && Number(port) <= PORT_MAX)) return [];
    return [{ path: [field, index], message: `must have a port from 1 to ${PORT_MAX}, found ${address}` }];
  });
}

function tlsIssues({ tls }: ConnectionConfig): PluginIssue[] {
  if (tls === undefined || (tls.cert_file === undefined) === (tls.key_file === undefined)) return [];
  const [there, missing] = tls.cert_file === undefined ? ["key_file", "cert_file"] : ["cert_file", "key_file"];
  return [{ path: ["tls", there ?? ""], message: `needs \`${missing}\` beside it` }];
}

function saslIssues({ sasl }: ConnectionConfig): PluginIssue[] {
  if (sasl === undefined) return [];
  const { mechanism, username, password, token, oauth2 } = sasl;
  if (mechanism !== "oauthbearer") {
    const issues: PluginIssue[] = [];
    if (username === undefined || password === undefined) {
      issues.push({ path: ["sasl"], message: `${mechanism} needs \`username\` and \`password\`` });
    }
    if (token !== undefined || oauth2 !== undefined) {
      issues.push({
        path: ["sasl", token === undefined ? "oauth2" : "token"],
        message: `is for the mechanism oauthbearer, not for ${mechanism}`,
      });
    }
    return issues;
  }
  if ((token === undefined) === (oauth2 === undefined)) {
    return [{ path: ["sasl"], message: "oauthbearer needs one of `token` and `oauth2`" }];
  }
  if (oauth2 !== undefined && !URL.canParse(oauth2.token_url)) {
    return [{ path: ["sasl", "oauth2", "token_url"], message: "is no URL" }];
  }
  return [];
}
