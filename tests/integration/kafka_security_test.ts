import assert from "node:assert/strict";
import type { Data } from "../../src/base/mod.ts";
import { EventboatError } from "../../src/diagnostics/mod.ts";
import { CollectingEmit, testBatch } from "../../src/plugin/mod.ts";
import { serverTest } from "../servers/installed.ts";
import { KafkaCluster } from "../servers/kafka_cluster.ts";
import { until } from "../servers/server_process.ts";
import type { KafkaListener } from "../servers/kafka/kafka_node_config.ts";
import { makeKafkaSink, makeKafkaSource, RunningSource } from "../suites/kafka_plugins.ts";

const never = new AbortController().signal;
const SECONDS_PER_HOUR = 3600;

/** A token that the tests' brokers take: signed by nobody. */
function token(): string {
  const nowSeconds = Date.now() / 1000;
  const part = (value: unknown) =>
    new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: "base64url", omitPadding: true });
  return `${part({ alg: "none" })}.${part({ sub: "alice", iat: nowSeconds, exp: nowSeconds + SECONDS_PER_HOUR })}.`;
}

function logins(): { readonly [name: string]: { readonly [key: string]: Data } } {
  const known = { username: "alice", password: "alice-secret" };
  return {
    "plain": { mechanism: "plain", ...known },
    "scram-sha-256": { mechanism: "scram-sha-256", ...known },
    "scram-sha-512": { mechanism: "scram-sha-512", ...known },
    "oauthbearer": { mechanism: "oauthbearer", token: token() },
  };
}

serverTest("kafka: TLS and SASL", ["kafka"], async (context) => {
  await using cluster = await KafkaCluster.start({ clientCertificates: true });
  const tls = { ca_file: cluster.tls.authority, cert_file: cluster.tls.certificate, key_file: cluster.tls.key };
  await context.step("a message goes in and out over TLS, with a certificate of the client's own", async () => {
    await inAndOut(cluster, "tls", "SSL", { tls });
  });
  for (const [name, sasl] of Object.entries(logins())) {
    await context.step(`a message goes in and out with ${name}`, async () => {
      await inAndOut(cluster, `sasl-${name}`, "SASL_PLAINTEXT", { sasl });
      await inAndOut(cluster, `sasl-tls-${name}`, "SASL_SSL", { sasl, tls });
    });
  }
  const refusals: readonly [title: string, listener: KafkaListener, block: { readonly [key: string]: Data }][] = [
    ["a wrong password", "SASL_PLAINTEXT", { sasl: { mechanism: "scram-sha-256", username: "alice", password: "no" } }],
    ["a wrong password in the open", "SASL_PLAINTEXT", {
      sasl: { mechanism: "plain", username: "al", password: "no" },
    }],
    ["a login where none is known", "PLAINTEXT", { sasl: { mechanism: "plain", username: "alice", password: "no" } }],
    ["a token that nobody takes", "SASL_PLAINTEXT", { sasl: { mechanism: "oauthbearer", token: "no" } }],
    ["an authority that nobody trusts", "SSL", { tls: { cert_file: tls.cert_file, key_file: tls.key_file } }],
    ["a certificate for another name", "SSL", { tls: { ...tls, server_name: "elsewhere.example" } }],
  ];
  for (const [title, listener, block] of refusals) {
    await context.step(`${title} ends a source and keeps a sink from opening`, async () => {
      const brokers = cluster.brokers(listener);
      const { plugin: source } = makeKafkaSource({ brokers, topics: ["any"], ...block });
      await using running = new RunningSource(source, new CollectingEmit().emit);
      assert.equal(codeOf(await running.ended), "source_failed");
      const { plugin: sink } = makeKafkaSink({ brokers, topic: "any", ...block });
      const opened = await Promise.resolve(sink.open?.()).catch((caught: unknown) => caught);
      await sink.close();
      assert.equal(codeOf(opened), "sink_failed");
    });
  }
  await context.step("a listener that wants TLS is waited for, and told of with what may help", async () => {
    const { plugin: source, log } = makeKafkaSource({ brokers: cluster.brokers("SSL"), topics: ["any"] });
    await using _ = new RunningSource(source, new CollectingEmit().emit);
    await until("it is told", () => Promise.resolve(log.lines.some(({ fields }) => /tls/.test(`${fields["hint"]}`))));
  });
  await context.step("a topic that does not exist ends a source", async () => {
    const { plugin: source } = makeKafkaSource({ brokers: cluster.brokers(), topics: ["nowhere"] });
    await using running = new RunningSource(source, new CollectingEmit().emit);
    assert.equal(codeOf(await running.ended), "source_failed");
  });
});

async function inAndOut(
  cluster: KafkaCluster,
  topic: string,
  listener: KafkaListener,
  block: { readonly [key: string]: Data },
): Promise<void> {
  await cluster.createTopic(topic);
  const brokers = cluster.brokers(listener);
  const { plugin: sink } = makeKafkaSink({ brokers, topic, ...block });
  await sink.open?.();
  await sink.write(testBatch(["1"]), never);
  await sink.close();
  const { plugin } = makeKafkaSource({ brokers, topics: [topic], start_at: "earliest", group_id: topic, ...block });
  const collected = new CollectingEmit();
  await using running = new RunningSource(plugin, collected.emit);
  await collected.untilMessages(1);
  await running.commit(1);
  assert.deepEqual(collected.texts, ["1"]);
}

function codeOf(caught: unknown): string | undefined {
  return caught instanceof EventboatError ? caught.code : undefined;
}
