/** Owns the telling of what may happen a million times: the first few at once, then one line a minute with the count. */

import type { Clock } from "../base/mod.ts";
import type { LogFields, Logger, LogLevel } from "./logger.ts";

/** Lines of one kind that are logged as they come. */
const FIRST_LINES = 3;
/** Least time between two lines of one kind after the first few. */
const INTERVAL_MS = 60_000;

interface Kind {
  lines: number;
  untold: number;
  toldMs: number;
}

/** Logs by kind. Kinds are few: a node and a class, an edge. */
export class FrugalLog {
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #kinds = new Map<string, Kind>();

  constructor(log: Logger, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Tells one event of a kind, or keeps it for the next line of that kind. */
  tell(kind: string, level: LogLevel, message: string, fields: LogFields): void {
    const nowMs = this.#clock.monotonic();
    let known = this.#kinds.get(kind);
    if (known === undefined) this.#kinds.set(kind, known = { lines: 0, untold: 0, toldMs: nowMs });
    known.untold++;
    if (known.lines >= FIRST_LINES && nowMs - known.toldMs < INTERVAL_MS) return;
    const more = known.untold > 1 ? { count: known.untold } : {};
    const last = known.lines === FIRST_LINES - 1 ? { more: "counted, and told once a minute" } : {};
    this.#log.log(level, message, { ...fields, ...more, ...last });
    known.lines++;
    known.untold = 0;
    known.toldMs = nowMs;
  }

  /** Whether a kind was told since the last {@linkcode FrugalLog.over} of it; forgets it. */
  over(kind: string): boolean {
    return this.#kinds.delete(kind);
  }
}
