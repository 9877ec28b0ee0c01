/** Owns the calls that wait for an answer and the deadline each of them has. */

import { type Clock, slept, turn } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { StoreAnswer } from "./wire.ts";

/** What becomes of a call: exactly one of the two is called, once. */
export interface PendingCall {
  answered(answer: StoreAnswer): void;
  /** `timeout` when the deadline passed, else why no answer will come. */
  failed(error: EventboatError): void;
}

interface Waiting {
  readonly call: PendingCall;
  readonly deadlineMs: number;
}

/**
 * Calls by id. All have the same limit, so the oldest is always the next to expire and one sleeper serves them all.
 */
export class PendingCalls {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #calls = new Map<number, Waiting>();
  readonly #stop = new AbortController();
  #watch = Promise.resolve();
  #watching = false;

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  add(id: number, call: PendingCall): void {
    this.#calls.set(id, { call, deadlineMs: this.#clock.monotonic() + this.#limitMs });
    if (this.#watching) return;
    this.#watching = true;
    this.#watch = this.#watchOldest();
  }

  /** Settles the call an answer belongs to; an answer that comes after its deadline is dropped. */
  answer(id: number, answer: StoreAnswer): void {
    const waiting = this.#calls.get(id);
    this.#calls.delete(id);
    waiting?.call.answered(answer);
  }

  /** Settles every call, oldest first. */
  failAll(error: EventboatError): void {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const { call } of calls) call.failed(error);
  }

  /** Fails what is left and ends the watch; resolves when its sleeper is gone. */
  async stop(error: EventboatError): Promise<void> {
    this.failAll(error);
    this.#stop.abort();
    await this.#watch;
  }

  async #watchOldest(): Promise<void> {
    for (;;) {
      const oldest = this.#calls.entries().next().value;
      if (oldest === undefined || this.#stop.signal.aborted) {
        this.#watching = false;
        return;
      }
      const [id, { deadlineMs }] = oldest;
      const restMs = deadlineMs - this.#clock.monotonic();
      // Only a stop ends the sleep early, and a stop has already settled every call.
      if (restMs > 0) await slept(this.#clock, restMs, this.#stop.signal);
      else await this.#expire(id);
    }
  }

  async #expire(id: number): Promise<void> {
    // A process that was stopped and went on finds its timers due and the answers waiting: those go first.
    await turn();
    const waiting = this.#calls.get(id);
    this.#calls.delete(id);
    waiting?.call.failed(new EventboatError("timeout", `the store did not answer within ${this.#limitMs} ms`));
  }
}
