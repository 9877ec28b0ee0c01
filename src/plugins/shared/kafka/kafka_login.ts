/** Owns how a client logs in with SASL, as the library wants to be told. */

import { Buffer } from "node:buffer";
import { type Clock, deadline } from "../../../base/mod.ts";
import { Authorizer } from "../http_auth.ts";
import type { ConnectionConfig } from "./connection_fields.ts";
import type { KafkajsSasl } from "./kafkajs_parts.ts";

/** How long a token may take to be fetched. */
const TOKEN_TIMEOUT_MS = 10_000;
const BEARER_REGEXP = /^Bearer /;
const LENGTH_BYTES = 4;

/** The broker does not take the token. */
export class TokenRefusal extends Error {
  override readonly name = "TokenRefusal";
}

/** A login, and what it holds open. */
export interface KafkaLogin extends Disposable {
  readonly sasl: KafkajsSasl | null;
}

/** The login that a block asks for. */
export function kafkaLogin(sasl: ConnectionConfig["sasl"], clock: Clock): KafkaLogin {
  if (sasl === undefined) return { sasl: null, [Symbol.dispose]() {} };
  const { mechanism, username = "", password = "", token = "", oauth2 } = sasl;
  if (mechanism !== "oauthbearer") return { sasl: { mechanism, username, password }, [Symbol.dispose]() {} };
  if (oauth2 === undefined) {
    return { sasl: bearer(() => Promise.resolve(token)), [Symbol.dispose]() {} };
  }
  const client = Deno.createHttpClient({});
  const authorizer = new Authorizer({ oauth2 }, { clock, client, timeoutMs: TOKEN_TIMEOUT_MS });
  return {
    sasl: bearer(async () => {
      using limit = deadline(TOKEN_TIMEOUT_MS, { clock, what: "the token request" });
      return (await authorizer.header(limit.signal) ?? "").replace(BEARER_REGEXP, "");
    }),
    [Symbol.dispose]: () => client.close(),
  };
}

/**
 * Logs in with a token (RFC 7628). The library does this too, and takes a refusal for a success: the broker refuses by a
 * challenge, where it has nothing to say to a token that it takes.
 */
function bearer(token: () => Promise<string>): KafkajsSasl {
  return {
    mechanism: "oauthbearer",
    authenticationProvider: ({ saslAuthenticate }) => ({
      async authenticate() {
        const message = `n,,\u0001auth=Bearer ${await token()}\u0001\u0001`;
        const challenge = await saslAuthenticate({
          request: { encode: () => Promise.resolve(sized(message)) },
          response: {
            decode: (bytes) => Promise.resolve(bytes.subarray(LENGTH_BYTES).toString()),
            parse: (text) => Promise.resolve(text),
          },
        });
        if (challenge !== "") throw new TokenRefusal(`the broker does not take the token: it answered ${challenge}`);
      },
    }),
  };
}

function sized(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
