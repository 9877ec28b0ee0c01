import assert from "node:assert/strict";
import { serverTest } from "./installed.ts";
import { KafkaCluster } from "./kafka_cluster.ts";

const decoder = new TextDecoder();

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

  await context.step("it keeps its data over a stop", async () => {
    await cluster.node(1).stop();
    await cluster.node(1).start();
    await cluster.untilNodes(1);
    assert.equal((await cluster.read("orders")).length, 2);
  });
});
