/** Owns the time limits of many requests at once: one sleep for all of them. */

import { type Clock, slept } from "../../../base/mod.ts";

/** A limit that runs. */
export interface TimeLimit {
  readonly dueMs: number;
  /** @param reason the time is over, or nobody waits any longer */
  expire(reason: "time" | "closing"): void;
}

/**
 * Limits that are all equally long, so they expire in the order they began. A request enters and leaves without a
 * timer of its own; one sleep follows the oldest.
 */
export class TimeLimits {
  readonly #lengthMs: number;
  readonly #clock: Clock;
  readonly #running = new Set<TimeLimit>();
  readonly #stop = new AbortController();
  #watch: Promise<void> | undefined;

  constructor(lengthMs: number, clock: Clock) {
    this.#lengthMs = lengthMs;
    this.#clock = clock;
  }

  /** Begins a limit: `expire` is called when its time is over or all are closed, unless it is ended before. */
  begin(expire: TimeLimit["expire"]): TimeLimit {
    const limit = { dueMs: this.#clock.monotonic() + this.#lengthMs, expire };
    this.#running.add(limit);
    this.#watch ??= this.#watchOver();
    return limit;
  }

  /** Ends a limit that is needed no more. */
  end(limit: TimeLimit): void {
    this.#running.delete(limit);
  }

  /** Expires all that run, and stops. */
  async close(): Promise<void> {
    for (const limit of this.#running) limit.expire("closing");
    this.#running.clear();
    this.#stop.abort();
    await this.#watch;
  }

  async #watchOver(): Promise<void> {
    for (let oldest = this.#oldest(); oldest !== undefined; oldest = this.#oldest()) {
      const leftMs = oldest.dueMs - this.#clock.monotonic();
      if (leftMs > 0) {
        if (!await slept(this.#clock, leftMs, this.#stop.signal)) return;
      } else if (this.#running.delete(oldest)) {
        oldest.expire("time");
      }
    }
    this.#watch = undefined;
  }

  /** Looked up anew each time: an iterator that is kept over a sleep keeps every table the set has outgrown. */
  #oldest(): TimeLimit | undefined {
    return this.#running.values().next().value;
  }
}
