/** Owns the clock of tests, of ours and of contract suites: it moves only when told. */

import type { Clock } from "./clock.ts";

interface Sleeper {
  readonly dueMs: number;
  wake(): void;
}

/** Where a held clock stands if nobody says: 2026-01-01T00:00:00Z. */
const START_MS = Date.UTC(2026, 0, 1);

/**
 * A {@linkcode Clock} that stands still until {@linkcode HeldClock.advance} moves it. Sleepers wake in the order of
 * their time, those of one time in the order they fell asleep.
 */
export class HeldClock implements Clock {
  readonly #startMs: number;
  readonly #sleepers = new Set<Sleeper>();
  readonly #watchers = new Set<() => void>();
  #elapsedMs = 0;

  /** @param startMs the wall clock's milliseconds since the Unix epoch at the start */
  constructor(startMs: number = START_MS) {
    this.#startMs = startMs;
  }

  now(): number {
    return this.#startMs + this.#elapsedMs;
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
      for (const watcher of this.#watchers) watcher();
    });
  }

  /** How many sleep now. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** When the next sleeper wakes, in milliseconds from now; `undefined` when nobody sleeps. */
  get nextWakeMs(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : next.dueMs - this.#elapsedMs;
  }

  /** Resolves once at least `count` sleep: what is under test has come to where it waits for time. */
  async untilSleeping(count = 1): Promise<void> {
    while (this.#sleepers.size < count) {
      const watch = Promise.withResolvers<void>();
      this.#watchers.add(watch.resolve);
      await watch.promise;
      this.#watchers.delete(watch.resolve);
    }
  }

  /**
   * Moves time on by `ms`. Whoever is woken on the way gets a turn of the event loop before time moves further, so one
   * that sleeps again within the span is woken again at its own time.
   */
  async advance(ms: number): Promise<void> {
    const endMs = this.#elapsedMs + ms;
    for (;;) {
      await turn();
      const waitMs = this.nextWakeMs;
      if (waitMs === undefined || this.#elapsedMs + waitMs > endMs) break;
      this.wakeNext();
    }
    this.#elapsedMs = endMs;
    await turn();
  }

  /** Moves time on to the next sleeper and wakes it; nothing where nobody sleeps. */
  wakeNext(): void {
    const next = this.#next();
    if (next === undefined) return;
    this.#elapsedMs = next.dueMs;
    next.wake();
  }

  #next(): Sleeper | undefined {
    let next: Sleeper | undefined;
    for (const sleeper of this.#sleepers) if (next === undefined || sleeper.dueMs < next.dueMs) next = sleeper;
    return next;
  }
}

/** Passes one turn of the event loop, so that everything that can go on without time has gone on. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
