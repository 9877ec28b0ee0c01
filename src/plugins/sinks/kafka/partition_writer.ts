/**
 * Owns the writing to one partition: one batch at a time, repeated as it is until the broker has it. A batch of several
 * partitions, or a second one under way, could be lost or doubled when a leader moves.
 */

import { type Clock, raceAbort, slept } from "../../../base/mod.ts";
import { SinkError } from "../../../plugin/mod.ts";
import type { Compression } from "../../shared/kafka/compression.ts";
import type { KafkaCluster } from "../../shared/kafka/kafka_cluster.ts";
import { KafkaAnswerError, type KafkaTrouble } from "../../shared/kafka/kafka_trouble.ts";
import { type OutRecord, type ProducerStamp, writeBatch } from "../../shared/kafka/record_batch.ts";
import type { Producer } from "./producer.ts";
import { produceRequest } from "./produce_request.ts";

/** How long a broker waits for its replicas. */
const REPLICAS_TIMEOUT_MS = 10_000;
const RETRY_WAIT_MS = { first: 50, most: 1_000 };
const NO_STAMP: ProducerStamp = { producerId: -1, epoch: -1, sequence: -1 };

/** Answers that mean that the records, as they are, are never taken. */
const REFUSALS: ReadonlySet<string> = new Set([
  "MESSAGE_TOO_LARGE",
  "RECORD_LIST_TOO_LARGE",
  "INVALID_RECORD",
  "INVALID_TIMESTAMP",
  "CORRUPT_MESSAGE",
]);
/** Answers after which the broker takes nothing more under the producer's number. */
const PRODUCER_ENDS: ReadonlySet<string> = new Set([
  "OUT_OF_ORDER_SEQUENCE_NUMBER",
  "UNKNOWN_PRODUCER_ID",
  "INVALID_PRODUCER_EPOCH",
]);
const DUPLICATE = "DUPLICATE_SEQUENCE_NUMBER";

/** How a {@linkcode PartitionWriter} writes. */
export interface WriterOptions {
  readonly cluster: KafkaCluster;
  readonly producer: Producer | undefined;
  readonly topic: string;
  readonly acks: -1 | 0 | 1;
  readonly compression: Compression;
  readonly clock: Clock;
}

/** Writes to one partition. */
export class PartitionWriter {
  readonly #options: WriterOptions;
  readonly #partition: number;
  readonly #what: string;
  #turn: Promise<void> = Promise.resolve();

  constructor(partition: number, options: WriterOptions) {
    this.#options = options;
    this.#partition = partition;
    this.#what = `cannot write to ${options.topic}/${partition}`;
  }

  /**
   * Writes records behind those of earlier calls; resolves when the broker has them.
   * @throws {SinkError} they are never taken, or may be another time. The signal's reason once it aborts.
   */
  write(records: readonly OutRecord[], signal: AbortSignal): Promise<void> {
    const written = this.#turn.then(() => this.#persist(records, signal));
    // The next one is written whatever became of this one.
    this.#turn = written.catch(() => {});
    return written;
  }

  async #persist(records: readonly OutRecord[], signal: AbortSignal): Promise<void> {
    const { cluster, producer, compression, clock } = this.#options;
    const life = await producer?.life(signal);
    const stamp = life === undefined ? NO_STAMP : life.stamp(this.#partition);
    // The messages' bytes are ours no longer once the write was given up.
    signal.throwIfAborted();
    const batch = await writeBatch(records, compression, stamp);
    let isClear = false;
    try {
      for (let waitMs = RETRY_WAIT_MS.first;; waitMs = Math.min(waitMs * 2, RETRY_WAIT_MS.most)) {
        signal.throwIfAborted();
        try {
          await raceAbort(this.#send(batch), signal);
          isClear = true;
          life?.advance(this.#partition, stamp, records.length);
          return cluster.recovered(this.#what);
        } catch (caught) {
          if (signal.aborted) throw signal.reason;
          const trouble = cluster.trouble(caught);
          if (trouble.type === DUPLICATE) {
            isClear = true;
            return life?.advance(this.#partition, stamp, records.length);
          }
          isClear = REFUSALS.has(trouble.type);
          this.#failWhereFinal(trouble);
          cluster.tell(this.#what, trouble);
        }
        if (!await slept(clock, waitMs, signal)) throw signal.reason;
        // Whoever leads it now: where that cannot be learned, the next attempt finds out.
        await raceAbort(cluster.refresh(), signal).catch(() => {});
      }
    } finally {
      // The broker may have the records all the same: another batch under the same numbers would be taken for them.
      if (!isClear && life !== undefined) producer?.end(life);
    }
  }

  async #send(batch: Uint8Array): Promise<void> {
    const { cluster, topic, acks } = this.#options;
    const leader = cluster.leaderOf(topic, this.#partition);
    if (leader === undefined) throw new KafkaAnswerError(LEADER_NOT_AVAILABLE);
    const broker = await cluster.broker(leader);
    const request = produceRequest(broker, {
      topic,
      partition: this.#partition,
      acks,
      timeoutMs: REPLICAS_TIMEOUT_MS,
      batch,
    });
    try {
      const code = await cluster.send(broker, request) ?? 0;
      if (code !== 0) throw new KafkaAnswerError(code);
    } catch (caught) {
      cluster.forget(broker);
      throw caught;
    }
  }

  #failWhereFinal(trouble: KafkaTrouble): void {
    const { type, message, lasting, cause } = trouble;
    if (REFUSALS.has(type)) throw new SinkError(`${this.#what}: ${message}`, { cause, retryable: false });
    // Rights are given and taken while a pipeline runs: the edge's policy decides how long to hope.
    if (lasting || PRODUCER_ENDS.has(type)) throw new SinkError(`${this.#what}: ${message}`, { cause });
  }
}

const LEADER_NOT_AVAILABLE = 5;
