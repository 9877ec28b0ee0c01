/** Owns what a time zone does to time: its offset at an instant, its changes, and the instants of a wall-clock time. */

import { didYouMean } from "./suggestion.ts";

/** Zones change at most once within this span, and by no more than it. */
const DAY_MS = 86_400_000;
const SECOND_MS = 1000;

const FORMAT: Intl.DateTimeFormatOptions = {
  calendar: "iso8601",
  numberingSystem: "latn",
  hourCycle: "h23",
  era: "short",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
};

/** Whether the platform knows a time zone of this name, such as `Europe/Berlin`. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: zone });
    return true;
  } catch {
    // The constructor throws for an unknown zone and for nothing else here.
    return false;
  }
}

/** What was probably meant by the name of an unknown time zone, or how such names look. */
export function timeZoneHint(zone: string): string {
  return didYouMean(zone, ["UTC", ...Intl.supportedValuesOf("timeZone")]) ?? "an IANA name such as Europe/Berlin";
}

/**
 * A time zone. Wall-clock times are written as the milliseconds that the same reading of the clock would have in UTC,
 * so that calendar arithmetic is arithmetic in UTC. The zone of the machine plays no part.
 */
export class ZoneTime {
  /** The zone's name, as given. */
  readonly zone: string;
  readonly #format: Intl.DateTimeFormat;

  /**
   * @param zone an IANA name such as `Europe/Berlin`
   * @throws {RangeError} when there is no such zone
   */
  constructor(zone: string) {
    this.zone = zone;
    this.#format = new Intl.DateTimeFormat("en-US", { ...FORMAT, timeZone: zone });
  }

  /** How far the wall clock is ahead of UTC at an instant, in milliseconds. */
  offsetAt(instantMs: number): number {
    const wholeMs = Math.floor(instantMs / SECOND_MS) * SECOND_MS;
    const field = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
    for (const { type, value } of this.#format.formatToParts(wholeMs)) {
      if (type in field) field[type as keyof typeof field] = Number(value); // `in` has just shown it.
    }
    return Date.UTC(field.year, field.month - 1, field.day, field.hour, field.minute, field.second) - wholeMs;
  }

  /** The wall-clock time at an instant. */
  wallAt(instantMs: number): number {
    return instantMs + this.offsetAt(instantMs);
  }

  /** The first instant in (`fromMs`, `toMs`] whose offset differs from the one at `fromMs`, or undefined. */
  nextChange(fromMs: number, toMs: number): number | undefined {
    const offsetMs = this.offsetAt(fromMs);
    for (let lowMs = fromMs; lowMs < toMs;) {
      const highMs = Math.min(lowMs + DAY_MS, toMs);
      if (this.offsetAt(highMs) !== offsetMs) return this.#firstOther(lowMs, highMs, offsetMs);
      lowMs = highMs;
    }
    return undefined;
  }

  /**
   * The first instant at which the wall clock reads `wallMs`. Where a change of the clock skips that reading, the
   * instant of the change: right after the gap. Undefined in a gap of a day or more: zones that crossed the date line
   * left out whole dates.
   */
  firstInstantOf(wallMs: number): number | undefined {
    const beforeMs = this.offsetAt(wallMs - DAY_MS);
    const afterMs = this.offsetAt(wallMs + DAY_MS);
    // The larger offset gives the earlier instant.
    const [largerMs, smallerMs] = beforeMs > afterMs ? [beforeMs, afterMs] : [afterMs, beforeMs];
    for (const offsetMs of [largerMs, smallerMs]) {
      if (this.offsetAt(wallMs - offsetMs) === offsetMs) return wallMs - offsetMs;
    }
    if (largerMs - smallerMs >= DAY_MS) return undefined;
    return this.nextChange(wallMs - largerMs - SECOND_MS, wallMs - smallerMs + SECOND_MS);
  }

  #firstOther(sameMs: number, otherMs: number, offsetMs: number): number {
    let [low, high] = [sameMs, otherMs];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offsetAt(middle) === offsetMs) low = middle;
      else high = middle;
    }
    return high;
  }
}
