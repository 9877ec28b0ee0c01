/** Owns cron expressions: reading one, and when it is next due. */

import type { Cron } from "croner";
import { cronTrouble, readCron } from "./cron_fields.ts";
import { isTimeZone, timeZoneHint, ZoneTime } from "./zone_time.ts";

/** Most candidates looked at for one answer: an overlap of clocks holds a few hours of minutes. */
const CANDIDATES_MAX = 5000;
/** A skipped time is not made up for where the expression is due again within this span after the gap. */
const MADE_UP_WITHIN_MS = 3_600_000;
/** A field that begins like this follows elapsed time, not the wall clock. */
const INTERVAL_REGEXP = /^[*?]/;
const BLANK_REGEXP = /\s+/;

/** What is wrong with a schedule. */
export interface CronProblem {
  readonly part: "expression" | "timezone";
  /** What is required and what was found, as a sentence whose subject is still to come: "must be ...". */
  readonly message: string;
  readonly hint: string;
}

/** What reading an expression gives: the schedule, or everything that is wrong with it. */
export type ParsedCron =
  | { readonly ok: true; readonly schedule: CronSchedule }
  | { readonly ok: false; readonly problems: readonly CronProblem[] };

/**
 * Reads a cron expression of five fields (minute, hour, day of month, month, day of week; `@daily` and its like too)
 * for an IANA time zone. One that is never due, such as February 31, is refused.
 */
export function parseCron(expression: string, zone: string): ParsedCron {
  const cron = readExpression(expression);
  const problems = [...("part" in cron ? [cron] : []), ...zoneProblems(zone)];
  if ("part" in cron || problems.length > 0) return { ok: false, problems };
  return { ok: true, schedule: new CronSchedule(expression, new ZoneTime(zone), cron) };
}

/** Read as if in UTC: croner finds readings of the wall clock, and when those are is decided here. */
function readExpression(expression: string): Cron | CronProblem {
  const cron = readCron(expression);
  if (cron !== undefined && cron.nextRun(new Date(0)) !== null) return cron;
  const why = cron === undefined ? cronTrouble(expression) : "no date ever matches it";
  return {
    part: "expression",
    message: `must be a cron expression of five fields, found ${JSON.stringify(expression)}: ${why}`,
    hint: 'minute, hour, day of month, month, day of week: such as "0 1 * * *"',
  };
}

function zoneProblems(zone: string): readonly CronProblem[] {
  if (isTimeZone(zone)) return [];
  const message = `must be a known IANA time zone, found ${JSON.stringify(zone)}`;
  return [{ part: "timezone", message, hint: timeZoneHint(zone) }];
}

/**
 * When something is due, by the wall clock of its zone. Where the clocks change:
 *
 * - A fixed time that is skipped is due once, right after the gap, unless the expression is due again within the hour
 *   that follows. One that comes twice is due at the first of the two.
 * - An expression whose hour is `*`, with a step or without, follows elapsed time: it is due in both passes of a
 *   repeated hour and not in a skipped one.
 * - A date that a zone has left out as a whole is no date at all.
 */
export class CronSchedule {
  /** The expression as it was given. */
  readonly expression: string;
  readonly #time: ZoneTime;
  readonly #cron: Cron;
  readonly #followsElapsedTime: boolean;

  /** Made by {@linkcode parseCron}. */
  constructor(expression: string, time: ZoneTime, cron: Cron) {
    this.expression = expression;
    this.#time = time;
    this.#cron = cron;
    this.#followsElapsedTime = INTERVAL_REGEXP.test(expression.trim().split(BLANK_REGEXP)[1] ?? "");
  }

  /** The zone whose wall clock counts. */
  get zone(): string {
    return this.#time.zone;
  }

  /** The first due instant later than `afterMs` (milliseconds since the epoch), or undefined when there is none. */
  next(afterMs: number): number | undefined {
    return this.#followsElapsedTime ? this.#nextElapsed(afterMs) : this.#nextFixed(afterMs);
  }

  #nextFixed(afterMs: number): number | undefined {
    let wallMs = this.#nextWall(this.#time.wallAt(afterMs));
    for (let candidates = 0; candidates < CANDIDATES_MAX && wallMs !== undefined; candidates++) {
      const dueMs = this.#time.firstInstantOf(wallMs);
      // In the second pass of a repeated hour the readings ahead have been due already, in the first.
      if (dueMs !== undefined && dueMs > afterMs && !this.#isMadeUpFor(wallMs, dueMs)) return dueMs;
      wallMs = this.#nextWall(wallMs);
    }
    return undefined;
  }

  /** Whether the reading was skipped and a later one comes so soon after the gap that it stands for both. */
  #isMadeUpFor(wallMs: number, dueMs: number): boolean {
    const resumedMs = this.#time.wallAt(dueMs);
    if (resumedMs === wallMs) return false;
    const nextMs = this.#nextWall(resumedMs - 1);
    return nextMs !== undefined && nextMs > resumedMs && nextMs - resumedMs <= MADE_UP_WITHIN_MS;
  }

  #nextElapsed(afterMs: number): number | undefined {
    let fromMs = afterMs;
    let wallMs = this.#nextWall(this.#time.wallAt(fromMs));
    for (let candidates = 0; candidates < CANDIDATES_MAX && wallMs !== undefined; candidates++) {
      const dueMs = wallMs - this.#time.offsetAt(fromMs);
      const changeMs = this.#time.nextChange(fromMs, dueMs);
      if (changeMs === undefined) return dueMs;
      // The clock is set before that: go on from there by its new reading, the first instant of which counts too.
      fromMs = changeMs;
      wallMs = this.#nextWall(this.#time.wallAt(changeMs) - 1);
    }
    return undefined;
  }

  /** The next reading of the wall clock that matches, later than `wallMs`. */
  #nextWall(wallMs: number): number | undefined {
    return this.#cron.nextRun(new Date(wallMs))?.getTime();
  }
}
