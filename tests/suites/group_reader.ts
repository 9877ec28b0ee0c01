/** Owns a member of a consumer group in tests: it takes messages as an engine does, takes its time, and then commits. */

import assert from "node:assert/strict";
import { slept, systemClock } from "../../src/base/mod.ts";
import type { Emission } from "../../src/message/mod.ts";
import { type CollectingLogger, messagesOf } from "../../src/plugin/mod.ts";
import type { KafkaCluster } from "../servers/kafka_cluster.ts";
import { makeKafkaSource, RunningSource } from "./kafka_plugins.ts";

/** Messages that are taken and not committed, at most: an engine's `max_in_flight`. */
const IN_FLIGHT_MAX = 2000;
const COMMIT_EVERY_MS = 20;

/** What a group has got and committed, whoever of it did. */
export class GroupBook {
  /** How often each value came. */
  readonly times = new Map<string, number>();
  /** Behind the last offset that was given to a commit, by partition. */
  readonly #floors = new Map<number, number>();

  /** How many different values came. */
  get distinct(): number {
    return this.times.size;
  }

  /** How many came again. */
  get repeated(): number {
    return [...this.times.values()].reduce((sum, times) => sum + times - 1, 0);
  }

  take(value: string): void {
    this.times.set(value, (this.times.get(value) ?? 0) + 1);
  }

  commit(partition: number, offset: number): void {
    this.#floors.set(partition, Math.max(this.#floors.get(partition) ?? 0, offset + 1));
  }

  /** Fails where the group's offsets in Kafka are ahead of what was committed. */
  async checkOffsets(cluster: KafkaCluster, group: string): Promise<void> {
    for (const { partition, offset } of await cluster.committed(group)) {
      const floor = this.#floors.get(partition) ?? 0;
      assert.ok(offset <= floor, `partition ${partition} is committed to ${offset}, and messages to ${floor}`);
    }
  }
}

/** How a {@linkcode GroupReader} reads. */
export interface GroupReaderOptions {
  readonly cluster: KafkaCluster;
  readonly topic: string;
  readonly group: string;
  readonly book: GroupBook;
  readonly sessionTimeoutMs: number;
  /** Messages that it commits in a second; as fast as it goes unless told. */
  readonly perSecond?: number;
}

/** One member, until its scope ends. */
export class GroupReader implements AsyncDisposable {
  readonly log: CollectingLogger;
  readonly #options: GroupReaderOptions;
  readonly #running: RunningSource;
  readonly #over = new AbortController();
  readonly #committing: Promise<void>;
  readonly #held: { readonly srcSeq: number; readonly partition: number; readonly offset: number }[] = [];
  #isStopping = false;
  /** While true nothing is committed. */
  isStuck = false;

  constructor(options: GroupReaderOptions) {
    const { cluster, topic, group, sessionTimeoutMs } = options;
    this.#options = options;
    const { plugin, log } = makeKafkaSource({
      brokers: cluster.brokers(),
      topics: [topic],
      group_id: group,
      start_at: "earliest",
      session_timeout_ms: sessionTimeoutMs,
    });
    this.log = log;
    this.#running = new RunningSource(plugin, (batch) => this.#take(batch));
    this.#committing = this.#commitAll();
  }

  /** How often it joined the group. */
  get joins(): number {
    return this.log.lines.filter(({ message }) => message === "joined the group").length;
  }

  /** How it ended, should it have. */
  get ended(): Promise<unknown> {
    return this.#running.ended;
  }

  /** Stops as an engine does: takes nothing more, commits what it has, and leaves. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    await this.#running.stop();
    while (this.#held.length > 0 && !this.isStuck) await systemClock.sleep(COMMIT_EVERY_MS);
    this.#over.abort();
    await this.#committing;
    await this.#running[Symbol.asyncDispose]();
  }

  async #take(batch: Emission): Promise<void> {
    for (const { text, meta, srcSeq } of messagesOf(batch)) {
      this.#options.book.take(text);
      this.#held.push({ srcSeq, partition: Number(meta["kafka_partition"]), offset: Number(meta["kafka_offset"]) });
    }
    while (this.#held.length > IN_FLIGHT_MAX && !this.#isStopping) await systemClock.sleep(COMMIT_EVERY_MS);
  }

  async #commitAll(): Promise<void> {
    const { perSecond = Infinity, book } = this.#options;
    const atOnce = Math.max(1, perSecond * COMMIT_EVERY_MS / 1000);
    while (await slept(systemClock, COMMIT_EVERY_MS, this.#over.signal)) {
      if (this.isStuck || this.#held.length === 0) continue;
      const done = this.#held.splice(0, Math.min(atOnce, this.#held.length));
      for (const { partition, offset } of done) book.commit(partition, offset);
      // Refused while the group is formed anew: the next commit says more.
      await this.#running.commit(done.at(-1)?.srcSeq ?? 0).catch(() => {});
    }
  }
}
