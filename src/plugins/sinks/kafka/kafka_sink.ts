/** Owns the built-in sink `kafka`: messages into a topic. */

import type { Static } from "typebox";
import { deadline, raceAbort } from "../../../base/mod.ts";
import { EventboatError } from "../../../diagnostics/mod.ts";
import { compileCel } from "../../../languages/mod.ts";
import {
  type PartialFailure,
  PartialWriteError,
  type PluginContext,
  type PluginIssue,
  type Sink,
  type SinkBatch,
  SinkError,
  type SinkPlugin,
} from "../../../plugin/mod.ts";
import { block, choice, define, flag, integer, list, oneOf, optional, text } from "../../../schema/mod.ts";
import { COMPRESSIONS } from "../../shared/kafka/compression.ts";
import {
  advertisedField,
  brokersField,
  checkConnection,
  connectionNeeds,
  kafkaSaslField,
  kafkaTlsField,
} from "../../shared/kafka/connection_fields.ts";
import { KafkaCluster } from "../../shared/kafka/kafka_cluster.ts";
import { type OutRecord, recordBytesMax } from "../../shared/kafka/record_batch.ts";
import { TOPIC_PATTERN } from "../../shared/kafka/topic_name.ts";
import { partitionOfKey } from "./murmur2.ts";
import { recordOf, type RecordRules } from "./out_records.ts";
import { PartitionWriter } from "./partition_writer.ts";
import { Producer } from "./producer.ts";

/** Most messages an adaptive batch holds. */
const BATCH_MESSAGES_MAX = 2_000;
/** Messages without a key that go to one partition before the next has its turn. */
const KEYLESS_MESSAGES_MAX = 250;
/** Most bytes of one request's records, before they are packed: what brokers take unless told. */
const REQUEST_BYTES_MAX = 1_000_000;
/** How long the first connection may take before the pipeline goes on without it. */
const FIRST_CONNECTION_MS = 5_000;
/** How often the topic is looked at for new partitions. */
const PARTITIONS_LOOKED_AT_EVERY_MS = 60_000;

const schema = block({
  brokers: brokersField,
  topic: text({
    description: "Topic to write to. One that does not exist is made where the brokers let clients do that.",
    pattern: TOPIC_PATTERN,
    expected: "a topic's name: letters, digits, dots, dashes and underscores, at most 249",
  }),
  key: optional(text({
    description:
      "CEL expression that gives the message's key, which decides its partition: text, bytes, a number, a bool, or null for none. Without it messages have no key and are spread over the partitions.",
    examples: ["meta.kafka_key", "string(payload.order_id)"],
  })),
  acks: oneOf([
    choice(["all"], { description: "All replicas in sync." }),
    integer({
      description: "1: the leader alone. 0: nobody, so that messages may be lost.",
      minimum: 0,
      maximum: 1,
    }),
  ], {
    description: "Who must have a message before it counts as written: `all` replicas in sync, `1` or `0`.",
    default: "all",
  }),
  compression: choice(COMPRESSIONS, { description: "How batches are compressed.", default: "none" }),
  idempotent: flag({
    description:
      "Whether brokers are let tell a batch that is sent again, so that it is in the log once. With `acks: all`.",
    default: true,
  }),
  headers: optional(list(text({ description: "A key of `meta`." }), {
    description:
      "Keys of `meta` that become headers; a mapping such as `kafka_headers` becomes a header for each of its members. `traceparent` always does.",
  })),
  advertised: advertisedField,
  tls: kafkaTlsField,
  sasl: kafkaSaslField,
});

type KafkaSinkConfig = Static<typeof schema>;

/** Writes messages into a topic. */
export const kafkaSink: SinkPlugin<typeof schema> = {
  kind: "sink",
  name: "kafka",
  version: 1,
  summary: "Writes messages into a topic of Apache Kafka.",
  capabilities: [],
  definition: define(schema),
  check,
  constantsRead: (config) => reads(config, "constants"),
  parametersRead: (config) => reads(config, "parameters"),
  needs: (config, context) => connectionNeeds(config, context),
  maxBatch: () => BATCH_MESSAGES_MAX,
  create: (config, context) => new KafkaSink(config, context),
};

