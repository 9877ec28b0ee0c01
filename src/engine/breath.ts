/** Owns the pauses in long computations, so that timers, ports and signals of the isolate get their turn. */

import { type Clock, turn } from "../base/mod.ts";

/** Longest stretch of work without a pause. */
const STRETCH_MS = 10;

/** Says when a loop has worked long enough, and lets everything else run. */
export class Breath {
  readonly #clock: Clock;
  #sinceMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sinceMs = clock.monotonic();
  }

  /** Whether it is time to pause. */
  get due(): boolean {
    return this.#clock.monotonic() - this.#sinceMs >= STRETCH_MS;
  }

  /** Resolves in a later turn of the event loop. */
  async pause(): Promise<void> {
    await turn();
    this.#sinceMs = this.#clock.monotonic();
  }
}
