/** Owns the reading of a consumer's partitions: one request under way to each node that leads some of them. */

import { type Clock, LinkedController, raceAbort, slept } from "../../../base/mod.ts";
import { EventboatError, reasonOf } from "../../../diagnostics/mod.ts";
import type { Logger } from "../../../telemetry/mod.ts";
import { CompressionError } from "../../shared/kafka/compression.ts";
import type { KafkaCluster } from "../../shared/kafka/kafka_cluster.ts";
import { KafkaAnswerError } from "../../shared/kafka/kafka_trouble.ts";
import { RecordBatchError } from "../../shared/kafka/record_batch.ts";
import { WireError } from "../../shared/kafka/wire_reader.ts";
import { type FetchedPartition, type FetchLimits, fetchRequest } from "./fetch_request.ts";
import type { OffsetLedger, PartitionTracker } from "./offset_ledger.ts";
import type { Outflow } from "./outflow.ts";
import { readRecords } from "./record_reader.ts";
import { endOffsets } from "./start_offsets.ts";

/** A pause before partitions are sorted to their leaders anew. */
const REGROUP_WAIT_MS = 200;
/** What an answer may take beyond the time that the broker is let wait. */
const ANSWER_TIMEOUT_MS = 30_000;
const OFFSET_OUT_OF_RANGE = "OFFSET_OUT_OF_RANGE";

/** What readers work with. */
export interface ReaderOptions {
  readonly cluster: KafkaCluster;
  readonly ledger: OffsetLedger;
  readonly outflow: Outflow;
  readonly limits: FetchLimits;
  /** Most messages of an emission. */
  readonly messagesMax: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly node: string;
}

/** Reads partitions. */
export class PartitionReaders {
  readonly #options: ReaderOptions;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Reads until the signal aborts. Rejects with trouble that lasts. */
  async run(trackers: readonly PartitionTracker[], signal: AbortSignal): Promise<void> {
    const { cluster, clock } = this.#options;
    while (!signal.aborted) {
      using regroup = new LinkedController(signal);
      const byLeader = Map.groupBy(trackers, ({ topic, partition }) => cluster.leaderOf(topic, partition));
      const reads = [...byLeader].map(([leader, led]) =>
        leader === undefined ? this.#awaitLeader(regroup) : this.#readNode(leader, led, regroup)
      );
      try {
        await Promise.all(reads);
        // Only an abort ends it, which the loop looks at.
        if (reads.length === 0) await raceAbort(new Promise<void>(() => {}), signal).catch(() => {});
      } finally {
        // One has failed for good: the others end before that is told.
        regroup.abort();
        await Promise.allSettled(reads);
      }
      if (!await slept(clock, REGROUP_WAIT_MS, signal)) return;
      // Whoever leads them now: where that cannot be learned, what is known is tried again.
      await raceAbort(cluster.refresh(), signal).catch(() => {});
    }
  }

  /** Some partition has no leader: the others are read meanwhile, and it is looked again soon. */
  async #awaitLeader(regroup: LinkedController): Promise<void> {
    await slept(this.#options.clock, REGROUP_WAIT_MS, regroup.signal);
    regroup.abort();
  }

  /** Reads from one node until something changes. */
  async #readNode(nodeId: number, trackers: readonly PartitionTracker[], regroup: LinkedController): Promise<void> {
    const { cluster, limits } = this.#options;
    const { signal } = regroup;
    const what = `cannot read from node ${nodeId}`;
    try {
      const broker = await raceAbort(cluster.broker(nodeId), signal);
      const queue = [...trackers];
      while (!signal.aborted) {
        const positions = queue.map(({ topic, partition, position }) => ({ topic, partition, offset: position }));
        const request = fetchRequest(broker, positions, limits);
        const answer = cluster.send(broker, request, limits.waitMs + ANSWER_TIMEOUT_MS).catch((caught) => {
          cluster.forget(broker);
          throw caught;
        });
        const fetched = await raceAbort(answer, signal) ?? [];
        cluster.recovered(what);
        for (const one of fetched) {
          const tracker = queue.find(({ topic, partition }) => topic === one.topic && partition === one.partition);
          if (tracker !== undefined) await this.#take(tracker, one, signal);
        }
        // Brokers fill an answer in the order of the request: everybody is first once.
        queue.push(...queue.splice(0, 1));
      }
    } catch (caught) {
      if (signal.aborted) return;
      if (caught instanceof EventboatError) throw caught;
      const trouble = cluster.trouble(caught);
      if (trouble.lasting) throw cluster.lasting(what, trouble);
      cluster.tell(what, trouble);
      regroup.abort();
    }
  }

  async #take(tracker: PartitionTracker, fetched: FetchedPartition, signal: AbortSignal): Promise<void> {
    const { ledger, outflow, messagesMax } = this.#options;
    if (fetched.errorCode !== 0) return await this.#refused(tracker, new KafkaAnswerError(fetched.errorCode));
    try {
      for (const read of readRecords(fetched, tracker.position, messagesMax)) {
        await outflow.room(signal);
        if (signal.aborted || tracker.revoked) return;
        if (read.emission === undefined) ledger.pass(tracker, read.next);
        else outflow.send({ ...read.emission, firstSrcSeq: ledger.add(tracker, read.offsets, read.next) });
      }
    } catch (caught) {
      if (!isDamage(caught)) throw caught;
      const { node } = this.#options;
      const where = `${tracker.label} at offset ${tracker.position}`;
      throw new EventboatError("source_failed", `cannot read a batch of ${where}: ${reasonOf(caught)}`, {
        cause: caught,
        node,
        hint: "Move the group's offset behind the batch to go on without it.",
      });
    }
  }

  /** The broker does not give the partition's records. @throws what the caller looks into */
  async #refused(tracker: PartitionTracker, error: KafkaAnswerError): Promise<void> {
    if (error.type !== OFFSET_OUT_OF_RANGE) throw error;
    const { cluster, ledger, log, node } = this.#options;
    const [earliest = 0] = await endOffsets(cluster, [tracker], "earliest");
    const [latest = 0] = await endOffsets(cluster, [tracker], "latest");
    const offset = tracker.position < earliest ? earliest : latest;
    log.log("warn", "the offset to read next is not in the log any more; going on elsewhere", {
      node,
      partition: tracker.label,
      wanted: tracker.position,
      earliest,
      latest,
      offset,
    });
    ledger.pass(tracker, offset);
  }
}

function isDamage(caught: unknown): boolean {
  return caught instanceof RecordBatchError || caught instanceof CompressionError || caught instanceof WireError;
}
