/** Owns a consumer's life: in and out of its group, reading while it belongs, telling the group what is committed. */

import { deadline, LinkedController, raceAbort, slept } from "../../../base/mod.ts";
import { EventboatError } from "../../../diagnostics/mod.ts";
import type { PluginContext } from "../../../plugin/mod.ts";
import type { KafkaCluster } from "../../shared/kafka/kafka_cluster.ts";
import { GroupMember, type Standing, type TopicPartition } from "./group_member.ts";
import { OffsetLedger, PartitionTracker } from "./offset_ledger.ts";
import { Outflow } from "./outflow.ts";
import { PartitionReaders, type ReaderOptions } from "./partition_readers.ts";
import { endOffsets, type StartAt } from "./start_offsets.ts";

/** Signs of life in a session's time. */
const BEATS_PER_SESSION = 3;
const BEAT_INTERVAL_MAX_MS = 3_000;
/** How soon a sign of life that did not arrive is given again. */
const BEAT_RETRY_MS = 500;
/** How often the topics are looked at for new partitions. */
const PARTITIONS_LOOKED_AT_EVERY_MS = 30_000;
/** How long a partition that is given away is drained, but no longer than a third of a session. */
const DRAIN_MAX_MS = 5_000;
const DRAIN_PER_SESSION = 3;
/** How long others wait for a member that is to join again. */
const REBALANCE_TIMEOUT_MS = 60_000;
const REJOIN_WAIT_MS = 50;
/** How long the farewell may take. */
const LEAVE_MS = 2_000;

/** How a {@linkcode Consumer} reads. */
export interface ConsumerOptions {
  readonly cluster: KafkaCluster;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly startAt: StartAt;
  readonly sessionTimeoutMs: number;
  readonly context: Pick<PluginContext, "clock" | "log" | "node" | "batchMessagesMax">;
  readonly emit: ConstructorParameters<typeof Outflow>[0];
  readonly limits: ReaderOptions["limits"];
}

/** How being part of a group's form ended; `left`: this consumer is closed. */
type Parting = Exclude<Standing, "member"> | "left";

/** One consumer. */
export class Consumer {
  readonly #options: ConsumerOptions;
  readonly #member: GroupMember;
  readonly #ledger = new OffsetLedger();
  readonly #outflow: Outflow;
  readonly #readers: PartitionReaders;
  readonly #life = new AbortController();
  #trackers: PartitionTracker[] = [];
  /** The form of the group that the trackers belong to; undefined once it was lost. */
  #served: number | undefined;
  /** Open while this consumer is part of a group, when it can tell of commits. */
  #belongs = Promise.withResolvers<void>();
  #telling: Promise<void> = Promise.resolve();
  #working: Promise<void> = Promise.resolve();

