/** Owns the durable checkpoint and what follows from it: trimming the spool, sweeping dead letters. */

import { EventboatError } from "../diagnostics/mod.ts";
import type { EngineCore } from "./core.ts";
import type { NodeMemories } from "./node_memories.ts";

/** Dead letters deleted in one transaction. */
const SWEEP_ROWS_MAX = 10_000;
/** Wait before a failed write is repeated on its own; with the next append it goes at once. */
const RETRY_MS = 500;

/** What the checkpointer needs of its engine. */
export type CheckpointerCore = Pick<EngineCore, "plan" | "store" | "options" | "fail">;

/**
 * Writes are coalesced and monotonic. A checkpoint rides the group of the next append; with none in sight it goes
 * alone, so that an idle pipeline that is killed replays nothing. A failed write only widens the replay window.
 */
export class Checkpointer {
  readonly #core: CheckpointerCore;
  readonly #memories: Pick<NodeMemories, "save">;
  readonly #writes = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  #frontier: number;
  #requested: number;
  #durable: number;
  #trimDueAt: number;
  #lastAppendMs = -Infinity;
  /** Whether the last write failed: told once, and repeated at leisure. */
  #isFailing = false;
  #timer: Promise<void> | undefined;
  #upkeep: Promise<void> | undefined;

  constructor(core: CheckpointerCore, memories: Pick<NodeMemories, "save">) {
    this.#core = core;
    this.#memories = memories;
    const { checkpoint } = core.store.start;
    this.#frontier =
      this.#requested =
      this.#durable =
        checkpoint;
    this.#trimDueAt = this.#nextWindow(checkpoint);
  }

  /** The durable checkpoint, as far as known. */
  get durable(): number {
    return this.#durable;
  }

  /** The frontier moved. */
  advance(frontier: number): void {
    this.#frontier = frontier;
    this.#arm();
  }

  /** An append is about to be asked for in this turn: a checkpoint asked for now shares its transaction. */
  ride(): void {
    this.#lastAppendMs = this.#core.options.clock.monotonic();
    if (this.#frontier > this.#requested) this.#write();
  }

  /** Attempts to make the frontier durable; resolves when the attempt has been answered. */
  async flush(): Promise<void> {
    if (this.#frontier > this.#requested) this.#write();
    await Promise.all(this.#writes);
    await this.#upkeep;
  }

  /** Lets go of the timer. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#timer;
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#stopped.signal.aborted) return;
    const { clock, checkpointIdleMs } = this.#core.options;
    const waitMs = this.#isFailing ? Math.max(RETRY_MS, checkpointIdleMs) : checkpointIdleMs;
    this.#timer = clock.sleep(waitMs, this.#stopped.signal).then(() => {
      this.#timer = undefined;
      if (this.#frontier <= this.#requested) return;
      if (clock.monotonic() - this.#lastAppendMs < checkpointIdleMs) this.#arm();
      else this.#write();
    }, () => {
      this.#timer = undefined; // Stopped: whoever stopped it flushes.
    });
  }

  #write(): void {
    const target = this.#requested = this.#frontier;
    const write = this.#writeThrough(target).then(() => {
      this.#durable = Math.max(this.#durable, target);
      this.#isFailing = false;
      this.#keepUp();
    }, (caught) => {
      this.#requested = this.#durable;
      if (this.#isFailing) this.#troubleOf(caught);
      else this.#warn("cannot write the checkpoint; trying again, and a restart will replay more until then", caught);
      this.#isFailing = true;
    }).finally(() => {
      this.#writes.delete(write);
      if (this.#frontier > this.#requested) this.#arm();
    });
    this.#writes.add(write);
  }

  /** Memories first: what is committed may be forgotten by none, and asked for in one turn they share a transaction. */
  async #writeThrough(target: number): Promise<void> {
    const saved = this.#memories.save();
    await Promise.all([saved, this.#core.store.setCheckpoint(target)]);
  }

  /** Once per `spool_retention` messages: trims behind the durable checkpoint and sweeps old dead letters. */
  #keepUp(): void {
    if (this.#durable < this.#trimDueAt || this.#upkeep !== undefined) return;
    const { spoolRetention } = this.#core.options;
    this.#trimDueAt = this.#nextWindow(this.#durable);
    this.#upkeep = this.#clean(this.#durable - spoolRetention).finally(() => {
      this.#upkeep = undefined;
    });
  }

  /**
   * Where the next window of `spool_retention` messages begins. Windows are counted from the first message on, not from
   * the start: lives that are all shorter than a window would never trim.
   */
  #nextWindow(seq: number): number {
    const window = Math.max(1, this.#core.options.spoolRetention);
    return (Math.floor(seq / window) + 1) * window;
  }

  async #clean(through: number): Promise<void> {
    const { store, plan, options } = this.#core;
    try {
      if (through > 0) await store.trim(through);
    } catch (caught) {
      this.#warn("cannot trim the spool; trying again later", caught);
    }
    if (plan.deadLetterRetentionMs === undefined) return;
    try {
      const beforeMs = options.clock.now() - plan.deadLetterRetentionMs;
      while (await store.sweepDeadLetters(beforeMs, SWEEP_ROWS_MAX) >= SWEEP_ROWS_MAX);
    } catch (caught) {
      this.#warn("cannot delete old dead letters; trying again later", caught);
    }
  }

  #warn(message: string, caught: unknown): void {
    const error = this.#troubleOf(caught);
    if (error !== undefined) this.#core.options.log.log("warn", message, { code: error.code, error: error.message });
  }

  /** What a failed write means; undefined for what needs no word, such as the end of the engine. */
  #troubleOf(caught: unknown): EventboatError | undefined {
    const error = EventboatError.from(caught, "store_write");
    if (error.code === "store_closed") return undefined;
    if (error.code !== "store_unknown") return error;
    // Whether the write is durable only a restart can tell, and the store takes no other before it.
    this.#core.fail(error);
    return undefined;
  }
}
