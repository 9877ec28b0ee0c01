/** Owns the time of a case: the wall clock stands still, and sleepers wake when nothing else goes on. */

import { type Clock, HeldClock } from "../base/mod.ts";

/** Where the wall clock of a case stands: 2026-01-01T00:00:00Z. */
export const CASE_TIME_MS = Date.UTC(2026, 0, 1);

/**
 * A clock that costs no time. `now` is always the same; whoever sleeps is woken by {@linkcode HeldClock.wakeNext}, in the
 * order of their times.
 */
export class CaseClock extends HeldClock {
  override now(): number {
    return CASE_TIME_MS;
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