  constructor(options: ConsumerOptions) {
    const { cluster, groupId, topics, sessionTimeoutMs, context, limits } = options;
    this.#options = options;
    this.#member = new GroupMember({
      cluster,
      groupId,
      topics,
      sessionTimeoutMs,
      rebalanceTimeoutMs: Math.max(sessionTimeoutMs, REBALANCE_TIMEOUT_MS),
    });
    this.#outflow = new Outflow(options.emit);
    this.#readers = new PartitionReaders({
      cluster,
      ledger: this.#ledger,
      outflow: this.#outflow,
      limits,
      messagesMax: context.batchMessagesMax,
      clock: context.clock,
      log: context.log,
      node: context.node,
    });
  }

  /** Reads until the signal aborts; stays in its group after that, until it is closed. Rejects with what lasts. */
  async run(stop: AbortSignal): Promise<void> {
    this.#working = this.#work(stop);
    const refused = this.#outflow.ended.then((error) => {
      throw error;
    });
    try {
      await raceAbort(Promise.race([this.#working, refused]), stop);
    } catch (caught) {
      if (!stop.aborted && EventboatError.from(caught).code !== "shutdown") throw caught;
    }
    await this.#outflow.idle();
  }

  /** Takes down what is committed, and tells the group. Rejects where that could not be told. */
  async commit(throughSrcSeq: number, signal: AbortSignal): Promise<void> {
    this.#ledger.advance(throughSrcSeq);
    const telling = this.#tell(signal);
    this.#telling = telling.catch(() => {});
    await telling;
  }

  /** Leaves the group. */
  async close(): Promise<void> {
    this.#life.abort();
    // How it ended was told by `run`.
    await this.#working.catch(() => {});
    using limit = deadline(LEAVE_MS, { what: "leaving the group" });
    // A group that is not told finds out when the session ends.
    await raceAbort(this.#member.leave(), limit.signal).catch(() => {});
  }

  async #work(stop: AbortSignal): Promise<void> {
    const { cluster, groupId, context } = this.#options;
    using wanted = new LinkedController(stop, this.#life.signal);
    const { signal } = wanted;
    await cluster.connect(signal);
    for (;;) {
      const joined = await cluster.persist(`cannot join the group ${groupId}`, () => this.#join(signal), signal);
      if (joined) {
        this.#belongs.resolve();
        const parting = await this.#serve(stop);
        if (parting === "left" || stop.aborted) return;
        this.#belongs = Promise.withResolvers<void>();
      }
      if (!await slept(context.clock, REJOIN_WAIT_MS, signal)) return;
    }
  }

  /** Joins the group; false where it was formed anew meanwhile. Rejects with trouble of the cluster. */
  async #join(signal: AbortSignal): Promise<boolean> {
    const { cluster, context, groupId } = this.#options;
    try {
      const partitions = await this.#member.join(signal);
      const standing = await this.#adopt(partitions);
      if (standing !== "member") return false;
    } catch (caught) {
      const { type } = cluster.trouble(caught);
      if (type === "REBALANCE_IN_PROGRESS" || type === "UNKNOWN_MEMBER_ID" || type === "ILLEGAL_GENERATION") {
        return false;
      }
      throw caught;
    }
    context.log.log("info", "joined the group", {
      node: context.node,
      group: groupId,
      generation: this.#member.generation,
      partitions: this.#trackers.map(({ label }) => label).join(", "),
    });
    return true;
  }

  /** Lets go of partitions that are not in the share any more, and finds where to begin in those that are new. */
  async #adopt(partitions: readonly TopicPartition[]): Promise<Standing> {
    // Between a form of the group and the next nobody else can have had what both give to this member.
    const isNext = this.#served !== undefined && this.#member.generation === this.#served + 1;
    const kept = new Map(isNext ? this.#trackers.map((tracker) => [tracker.label, tracker]) : []);
    const share = new Set(partitions.map(({ topic, partition }) => `${topic}/${partition}`));
    this.#served = undefined;
    for (const tracker of this.#trackers) {
      if (!kept.has(tracker.label) || !share.has(tracker.label)) tracker.revoked = true;
    }
    this.#trackers = [...kept.values()].filter(({ revoked }) => !revoked);
    const held = new Set(this.#trackers.map(({ label }) => label));
    const fresh = partitions.filter(({ topic, partition }) => !held.has(`${topic}/${partition}`));
    if (fresh.length > 0) {
      const { trackers, standing } = await this.#begin(fresh);
      if (standing !== "member") return standing;
      this.#trackers.push(...trackers);
    }
    this.#served = this.#member.generation;
    return "member";
  }

  async #begin(
    fresh: readonly TopicPartition[],
  ): Promise<{ readonly trackers: PartitionTracker[]; readonly standing: Standing }> {
    const { cluster, startAt } = this.#options;
    const committed = await this.#member.committed(fresh);
    const unknown = fresh.filter((_, index) => committed[index] === undefined);
    const ends = await endOffsets(cluster, unknown, startAt);
    const starts = new Map(unknown.map((partition, index) => [partition, ends[index] ?? 0]));
    // The end of a log moves on: whoever reads the partition next must begin where we do, not where it ends by then.
    const pinned = startAt === "latest" ? [...starts].map(([partition, offset]) => ({ ...partition, offset })) : [];
    const standing = await this.#member.commit(pinned);
    const trackers = fresh.map((partition, index) => {
      const offset = committed[index] ?? starts.get(partition) ?? 0;
      return new PartitionTracker(partition.topic, partition.partition, offset);
    });
    return { trackers, standing };
  }

  /** Reads as long as the group stays as it is, and drains when it does not. Rejects with what lasts. */
  async #serve(stop: AbortSignal): Promise<Parting> {
    using reading = new LinkedController(stop, this.#life.signal);
    using beating = new LinkedController(this.#life.signal);
    const beats = this.#beat(stop, beating.signal);
    const readers = this.#readers.run(this.#trackers, reading.signal);
    const failed = readers.then(() => new Promise<never>(() => {}));
    let parting: Parting;
    try {
      parting = await Promise.race([beats, failed]);
    } finally {
      reading.abort();
      beating.abort();
      await Promise.allSettled([beats, readers]);
    }
    if (parting === "lost") this.#lose();
    else if (parting === "rebalance") await this.#drain();
    return parting;
  }

  /** Gives signs of life, whatever the engine does with the messages, until the group is formed anew. */
  async #beat(stop: AbortSignal, signal: AbortSignal): Promise<Parting> {
    const { cluster, context, sessionTimeoutMs } = this.#options;
    const intervalMs = Math.min(BEAT_INTERVAL_MAX_MS, sessionTimeoutMs / BEATS_PER_SESSION);
    const what = "cannot reach the group's coordinator";
    let lookedMs = context.clock.monotonic();
    for (let waitMs = intervalMs; await slept(context.clock, waitMs, signal);) {
      waitMs = intervalMs;
      try {
        const standing = await raceAbort(this.#member.heartbeat(), signal);
        cluster.recovered(what);
        if (standing === "lost") return standing;
        // Who is about to leave does not join again: what it has is committed first.
        if (standing === "rebalance" && !stop.aborted) return standing;
      } catch (caught) {
        if (signal.aborted) return "left";
        const trouble = cluster.trouble(caught);
        if (trouble.lasting) throw cluster.lasting(what, trouble);
        cluster.tell(what, trouble);
        // Whoever coordinates it now: where that cannot be learned, the next beat tells.
        await raceAbort(cluster.refresh(), signal).catch(() => {});
        waitMs = BEAT_RETRY_MS;
      }
      if (context.clock.monotonic() - lookedMs < PARTITIONS_LOOKED_AT_EVERY_MS) continue;
      lookedMs = context.clock.monotonic();
      // What is known goes on to hold; trouble is met by the next beat.
      await raceAbort(cluster.refresh(), signal).catch(() => {});
      if (!stop.aborted && this.#member.hasOtherPartitions()) return "rebalance";
    }
    return "left";
  }

  /** The partitions are somebody else's: what is under way of them is nobody's business any more. */
  #lose(): void {
    const { context, groupId } = this.#options;
    const outstanding = this.#trackers.reduce((sum, tracker) => sum + tracker.outstanding, 0);
    for (const tracker of this.#trackers) tracker.revoked = true;
    this.#trackers = [];
    this.#served = undefined;
    context.log.log("warn", "the group went on without this member; joining again", {
      node: context.node,
      group: groupId,
      uncommitted: outstanding,
    });
  }

  /** Lets what was emitted be committed before the partitions may become somebody else's. */
  async #drain(): Promise<void> {
    const { context, sessionTimeoutMs } = this.#options;
    const limitMs = Math.min(DRAIN_MAX_MS, sessionTimeoutMs / DRAIN_PER_SESSION);
    using limit = deadline(limitMs, { parent: this.#life.signal, clock: context.clock, what: "draining" });
    try {
      await this.#ledger.settled(this.#trackers, limit.signal);
      await raceAbort(this.#telling, limit.signal);
    } catch {
      const outstanding = this.#trackers.reduce((sum, tracker) => sum + tracker.outstanding, 0);
      context.log.log("info", "joins the group again with messages under way, which may come twice", {
        node: context.node,
        uncommitted: outstanding,
      });
    }
  }

  async #tell(signal: AbortSignal): Promise<void> {
    await raceAbort(this.#belongs.promise, signal);
    const due = this.#trackers.filter(({ revoked, committable, committed }) => !revoked && committable > committed);
    const offsets = due.map(({ topic, partition, committable }) => ({ topic, partition, offset: committable }));
    const standing = await raceAbort(this.#member.commit(offsets), signal);
    if (standing === "rebalance") {
      throw new EventboatError("source_failed", "cannot commit offsets while the group is being formed anew");
    }
    if (standing === "lost") return;
    for (const [index, tracker] of due.entries()) tracker.committed = offsets[index]?.offset ?? tracker.committed;
  }
}
