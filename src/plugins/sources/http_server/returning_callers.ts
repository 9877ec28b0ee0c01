/** Owns the patience with callers that were just answered: they are likely to come again in the next few turns. */

import type { Clock } from "../../../base/mod.ts";

/** Turns of the event loop that they get at most. */
const TURNS_MAX = 16;
/** Time that they get at most: a budget, never a sleep. */
const BUDGET_MS = 2;

/**
 * Tells whether a group should wait one more turn. Without it, callers that all wait for an answer part into two halves
 * for good: each half goes while the other one is being made durable, and twice as many groups are synced.
 */
export class ReturningCallers {
  readonly #clock: Clock;
  #expected = 0;
  #turns = 0;
  #sinceMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** So many callers were answered while `waiting` others waited. */
  answered(callers: number, waiting: number): void {
    this.#expected = callers + waiting;
    this.#turns = 0;
    this.#sinceMs = this.#clock.monotonic();
  }

  /** Whether some of those that were answered have not come again and may do so in one more turn, which is counted. */
  mayCome(waiting: number): boolean {
    if (waiting >= this.#expected || this.#turns >= TURNS_MAX) return false;
    if (this.#clock.monotonic() - this.#sinceMs >= BUDGET_MS) return false;
    this.#turns++;
    return true;
  }
}
