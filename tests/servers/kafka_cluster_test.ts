import assert from "node:assert/strict";
import { serverTest } from "./installed.ts";
import { type KafkaListener, SASL_MECHANISMS } from "./kafka/kafka_node_config.ts";
import { KafkaCluster } from "./kafka_cluster.ts";

const decoder = new TextDecoder();

const ALICE = 'username="alice" password="alice-secret"';

/** How Kafka's own client logs in, by mechanism. */
const LOGIN_MODULES: Readonly<Record<string, string>> = {
  "PLAIN": `plain.PlainLoginModule required ${ALICE}`,
  "SCRAM-SHA-256": `scram.ScramLoginModule required ${ALICE}`,
  "SCRAM-SHA-512": `scram.ScramLoginModule required ${ALICE}`,
  "OAUTHBEARER": 'oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="alice"',
};

function loginProperties(cluster: KafkaCluster, listener: KafkaListener, mechanism?: string): Record<string, string> {
  const module = LOGIN_MODULES[mechanism ?? ""];
  return {
    "bootstrap.servers": cluster.brokers(listener).join(),
    "security.protocol": listener,
    "ssl.truststore.type": "PEM",
    "ssl.truststore.location": cluster.tls.authority,
    ...mechanism === undefined ? {} : { "sasl.mechanism": mechanism },
    ...module === undefined ? {} : { "sasl.jaas.config": `org.apache.kafka.common.security.${module};` },
  };
}

serverTest("KafkaCluster: one node", ["kafka"], async (context) => {
  await using cluster = await KafkaCluster.start();
  await cluster.createTopic("orders", { partitions: 2 });

  await context.step("what is written is read back to the byte", async () => {
    await cluster.produce("orders", [
      { key: "a", value: "first", headers: [["h", "1"], ["h", null]], partition: 1, timestampMs: 1_700_000_000_000 },
      { key: "a", value: null, partition: 1 },
    ], { compression: "zstd" });
    const [first, second] = await cluster.read("orders");
    assert.equal(decoder.decode(first?.value ?? undefined), "first");
    assert.deepEqual([first?.partition, first?.offset, first?.timestampMs], [1, 0, 1_700_000_000_000]);
    assert.deepEqual(first?.headers, [["h", new Uint8Array([0x31])], ["h", null]]);
    assert.equal(second?.value, null);
    assert.equal(decoder.decode(second?.key ?? undefined), "a");
  });

  await context.step("every listener takes Kafka's own client, by every mechanism", async () => {
    assert.deepEqual(await cluster.login(loginProperties(cluster, "SSL")), [1]);
    for (const mechanism of SASL_MECHANISMS) {
      assert.deepEqual(await cluster.login(loginProperties(cluster, "SASL_PLAINTEXT", mechanism)), [1]);
      assert.deepEqual(await cluster.login(loginProperties(cluster, "SASL_SSL", mechanism)), [1]);
    }
    const wrong = loginProperties(cluster, "SASL_PLAINTEXT", "SCRAM-SHA-512");
    await cluster.addUser("alice", "another");
    await assert.rejects(cluster.login(wrong), /SaslAuthenticationException/);
  });

  await context.step("an aborted transaction is read only by those who ask for it", async () => {
    await cluster.createTopic("aborted");
    await cluster.produce("aborted", [{ value: "lost" }], { transaction: { id: "t", abort: true } });
    assert.equal((await cluster.read("aborted")).length, 0);
    assert.equal((await cluster.read("aborted", "read_uncommitted")).length, 1);
  });

  await context.step("it keeps its data over a stop", async () => {
    await cluster.node(1).stop();
    await cluster.node(1).start();
    await cluster.untilNodes(1);
    assert.equal((await cluster.read("orders")).length, 2);
  });
});

serverTest("KafkaCluster: three nodes elect leaders without the killed one, and it comes back", ["kafka"], async () => {
  await using cluster = await KafkaCluster.start({ nodes: 3, clientCertificates: true });
  const stranger = loginProperties(cluster, "SSL");
  await assert.rejects(cluster.login(stranger), /SslAuthenticationException/);
  const known = { ...stranger, "ssl.keystore.type": "PEM", "ssl.keystore.location": cluster.tls.keystore };
  assert.deepEqual((await cluster.login(known)).toSorted(), [1, 2, 3]);
  await cluster.createTopic("orders", { partitions: 3 });
  await cluster.moveLeader("orders", 0, 1);
  assert.equal((await cluster.partitions("orders"))[0]?.leader, 1);
  await cluster.node(1).kill();
  await cluster.untilLedWithout("orders", 1);
  await cluster.fill("orders", 300);
  await cluster.node(1).start();
  await cluster.untilInSync("orders");
  const numbers = (await cluster.read("orders")).map(({ value }) => JSON.parse(decoder.decode(value ?? undefined)).n);
  assert.deepEqual(numbers.sort((a, b) => a - b), Array.from({ length: 300 }, (_, n) => n));
});