function check(config: KafkaSinkConfig): readonly PluginIssue[] {
  const issues: PluginIssue[] = [...checkConnection(config)];
  if (config.idempotent && config.acks !== "all") {
    issues.push({
      path: ["acks"],
      message:
        `\`acks: ${config.acks}\` cannot be idempotent: a broker tells repetitions only of what all replicas have`,
      hint: "add `idempotent: false`, or leave `acks` at `all`",
    });
  }
  if (config.key !== undefined) {
    const compiled = compileCel(config.key);
    if (!compiled.ok) {
      for (const { message, offset, hint } of compiled.issues) {
        issues.push({
          code: "expr_cel_compile",
          path: ["key"],
          offset,
          message,
          ...(hint === undefined ? {} : { hint }),
        });
      }
    }
  }
  return issues;
}

/** Names of constants or parameters that the key reads; `*` where a name is computed. */
function reads(config: KafkaSinkConfig, wanted: string): readonly string[] {
  if (config.key === undefined) return [];
  const compiled = compileCel(config.key);
  if (!compiled.ok) return [];
  return compiled.program.reads.map((read) => read.split(".")).filter(([root]) => root === wanted).map(([, name]) =>
    name ?? "*"
  );
}

class KafkaSink implements Sink {
  readonly #config: KafkaSinkConfig;
  readonly #context: PluginContext;
  readonly #rules: RecordRules;
  readonly #life = new AbortController();
  readonly #writers = new Map<number, PartitionWriter>();
  #cluster: KafkaCluster | undefined;
  #producer: Producer | undefined;
  #connecting: Promise<void> | undefined;
  #isConnected = false;
  #lookedMs = 0;
  /** Which partition takes messages without a key. */
  #turn: number;

  constructor(config: KafkaSinkConfig, context: PluginContext) {
    this.#config = config;
    this.#context = context;
    this.#rules = { key: boundKey(config, context), headers: config.headers ?? [] };
    // Several sinks do not begin with the same partition.
    this.#turn = Math.floor(context.random.fraction() * 2 ** 16);
  }

  /** Connects. A cluster that does not answer is waited for later; what waiting does not cure ends the pipeline here. */
  async open(): Promise<void> {
    const { topic, acks, idempotent } = this.#config;
    const context = this.#context;
    const cluster = await KafkaCluster.open({
      config: this.#config,
      context,
      topics: [topic],
      makesTopics: true,
      failure: "sink_failed",
    });
    this.#cluster = cluster;
    this.#producer = idempotent && acks === "all" ? new Producer(cluster) : undefined;
    this.#lookedMs = context.clock.monotonic();
    using limit = deadline(FIRST_CONNECTION_MS, { clock: context.clock, what: "the first connection" });
    try {
      await this.#connected(limit.signal);
    } catch (caught) {
      if (!limit.expired) throw caught;
      context.log.log("warn", "the cluster is not there yet; messages wait for it", { node: context.node });
    }
  }

