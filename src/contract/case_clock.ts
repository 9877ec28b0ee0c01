/** Owns the time of a case: the wall clock stands still, and sleepers wake when nothing else goes on. */

import type { Clock } from "../base/mod.ts";

/** Where the wall clock of a case stands: 2026-01-01T00:00:00Z. */
export const CASE_TIME_MS = Date.UTC(2026, 0, 1);

interface Sleeper {
  readonly dueMs: number;
  wake(): void;
}

/**
 * A clock that costs no time. `now` is always the same; whoever sleeps is woken by {@linkcode CaseClock.wakeNext}, in
 * the order of their times.
 */
export class CaseClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();
  #elapsedMs = 0;

  now(): number {
    return CASE_TIME_MS;
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        dueMs: this.#elapsedMs + Math.max(0, ms),
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal?.removeEventListener("abort", stop);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /** How many sleep. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** Moves time on to the next sleeper and wakes it; nothing where nobody sleeps. */
  wakeNext(): void {
    let next: Sleeper | undefined;
    for (const sleeper of this.#sleepers) if (next === undefined || sleeper.dueMs < next.dueMs) next = sleeper;
    if (next === undefined) return;
    this.#elapsedMs = next.dueMs;
    next.wake();
  }
}

/** Time for what really takes some, such as a guest process with a limit: it passes, and the wall clock stands still. */
export function standingClock(real: Clock): Clock {
  return {
    now: () => CASE_TIME_MS,
    monotonic: () => real.monotonic(),
    sleep: (ms, signal) => real.sleep(ms, signal),
  };
}
