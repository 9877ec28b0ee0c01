import assert from "node:assert/strict";
import { testContext } from "../../../plugin/mod.ts";
import { kafkaSource } from "../../sources/kafka/mod.ts";
import { kafkaSink } from "./mod.ts";

const BASE = { brokers: ["a:9092"], topic: "t" };

function pathsOf(block: object): string[] {
  const parsed = kafkaSink.definition.parse({ ...BASE, ...block });
  if (!parsed.ok) return parsed.issues.map(({ path }) => `schema ${path.join(".")}`);
  return (kafkaSink.check?.(parsed.value, testContext()) ?? []).map(({ path }) => path.join("."));
}

for (
  const [title, block, paths] of [
    ["nothing more than brokers and a topic", {}, []],
    ["an idempotent sink that waits for the leader alone", { acks: 1 }, ["acks"]],
    ["the leader alone", { acks: 1, idempotent: false }, []],
    ["a key that is no CEL", { key: "meta." }, ["key"]],
    ["a broker without a port", { brokers: ["a"] }, ["schema brokers.0"]],
    ["a port beyond the last", { brokers: ["a:99999"] }, ["brokers.0"]],
    ["a topic with a blank", { topic: "a b" }, ["schema topic"]],
    ["half of a client's certificate", { tls: { cert_file: "c.pem" } }, ["tls.cert_file"]],
    ["SCRAM without a password", { sasl: { mechanism: "scram-sha-256", username: "u" } }, ["sasl"]],
    ["a token for PLAIN", { sasl: { mechanism: "plain", username: "u", password: "p", token: "t" } }, ["sasl.token"]],
    ["OAUTHBEARER without a token", { sasl: { mechanism: "oauthbearer" } }, ["sasl"]],
  ] as const
) {
  Deno.test(`kafkaSink.check: ${title}`, () => {
    assert.deepEqual(pathsOf(block), paths);
  });
}

Deno.test("kafkaSink.needs: the brokers, what they advertise, the certificates, and nothing else", () => {
  const parsed = kafkaSink.definition.parse({
    ...BASE,
    advertised: ["b:9092", "c"],
    tls: { ca_file: "ca.pem" },
    sasl: {
      mechanism: "oauthbearer",
      oauth2: { token_url: "https://login.example/token", client_id: "i", client_secret: "s" },
    },
  });
  assert.ok(parsed.ok);
  const needs = kafkaSink.needs?.(parsed.value, { ...testContext(), directory: "/etc/p" });
  assert.deepEqual(needs?.net, ["a:9092", "b:9092", "c", "login.example:443"]);
  assert.deepEqual(needs?.read, ["/etc/p/ca.pem"]);
  assert.deepEqual([needs?.write, needs?.run, needs?.sys], [undefined, undefined, undefined]);
});

Deno.test("kafkaSource: a block needs brokers and topics, and the rest has defaults", () => {
  const parsed = kafkaSource.definition.parse({ brokers: ["a:9092"], topics: ["t"] });
  assert.ok(parsed.ok);
  assert.deepEqual([parsed.value.group_id, parsed.value.start_at], ["eventboat", "latest"]);
  assert.equal(kafkaSource.definition.parse({ brokers: ["a:9092"], topics: [] }).ok, false);
});
