/** Owns the place of one lane: what is under way in it, whether it still moves, and what its end means for that. */

import { type Clock, slept } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { Lane, LaneAnswer, LaneBatch } from "./lane.ts";

/** Batches a lane holds: one it works on, one that it finds when it is done. */
export const LANE_BATCHES_MAX = 2;
/** How much longer than a call may take a lane may stand still: it ends calls that wait by itself, and says so. */
export const LANE_GRACE_MS = 500;
/** Time between two looks at a lane. */
const LOOK_MS = 250;

/** How a batch ended. */
export type LaneEnd =
  | { readonly kind: "answered"; readonly answer: LaneAnswer }
  /** The message at this position of the batch did not end in time, and the lane was let go. */
  | { readonly kind: "stuck"; readonly at: number }
  /** The lane died. A suspect may be why: it was being worked on; others waited behind it. */
  | { readonly kind: "died"; readonly error: EventboatError; readonly isSuspect: boolean };

/** A batch to be sent. */
export interface Cargo {
  /** Makes the batch for a lane with these codecs. */
  pack(codecs: ReadonlySet<string>): LaneBatch;
  readonly count: number;
  readonly timeoutMs: number;
  /** Whether nothing else may be in the lane meanwhile, so that a death has one possible reason. */
  readonly isAlone: boolean;
}

interface Flight extends Cargo {
  settle(end: LaneEnd): void;
}

/** Why a berth is empty. */
export interface LaneLoss {
  /** Whether the lane was let go because it stood still: it may go on for ever, unheard. */
  readonly isStuck: boolean;
  /** Whether nothing was under way, so that no message can be why. */
  readonly isIdle: boolean;
  readonly error: EventboatError;
}

/** What a berth tells the pool. */
export interface BerthListener {
  /** There is room for a batch. */
  free(): void;
  /** The lane is gone; what was under way has been told. */
  lost(berth: LaneBerth, loss: LaneLoss): void;
}

/** One lane, or the place where the next one will be. */
export class LaneBerth {
  readonly #listener: BerthListener;
  readonly #clock: Clock;
  #lane: Lane | undefined;
  #flights: Flight[] = [];
  /** Messages of answered batches since the lane was opened, in 32 bits like {@linkcode Lane.begun}. */
  #answered = 0;
  /** Aborts when the lane is gone. */
  #gone = new AbortController();

  constructor(clock: Clock, listener: BerthListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** Batches under way; more than any berth may hold where there is no lane. */
  get load(): number {
    return this.#lane === undefined ? Infinity : this.#flights.length;
  }

  /** Whether a batch can be sent now. */
  takes(isAlone: boolean): boolean {
    if (isAlone) return this.load === 0;
    return this.load < LANE_BATCHES_MAX && this.#flights[0]?.isAlone !== true;
  }

  /** Puts a lane here. */
  moor(lane: Lane): void {
    this.#lane = lane;
    this.#answered = 0;
    this.#gone = new AbortController();
    lane.died.then((error) => {
      if (this.#lane !== lane) return;
      this.#lose(false, error, died(error, true));
    });
    void this.#watch(lane, this.#gone.signal);
    this.#listener.free();
  }

  /** Sends a batch, when {@linkcode LaneBerth.takes} has said so. Throws, nothing sent, where it cannot cross. */
  send(cargo: Cargo): Promise<LaneEnd> {
    const lane = this.#lane;
    if (lane === undefined) throw new TypeError("a batch was sent to a berth without a lane");
    const answered = lane.apply(cargo.pack(lane.codecs));
    const { promise, resolve } = Promise.withResolvers<LaneEnd>();
    const flight: Flight = { ...cargo, settle: resolve };
    this.#flights.push(flight);
    answered.then((answer) => {
      if (this.#lane !== lane) return;
      this.#flights = this.#flights.filter((each) => each !== flight);
      this.#answered = (this.#answered + flight.count) | 0;
      resolve({ kind: "answered", answer });
      this.#listener.free();
    });
    return promise;
  }

  /** Ends the lane in order. */
  async close(): Promise<void> {
    const lane = this.#lane;
    this.#lane = undefined;
    this.#gone.abort();
    await lane?.close();
  }

  /** Looks from time to time whether the lane moves, and lets go of one that does not. */
  async #watch(lane: Lane, gone: AbortSignal): Promise<void> {
    let begun = lane.begun;
    let front: Flight | undefined;
    let sinceMs = this.#clock.monotonic();
    while (await slept(this.#clock, LOOK_MS, gone)) {
      if (lane.begun !== begun || this.#flights[0] !== front || front === undefined) {
        begun = lane.begun;
        front = this.#flights[0];
        sinceMs = this.#clock.monotonic();
      } else if (this.#clock.monotonic() - sinceMs >= front.timeoutMs + LANE_GRACE_MS) {
        return this.#letGo(lane, front);
      }
    }
  }

  #letGo(lane: Lane, { count, timeoutMs }: Flight): void {
    const at = (lane.begun - this.#answered - 1) | 0;
    // One that stands still between two messages has nobody to blame.
    const isBlamed = at >= 0 && at < count;
    const error = new EventboatError("timeout", `it stood still for more than ${timeoutMs} ms`);
    lane.abandon();
    this.#lose(true, error, isBlamed ? { kind: "stuck", at } : died(error, true));
  }

  /** Empties the berth and tells what was under way; `front` is for the batch that was worked on. */
  #lose(isStuck: boolean, error: EventboatError, front: LaneEnd): void {
    this.#lane = undefined;
    this.#gone.abort();
    const [first, ...behind] = this.#flights.splice(0);
    first?.settle(front);
    for (const flight of behind) flight.settle(died(error, false));
    this.#listener.lost(this, { isStuck, isIdle: first === undefined, error });
  }
}

function died(error: EventboatError, isSuspect: boolean): LaneEnd {
  return { kind: "died", error, isSuspect };
}
