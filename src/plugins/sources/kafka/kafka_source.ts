/** Owns the built-in source `kafka`: messages of topics, as one of a consumer group. */

import type { Static } from "typebox";
import { type Emit, patientEmit, type PluginContext, type Source, type SourcePlugin } from "../../../plugin/mod.ts";
import { block, choice, define, integer, list, text } from "../../../schema/mod.ts";
import {
  advertisedField,
  brokersField,
  checkConnection,
  connectionNeeds,
  kafkaSaslField,
  kafkaTlsField,
} from "../../shared/kafka/connection_fields.ts";
import { KafkaCluster } from "../../shared/kafka/kafka_cluster.ts";
import { TOPIC_PATTERN } from "../../shared/kafka/topic_name.ts";
import { Consumer } from "./consumer.ts";
import { KAFKA_META } from "./record_reader.ts";

const MEBIBYTE = 1024 * 1024;
/** Most bytes asked of one partition at once: several partitions share an answer. */
const PARTITION_BYTES_MAX = MEBIBYTE;
/** How long a broker waits for messages before it answers that there are none. */
const WAIT_MS = 500;

const schema = block({
  brokers: brokersField,
  topics: list(
    text({
      description: "Name of a topic.",
      pattern: TOPIC_PATTERN,
      expected: "a topic's name: letters, digits, dots, dashes and underscores, at most 249",
    }),
    { description: "Topics to read; each must exist." },
  ),
  group_id: text({
    description:
      "Consumer group. Sources with the same group share the partitions; the group's offsets in Kafka say where to go on.",
    default: "eventboat",
    maxLength: 249,
  }),
  start_at: choice(["latest", "earliest"], {
    description: "Where a partition is read from of which the group has committed nothing yet.",
    default: "latest",
  }),
  advertised: advertisedField,
  tls: kafkaTlsField,
  sasl: kafkaSaslField,
  max_bytes: integer({
    description:
      "Most bytes, as they travel, that one broker is asked for at once. A larger message is read all the same.",
    default: 4 * MEBIBYTE,
    minimum: 1024,
    maximum: 256 * MEBIBYTE,
  }),
  session_timeout_ms: integer({
    description:
      "After how long without a sign of life the group gives a member's partitions to others; the brokers have limits of their own.",
    default: 45_000,
    minimum: 1_000,
    maximum: 1_800_000,
  }),
});

type KafkaSourceConfig = Static<typeof schema>;

/** Reads topics as one of a consumer group. Offsets are committed when their messages are. */
export const kafkaSource: SourcePlugin<typeof schema> = {
  kind: "source",
  name: "kafka",
  version: 1,
  summary: "Reads topics of Apache Kafka as one of a consumer group; offsets are committed when their messages are.",
  capabilities: [],
  meta: KAFKA_META,
  definition: define(schema),
  check: (config) => checkConnection(config),
  needs: (config, context) => connectionNeeds(config, context),
  create: (config, context) => new KafkaSource(config, context),
};

class KafkaSource implements Source {
  readonly #config: KafkaSourceConfig;
  readonly #context: PluginContext;
  #cluster: KafkaCluster | undefined;
  #consumer: Consumer | undefined;

  constructor(config: KafkaSourceConfig, context: PluginContext) {
    this.#config = config;
    this.#context = context;
  }

  init(): void {}

  async run(emit: Emit, signal: AbortSignal): Promise<void> {
    const { topics, group_id, start_at, session_timeout_ms, max_bytes } = this.#config;
    const context = this.#context;
    const distinct = [...new Set(topics)];
    this.#cluster = await KafkaCluster.open({
      config: this.#config,
      context,
      topics: distinct,
      makesTopics: false,
      failure: "source_failed",
    });
    this.#consumer = new Consumer({
      cluster: this.#cluster,
      groupId: group_id,
      topics: distinct,
      startAt: start_at,
      sessionTimeoutMs: session_timeout_ms,
      context,
      emit: patientEmit(emit, context, signal),
      limits: {
        waitMs: WAIT_MS,
        bytesMax: max_bytes,
        partitionBytesMax: Math.min(max_bytes, PARTITION_BYTES_MAX),
      },
    });
    await this.#consumer.run(signal);
  }

  // The group's offsets are kept by the brokers: there is no state of our own.
  async commit(throughSrcSeq: number, signal: AbortSignal): Promise<undefined> {
    await this.#consumer?.commit(throughSrcSeq, signal);
  }

  async close(): Promise<void> {
    await this.#consumer?.close();
    await this.#cluster?.close();
  }
}
