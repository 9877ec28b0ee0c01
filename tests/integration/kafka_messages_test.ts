import assert from "node:assert/strict";
import { batchOf, CollectingEmit, PartialWriteError, testBatch, testMessage } from "../../src/plugin/mod.ts";
import { serverTest } from "../servers/installed.ts";
import { KafkaCluster } from "../servers/kafka_cluster.ts";
import { fillTopic, makeKafkaSink, makeKafkaSource, RunningSource } from "../suites/kafka_plugins.ts";

const never = new AbortController().signal;
const decoder = new TextDecoder();
const CODEC_MESSAGES = 100;
const COMPRESSIONS = ["none", "gzip", "snappy", "lz4", "zstd"] as const;

serverTest("kafka: messages keep what they are, both ways", ["kafka"], async (context) => {
  await using cluster = await KafkaCluster.start();
  for (const compression of COMPRESSIONS) {
    await context.step(`what is written with ${compression} is what Kafka reads, and the other way round`, async () => {
      await roundTrip(cluster, compression);
    });
  }
  await context.step("the source tells keys, headers, tombstones and times", () => readsAll(cluster));
  await context.step(
    "aborted transactions are left out, and marks of transactions passed",
    () => readsCommitted(cluster),
  );
  await context.step("the sink writes keys, headers, tombstones and times", () => writesAll(cluster));
  await context.step("a key goes to the partition that Kafka's own producer chooses", () => choosesPartitions(cluster));
  await context.step("10,000 messages without a key are spread over six partitions", () => spreads(cluster));
  await context.step("a message that is too large fails alone, for good", () => refusesTooLarge(cluster));
  await context.step(
    "the end of a topic is where a group without offsets begins, and stays",
    () => pinsTheEnd(cluster),
  );
});

async function roundTrip(cluster: KafkaCluster, compression: typeof COMPRESSIONS[number]): Promise<void> {
  const topic = `codec-${compression}`;
  await cluster.createTopic(topic);
  const texts = Array.from(
    { length: CODEC_MESSAGES },
    (_, n) => JSON.stringify({ n, text: `${n % 7} ä `.repeat(n % 50) }),
  );
  const { plugin: sink } = makeKafkaSink({ brokers: cluster.brokers(), topic, compression });
  await sink.open?.();
  await sink.write(testBatch(texts), never);
  await sink.close();
  assert.deepEqual((await cluster.read(topic)).map(({ value }) => decoder.decode(value ?? undefined)), texts);
  await cluster.produce(topic, texts.map((value) => ({ value })), { compression });
  const collected = new CollectingEmit();
  await using _ = new RunningSource(sourceOf(cluster, topic), collected.emit);
  await collected.untilMessages(2 * CODEC_MESSAGES);
  assert.deepEqual(collected.texts, [...texts, ...texts]);
}

function sourceOf(cluster: KafkaCluster, topic: string, startAt: "earliest" | "latest" = "earliest") {
  return makeKafkaSource({ brokers: cluster.brokers(), topics: [topic], group_id: topic, start_at: startAt }).plugin;
}

async function readsAll(cluster: KafkaCluster): Promise<void> {
  const topic = "told";
  await cluster.createTopic(topic);
  await cluster.produce(topic, [
    {
      key: "k",
      value: "v",
      timestampMs: 1_234_567_890_123,
      headers: [["a", "1"], ["l", "x"], ["l", "y"], ["none", null]],
    },
    { key: Uint8Array.of(0xff, 0), value: null, headers: [["bin", Uint8Array.of(0xfe)], ["traceparent", "00-a"]] },
    { value: "" },
  ]);
  const collected = new CollectingEmit();
  await using _ = new RunningSource(sourceOf(cluster, topic), collected.emit);
  await collected.untilMessages(3);
  const [first, second, third] = collected.messages.map(({ meta }) => meta);
  assert.deepEqual(first, {
    kafka_topic: topic,
    kafka_partition: 0,
    kafka_offset: 0,
    kafka_timestamp: 1_234_567_890_123,
    kafka_key: "k",
    kafka_headers: { a: "1", l: ["x", "y"], none: null },
  });
  assert.deepEqual(second?.["kafka_key"], { base64: "/wA=" });
  assert.deepEqual(second?.["kafka_headers"], { bin: { base64: "/g==" }, traceparent: "00-a" });
  assert.deepEqual([second?.["kafka_tombstone"], second?.["traceparent"]], [true, "00-a"]);
  assert.deepEqual(Object.keys(third ?? {}), ["kafka_topic", "kafka_partition", "kafka_offset", "kafka_timestamp"]);
  assert.deepEqual(collected.texts, ["v", "", ""]);
}

async function readsCommitted(cluster: KafkaCluster): Promise<void> {
  const topic = "transactions";
  await cluster.createTopic(topic);
  await cluster.produce(topic, [{ value: "1" }], { transaction: { id: "t" } });
  await cluster.produce(topic, [{ value: "lost" }], { transaction: { id: "t", abort: true } });
  await cluster.produce(topic, [{ value: "2" }], { transaction: { id: "t" } });
  const collected = new CollectingEmit();
  await using running = new RunningSource(sourceOf(cluster, topic), collected.emit);
  await collected.untilMessages(2);
  assert.deepEqual(collected.texts, ["1", "2"]);
  await running.commit(2);
  // Three messages and three marks: the group need not read the last mark again.
  assert.deepEqual((await cluster.committed(topic)).map(({ offset }) => offset), [6]);
}