  async write(batch: SinkBatch, signal: AbortSignal): Promise<void> {
    await this.#connected(signal);
    await this.#lookForPartitions(signal);
    const failures: PartialFailure[] = [];
    const shares = this.#share(batch, failures);
    await Promise.all([...shares].map(([partition, share]) => this.#writeShare(partition, share, failures, signal)));
    if (signal.aborted) throw signal.reason;
    if (failures.length === 0) return;
    failures.sort((a, b) => a.index - b.index);
    throw new PartialWriteError(
      `${failures.length} of ${batch.size} messages were not written: ${failures[0]?.error.message ?? ""}`,
      failures,
    );
  }

  async close(): Promise<void> {
    this.#life.abort();
    await this.#cluster?.close();
  }

  /** Rejects with what waiting does not cure, or with the signal's reason. */
  async #connected(signal: AbortSignal): Promise<void> {
    if (this.#isConnected) return;
    this.#connecting ??= this.#opened().connect(this.#life.signal).then(() => void (this.#isConnected = true)).finally(
      () => this.#connecting = undefined,
    );
    // Whoever does not wait any more leaves it to the next.
    this.#connecting.catch(() => {});
    await raceAbort(this.#connecting, signal);
  }

  /** A topic may be given more partitions while messages are written to it. */
  async #lookForPartitions(signal: AbortSignal): Promise<void> {
    const nowMs = this.#context.clock.monotonic();
    if (nowMs - this.#lookedMs < PARTITIONS_LOOKED_AT_EVERY_MS) return;
    this.#lookedMs = nowMs;
    // What is known goes on to hold; trouble is met by those who write.
    await raceAbort(this.#opened().refresh(), signal).catch(() => {});
  }

  /** Parts a batch by partition, in order. A message whose record cannot be made fails here. */
  #share(batch: SinkBatch, failures: PartialFailure[]): Map<number, OutMessage[]> {
    const cluster = this.#opened();
    const partitions = cluster.partitionsOf(this.#config.topic);
    const led = partitions.filter((partition) => cluster.leaderOf(this.#config.topic, partition) !== undefined);
    const keyless = led.length > 0 ? led : partitions;
    const shares = new Map<number, OutMessage[]>();
    const nowMs = this.#context.clock.now();
    let inTurn = 0;
    for (let index = 0; index < batch.size; index++) {
      const record = this.#record(batch, index, nowMs, failures);
      if (record === undefined) continue;
      if (record.key === null && inTurn++ % KEYLESS_MESSAGES_MAX === 0) this.#turn++;
      const partition = record.key === null
        ? keyless[this.#turn % keyless.length] ?? 0
        : partitions[partitionOfKey(record.key, partitions.length)] ?? 0;
      const share = shares.get(partition);
      if (share === undefined) shares.set(partition, [{ index, record }]);
      else share.push({ index, record });
    }
    return shares;
  }

  #record(batch: SinkBatch, index: number, nowMs: number, failures: PartialFailure[]): OutRecord | undefined {
    try {
      return recordOf(batch, index, this.#rules, nowMs);
    } catch (caught) {
      if (!(caught instanceof SinkError)) throw caught;
      failures.push({ index, error: caught });
      return undefined;
    }
  }

  /** Writes one partition's messages in requests of their size. What may be tried again holds up what is behind it. */
  async #writeShare(
    partition: number,
    share: readonly OutMessage[],
    failures: PartialFailure[],
    signal: AbortSignal,
  ): Promise<void> {
    const writer = this.#writer(partition);
    for (let from = 0; from < share.length;) {
      const to = requestEnd(share, from);
      try {
        await writer.write(share.slice(from, to).map(({ record }) => record), signal);
      } catch (caught) {
        if (signal.aborted) return;
        const error = caught instanceof SinkError ? caught : asSinkError(caught);
        const failed = error.retryable ? share.slice(from) : share.slice(from, to);
        for (const { index } of failed) failures.push({ index, error });
        if (error.retryable) return;
      }
      from = to;
    }
  }

  #writer(partition: number): PartitionWriter {
    const found = this.#writers.get(partition);
    if (found !== undefined) return found;
    const { topic, acks, compression } = this.#config;
    const writer = new PartitionWriter(partition, {
      cluster: this.#opened(),
      producer: this.#producer,
      topic,
      acks: acks === "all" ? -1 : acks === 1 ? 1 : 0,
      compression,
      clock: this.#context.clock,
    });
    this.#writers.set(partition, writer);
    return writer;
  }

  #opened(): KafkaCluster {
    if (this.#cluster === undefined) throw new EventboatError("internal", "the kafka sink writes before it was opened");
    return this.#cluster;
  }
}

/** A record and the place of its message in the batch. */
interface OutMessage {
  readonly index: number;
  readonly record: OutRecord;
}

/** Where the request that begins with message `from` ends: at its size, and behind at least one message. */
function requestEnd(share: readonly OutMessage[], from: number): number {
  let bytes = 0;
  for (let to = from; to < share.length; to++) {
    const message = share[to];
    bytes += message === undefined ? 0 : recordBytesMax(message.record);
    if (to > from && bytes > REQUEST_BYTES_MAX) return to;
  }
  return share.length;
}

function asSinkError(caught: unknown): SinkError {
  const error = EventboatError.from(caught, "sink_failed");
  return new SinkError(error.message, { cause: caught, retryable: error.code !== "permission" });
}

function boundKey(config: KafkaSinkConfig, context: PluginContext): RecordRules["key"] {
  if (config.key === undefined) return undefined;
  const compiled = compileCel(config.key);
  if (compiled.ok) return compiled.program.bind(context);
  throw new EventboatError("config_invalid", `key: ${compiled.issues[0]?.message ?? "cannot be read"}`, {
    node: context.node,
  });
}
