/** Owns the lanes of one transform node: opened together, handed batches in turn, replaced when one is lost. */

import { backoffMs, slept } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { EngineCore } from "./core.ts";
import type { Lane, LaneProvider } from "./lane.ts";
import { LANE_MESSAGES_MAX } from "./lane_batch.ts";
import { type Cargo, LANE_BATCHES_MAX, LaneBerth, type LaneEnd, type LaneLoss } from "./lane_berth.ts";
import { addCounts } from "./lane_counts.ts";

/** Lanes that may be lost in a row while nothing is under way in them, or while they open. */
const IDLE_LOSSES_MAX = 5;
/** Lanes that may be lost in a row, no batch answered between them: by then it is not the messages. */
const LOSSES_MAX = 100;
/** Lanes of one node that may be stuck: a loop cannot be ended, and each may keep a core until the program ends. */
const STUCK_MAX = 8;

/** Fewer messages than this are not shared out: the turn would cost more than it saves. */
const SHARE_MESSAGES_MIN = 64;

interface Waiter {
  readonly cargo: Cargo;
  resolve(end: Promise<LaneEnd>): void;
  reject(reason: unknown): void;
}

/** What a pool needs of its engine. */
export type LanePoolCore = Pick<EngineCore, "options" | "released" | "fail">;

/** The lanes of one node. */
export class LanePool {
  readonly #core: LanePoolCore;
  readonly #node: string;
  readonly #provider: LaneProvider;
  readonly #berths: LaneBerth[] = [];
  readonly #waiters: Waiter[] = [];
  /** Lost in a row: while nothing was under way, and at all. */
  #idleLosses = 0;
  #losses = 0;
  #stuck = 0;
  #isClosed = false;

  constructor(core: LanePoolCore, node: string, provider: LaneProvider) {
    this.#core = core;
    this.#node = node;
    this.#provider = provider;
  }

  /** Batches that may be under way at once. */
  get batchesMax(): number {
    return this.#berths.length * LANE_BATCHES_MAX;
  }

  /** How many of so many messages are to be sent at once: a fair share where a lane has nothing to do, else all. */
  batchMessages(count: number): number {
    const isBusy = this.#berths.every(({ load }) => load > 0);
    if (isBusy) return LANE_MESSAGES_MAX;
    const share = Math.ceil(count / Math.max(1, this.#berths.length));
    return Math.min(Math.max(share, SHARE_MESSAGES_MIN), LANE_MESSAGES_MAX);
  }

  /** Opens the lanes. Rejects with what kept one of them from opening; {@linkcode LanePool.close} closes the others. */
  async open(lanes: number, signal: AbortSignal): Promise<void> {
    const opening = Array.from({ length: lanes }, () => this.#provider.open(this.#node, signal));
    const opened = await Promise.allSettled(opening);
    for (const lane of opened) {
      if (lane.status === "rejected") continue;
      const berth = new LaneBerth(this.#core.options.clock, {
        free: () => this.#serve(),
        // It rejects for nothing: what goes wrong with a lane ends in another one, or ends the engine.
        lost: (lost, loss) => void this.#replace(lost, loss),
      });
      this.#berths.push(berth);
      this.#moor(berth, lane.value);
    }
    const failed = opened.find((lane) => lane.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  /**
   * Sends a batch to the lane with the least to do, as soon as one has room. Rejects where the batch cannot cross.
   * Does not settle once the engine has let go.
   */
  async send(cargo: Cargo): Promise<LaneEnd> {
    const sent = new Promise<LaneEnd>((resolve, reject) => this.#waiters.push({ cargo, resolve, reject }));
    this.#serve();
    const end = await sent;
    if (end.kind === "answered") {
      this.#idleLosses = this.#losses = 0;
      addCounts(end.answer.counts, this.#core.options.meter);
    }
    return end;
  }

  /** Ends the lanes in order. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#berths.map((berth) => berth.close()));
  }

  /** Puts a lane into use; one that comes too late is not kept. */
  #moor(berth: LaneBerth, lane: Lane): void {
    if (this.#isClosed) lane.abandon();
    else berth.moor(lane);
  }

  #serve(): void {
    for (let waiter = this.#waiters[0]; waiter !== undefined; waiter = this.#waiters[0]) {
      const berth = this.#leastLoaded(waiter.cargo.isAlone);
      // Whoever waits longest goes first, also before those that there would be room for.
      if (berth === undefined) return;
      this.#waiters.shift();
      try {
        waiter.resolve(berth.send(waiter.cargo));
      } catch (caught) {
        waiter.reject(caught);
      }
    }
  }

  #leastLoaded(isAlone: boolean): LaneBerth | undefined {
    let found: LaneBerth | undefined;
    for (const berth of this.#berths) {
      if (berth.takes(isAlone) && (found === undefined || berth.load < found.load)) found = berth;
    }
    return found;
  }

  /** Opens another lane for one that was lost, unless too many are. */
  async #replace(berth: LaneBerth, loss: LaneLoss): Promise<void> {
    const { options: { log }, released } = this.#core;
    if (released.aborted) return;
    log.log("warn", "a lane was lost and is replaced", { node: this.#node, error: loss.error.message });
    if (loss.isStuck && ++this.#stuck >= STUCK_MAX) return this.#fail(`${STUCK_MAX} lanes stood still`, loss.error);
    if (++this.#losses >= LOSSES_MAX) return this.#fail(`${LOSSES_MAX} lanes in a row were lost`, loss.error);
    // What was under way is tried again, ever more on its own, and fails in the end: a wait would gain nothing.
    for (let { isIdle, error } = loss;; isIdle = true) {
      if (isIdle && !await this.#waitLonger(error)) return;
      try {
        return this.#moor(berth, await this.#provider.open(this.#node, released));
      } catch (caught) {
        if (released.aborted) return;
        error = EventboatError.from(caught, "isolate_died");
      }
    }
  }

  /** Waits before the next lane is opened; false where there is to be none. */
  async #waitLonger(error: EventboatError): Promise<boolean> {
    const { options, released } = this.#core;
    if (++this.#idleLosses >= IDLE_LOSSES_MAX) {
      this.#fail(`${IDLE_LOSSES_MAX} lanes in a row were lost before they had anything to do`, error);
      return false;
    }
    const wait = { kind: "exponential", baseMs: options.backoffBaseMs, maxMs: options.backoffMaxMs } as const;
    return await slept(options.clock, backoffMs(wait, this.#idleLosses - 1, options.random), released);
  }

  #fail(what: string, { message }: EventboatError): void {
    this.#core.fail(
      new EventboatError("node_failed", `transform ${this.#node}: ${what}; the last one: ${message}`, {
        node: this.#node,
      }),
    );
  }
}
