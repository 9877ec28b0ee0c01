import assert from "node:assert/strict";
import { serverTest } from "../servers/installed.ts";
import { KafkaCluster } from "../servers/kafka_cluster.ts";
import { kafkaSourceMeta, makeKafkaSink, makeKafkaSource } from "../suites/kafka_plugins.ts";
import { sinkSuite, type SinkTrial } from "../suites/sink_suite.ts";
import { sourceSuite, type SourceTrial } from "../suites/source_suite.ts";

serverTest("kafka: source and sink do what every source and sink must", ["kafka"], async (context) => {
  await using cluster = await KafkaCluster.start();
  const cases: [title: string, fn: () => Promise<void>][] = [];
  const register = (title: string, fn: () => Promise<void>) => void cases.push([title, fn]);
  let topics = 0;
  const newTopic = async () => {
    const topic = `suite-${++topics}`;
    await cluster.createTopic(topic);
    return topic;
  };

  sourceSuite(
    "kafka",
    async (): Promise<SourceTrial> => {
      const topic = await newTopic();
      const brokers = cluster.brokers();
      const { plugin } = makeKafkaSource({ brokers, topics: [topic], group_id: topic, start_at: "earliest" });
      const value = { key: "k", value: "1", headers: [["h", "v"], ["traceparent", "t"]] as const, timestampMs: 1 };
      return {
        source: plugin,
        feed: () => cluster.produce(topic, [value]),
        [Symbol.asyncDispose]: () => cluster.deleteTopic(topic),
      };
    },
    kafkaSourceMeta(),
    register,
  );

  sinkSuite(
    "kafka",
    async (): Promise<SinkTrial> => {
      const topic = await newTopic();
      const { plugin } = makeKafkaSink({ brokers: cluster.brokers(), topic });
      return {
        sink: plugin,
        arrived: async () =>
          (await cluster.read(topic)).map(({ value }) => new TextDecoder().decode(value ?? undefined)),
        [Symbol.asyncDispose]: () => cluster.deleteTopic(topic),
      };
    },
    false,
    register,
  );

  assert.ok(cases.length > 10);
  for (const [title, fn] of cases) await context.step(title, fn);
});