async function writesAll(cluster: KafkaCluster): Promise<void> {
  const topic = "written";
  await cluster.createTopic(topic);
  const { plugin: sink } = makeKafkaSink({
    brokers: cluster.brokers(),
    topic,
    key: "has(meta.kafka_key) ? meta.kafka_key : null",
    headers: ["kafka_headers", "number", "absent"],
  });
  await sink.open?.();
  const metas = [
    { kafka_key: "k", kafka_timestamp: 1_234_567_890_123, kafka_headers: { l: ["x", "y"], none: null }, number: 5 },
    { kafka_key: { base64: "/wA=" }, traceparent: "00-a" },
    {},
  ];
  await sink.write(testBatch(["null", "2", '"tombstone"'], metas), never);
  const deletion = testMessage(null, { meta: { kafka_tombstone: true, kafka_key: "gone" } });
  await sink.write(batchOf([{ message: deletion, bytes: new Uint8Array(0) }]), never);
  await sink.close();
  const [first, second, third, fourth] = await cluster.read(topic);
  const shown = (headers: readonly (readonly [string, Uint8Array | null])[] = []) =>
    headers.map(([name, value]) => [name, value === null ? null : decoder.decode(value)]);
  assert.deepEqual(shown(first?.headers), [["l", "x"], ["l", "y"], ["none", null], ["number", "5"]]);
  assert.equal(first?.timestampMs, 1_234_567_890_123);
  assert.equal(decoder.decode(first?.key ?? undefined), "k");
  // A payload that is null is a JSON document; only a tombstone has no value.
  assert.equal(decoder.decode(first?.value ?? undefined), "null");
  assert.deepEqual([second?.key, shown(second?.headers)], [Uint8Array.of(0xff, 0), [["traceparent", "00-a"]]]);
  assert.equal(third?.key, null);
  assert.deepEqual([decoder.decode(fourth?.key ?? undefined), fourth?.value], ["gone", null]);
}

async function choosesPartitions(cluster: KafkaCluster): Promise<void> {
  const topic = "partitions";
  await cluster.createTopic(topic, { partitions: 6 });
  const keys = Array.from({ length: 60 }, (_, n) => "key-ä-".slice(0, n % 7) + n);
  await cluster.produce(topic, keys.map((key) => ({ key, value: "theirs" })));
  const { plugin: sink } = makeKafkaSink({ brokers: cluster.brokers(), topic, key: "meta.k" });
  await sink.open?.();
  await sink.write(testBatch(keys.map(() => "1"), keys.map((k) => ({ k }))), never);
  await sink.close();
  const chosen = new Map<string, Set<number>>();
  for (const { key, partition } of await cluster.read(topic)) {
    const name = decoder.decode(key ?? undefined);
    chosen.set(name, (chosen.get(name) ?? new Set()).add(partition));
  }
  assert.deepEqual([...chosen.values()].filter((partitions) => partitions.size !== 1), []);
  assert.equal(chosen.size, keys.length);
}

async function spreads(cluster: KafkaCluster): Promise<void> {
  const [topic, count, perWrite] = ["spread", 10_000, 400];
  await cluster.createTopic(topic, { partitions: 6 });
  const { plugin: sink } = makeKafkaSink({ brokers: cluster.brokers(), topic });
  await sink.open?.();
  const texts = Array.from({ length: perWrite }, () => "1");
  for (let n = 0; n < count; n += perWrite) await sink.write(testBatch(texts), never);
  await sink.close();
  const byPartition = Map.groupBy(await cluster.read(topic), ({ partition }) => partition);
  assert.equal(byPartition.size, 6);
  for (const records of byPartition.values()) assert.ok(records.length < 0.3 * count, String(records.length));
  // Sinks that write a message each, as short runs do, do not all begin with the same partition.
  await cluster.createTopic("few", { partitions: 6 });
  for (let n = 0; n < 30; n++) await fillTopic(cluster.brokers(), "few", { from: n, count: 1 });
  assert.ok(new Set((await cluster.read("few")).map(({ partition }) => partition)).size >= 3);
}

async function refusesTooLarge(cluster: KafkaCluster): Promise<void> {
  const topic = "small";
  await cluster.createTopic(topic, { config: { "max.message.bytes": "2000" } });
  const { plugin: sink } = makeKafkaSink({ brokers: cluster.brokers(), topic });
  await sink.open?.();
  const large = JSON.stringify("x".repeat(3000));
  await sink.write(testBatch(["1"]), never);
  await assert.rejects(async () => await sink.write(testBatch([large]), never), (error) => {
    assert.ok(error instanceof PartialWriteError);
    assert.deepEqual(error.failures.map(({ index, error: { retryable } }) => [index, retryable]), [[0, false]]);
    return true;
  });
  await sink.write(testBatch(["2"]), never);
  await sink.close();
  assert.deepEqual((await cluster.read(topic)).map(({ value }) => decoder.decode(value ?? undefined)), ["1", "2"]);
}

async function pinsTheEnd(cluster: KafkaCluster): Promise<void> {
  const topic = "pinned";
  await cluster.createTopic(topic);
  await cluster.produce(topic, [{ value: "before" }]);
  {
    const { plugin, log } = makeKafkaSource({ brokers: cluster.brokers(), topics: [topic], group_id: topic });
    await using _ = new RunningSource(plugin, new CollectingEmit().emit);
    while (!log.lines.some(({ message }) => message === "joined the group")) await log.untilLines(log.lines.length + 1);
  }
  // Written while nobody reads: whoever comes next begins where the first did, not at the end there is by then.
  await cluster.produce(topic, [{ value: "meanwhile" }]);
  const collected = new CollectingEmit();
  await using _ = new RunningSource(sourceOf(cluster, topic, "latest"), collected.emit);
  await collected.untilMessages(1);
  assert.deepEqual(collected.texts, ["meanwhile"]);
}
