import assert from "node:assert/strict";
import { systemClock } from "../../src/base/mod.ts";
import { type Sink, testBatch } from "../../src/plugin/mod.ts";
import { serverTest } from "../servers/installed.ts";
import { KafkaCluster } from "../servers/kafka_cluster.ts";
import { until } from "../servers/server_process.ts";
import { GroupBook, GroupReader } from "../suites/group_reader.ts";
import { makeKafkaSink } from "../suites/kafka_plugins.ts";

const decoder = new TextDecoder();
const OUTAGE_MS = Number(Deno.env.get("KAFKA_OUTAGE_MS") ?? 8_000);
const ATTEMPT_MS = 60_000;
const PARTITIONS = 6;
const REPLICATED_COUNT = Number(Deno.env.get("KAFKA_REPLICATED_COUNT") ?? 30_000);
const BATCH = 500;

serverTest("kafka: a broker that is gone for a while costs a pause and nothing else", ["kafka"], async () => {
  await using cluster = await KafkaCluster.start();
  const topic = "paused";
  await cluster.createTopic(topic, { partitions: 2 });
  const { plugin: sink, log } = makeKafkaSink({ brokers: cluster.brokers(), topic });
  await sink.open?.();
  const book = new GroupBook();
  {
    await using reader = new GroupReader({ cluster, topic, group: topic, book, sessionTimeoutMs: 45_000 });
    let written = 0;
    const write = async () => {
      await writeNumbers(sink, written, BATCH);
      written += BATCH;
    };
    await write();
    await until("the first came", () => Promise.resolve(book.distinct === BATCH));
    await cluster.node(1).stop();
    const pending = write();
    await systemClock.sleep(OUTAGE_MS);
    await cluster.node(1).start();
    await pending;
    await write();
    await until("all came", () => Promise.resolve(book.distinct === written));
    await book.checkOffsets(cluster, topic);
    assert.equal(await Promise.race([reader.ended, Promise.resolve("runs")]), "runs");
    assert.ok(reader.log.lines.some(({ level }) => level === "warn"));
    assert.equal(reader.log.lines.some(({ level }) => level === "error"), false);
  }
  await sink.close();
  assert.ok(log.lines.some(({ level }) => level === "warn"));
  assert.equal((await cluster.read(topic)).length, 3 * BATCH);
  assert.equal((await cluster.committed(topic)).reduce((sum, { offset }) => sum + offset, 0), 3 * BATCH);
});

serverTest("kafka: leaders that are killed and moved take no acknowledged message along", ["kafka"], async () => {
  await using cluster = await KafkaCluster.start({ nodes: 3 });
  const topic = "replicated";
  await cluster.createTopic(topic, { partitions: PARTITIONS, config: { "min.insync.replicas": "2" } });
  const { plugin: sink } = makeKafkaSink({ brokers: cluster.brokers(), topic, key: "string(int(payload.n) % 60)" });
  await sink.open?.();
  const book = new GroupBook();
  let acknowledged = 0;
  {
    await using _ = new GroupReader({ cluster, topic, group: topic, book, sessionTimeoutMs: 10_000 });
    const producing = (async () => {
      for (let n = 0; n < REPLICATED_COUNT; n += BATCH) {
        await writeNumbers(sink, n, BATCH);
        acknowledged = n + BATCH;
        await systemClock.sleep(PAUSE_MS);
      }
    })();
    const trouble = troubleOf(cluster, topic);
    await Promise.all([producing, trouble]);
    await until("all came", () => Promise.resolve(book.distinct === REPLICATED_COUNT));
  }
  await sink.close();
  assert.equal(acknowledged, REPLICATED_COUNT);
  const records = await cluster.read(topic);
  const numbers = records.map(({ value }) => Number(JSON.parse(decoder.decode(value ?? undefined)).n));
  const missing = REPLICATED_COUNT - new Set(numbers).size;
  assert.deepEqual([missing, numbers.length - new Set(numbers).size], [0, 0], "missing and doubled");
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const inOrder = numbers.filter((_, i) => records[i]?.partition === partition);
    assert.deepEqual(inOrder, inOrder.toSorted((a, b) => a - b), `partition ${partition} is in order`);
  }
});

/** What one write waits for before the next, so that leaders move in the middle of it all. */
const PAUSE_MS = 150;

/** Kills a leader, moves others, brings the killed one back and stops another in good order. */
async function troubleOf(cluster: KafkaCluster, topic: string): Promise<void> {
  await systemClock.sleep(500);
  await cluster.node(1).kill();
  await cluster.untilLedWithout(topic, 1);
  await cluster.node(1).start();
  await cluster.untilInSync(topic);
  for (let partition = 0; partition < PARTITIONS; partition++) await cluster.moveLeader(topic, partition, 1);
  await cluster.node(2).stop();
  await systemClock.sleep(500);
  await cluster.node(2).start();
  await cluster.untilInSync(topic);
}

/** Writes messages within one attempt of the engine's. */
async function writeNumbers(sink: Sink, from: number, count: number): Promise<void> {
  const texts = Array.from({ length: count }, (_, i) => JSON.stringify({ n: from + i }));
  await sink.write(testBatch(texts), AbortSignal.timeout(ATTEMPT_MS));
}
