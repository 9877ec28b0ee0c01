/** Owns timestamps and durations: their text, their ranges and the fields read from them. */

import { CelDuration, CelFailure, CelTimestamp, INT_MAX, INT_MIN, quoteShort } from "./value.ts";

const NANOS_PER_SECOND = 1_000_000_000n;
const NANOS_PER_MILLISECOND = 1_000_000n;
const MILLISECONDS_PER_DAY = 86_400_000;
const MILLISECONDS_PER_MINUTE = 60_000;
/** 0001-01-01T00:00:00Z. */
const TIMESTAMP_NANOS_MIN = -62_135_596_800n * NANOS_PER_SECOND;
/** 9999-12-31T23:59:59.999999999Z. */
const TIMESTAMP_NANOS_MAX = 253_402_300_800n * NANOS_PER_SECOND - 1n;
const DURATION_TEXT_UNITS_MAX = 128;
const FRACTION_DIGITS = 9;

const TIMESTAMP_REGEXP =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const DURATION_PART_REGEXP = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;
const FIXED_ZONE_REGEXP = /^([+-]?)(\d\d):(\d\d)$/;
const LONG_OFFSET_REGEXP = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

const NANOS_PER_UNIT: { readonly [unit: string]: bigint } = {
  ns: 1n,
  us: 1_000n,
  "µs": 1_000n,
  "μs": 1_000n,
  ms: NANOS_PER_MILLISECOND,
  s: NANOS_PER_SECOND,
  m: 60n * NANOS_PER_SECOND,
  h: 3_600n * NANOS_PER_SECOND,
};

/** A timestamp, or the failure when it lies outside the years 1 to 9999. */
export function timestampOf(nanos: bigint, at: number): CelTimestamp | CelFailure {
  if (nanos >= TIMESTAMP_NANOS_MIN && nanos <= TIMESTAMP_NANOS_MAX) return new CelTimestamp(nanos);
  return new CelFailure("a timestamp must lie in the years 1 to 9999", at);
}

/** A duration, or the failure when it does not fit 64 bits of nanoseconds. */
export function durationOf(nanos: bigint, at: number): CelDuration | CelFailure {
  if (nanos >= INT_MIN && nanos <= INT_MAX) return new CelDuration(nanos);
  return new CelFailure("a duration must fit 64 bits of nanoseconds (about 292 years)", at);
}

/** Whole seconds since 1970, rounded down. */
export function timestampSeconds(value: CelTimestamp): bigint {
  return floorDivide(value.nanos, NANOS_PER_SECOND);
}

/** Whole seconds of a duration, rounded towards zero. */
export function durationSeconds(value: CelDuration): bigint {
  return value.nanos / NANOS_PER_SECOND;
}

/** The timestamp that lies `seconds` after 1970. */
export function timestampFromSeconds(seconds: bigint, at: number): CelTimestamp | CelFailure {
  return timestampOf(seconds * NANOS_PER_SECOND, at);
}

/** The duration of `seconds`. */
export function durationFromSeconds(seconds: bigint, at: number): CelDuration | CelFailure {
  return durationOf(seconds * NANOS_PER_SECOND, at);
}

/** Reads an RFC 3339 timestamp. A day that its month does not have is refused. */
export function parseTimestamp(text: string, at: number): CelTimestamp | CelFailure {
  const parts = TIMESTAMP_REGEXP.exec(text);
  if (parts === null) return badTimestamp(text, at);
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as Six;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const isSame = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day &&
    date.getUTCHours() === hour && date.getUTCMinutes() === minute && date.getUTCSeconds() === second;
  if (!isSame) return badTimestamp(text, at);
  const offsetMinutes = (parts[8] === "-" ? -1 : 1) * (Number(parts[9] ?? 0) * 60 + Number(parts[10] ?? 0));
  const milliseconds = date.getTime() - offsetMinutes * MILLISECONDS_PER_MINUTE;
  const fraction = BigInt((parts[7] ?? "").padEnd(FRACTION_DIGITS, "0"));
  return timestampOf(BigInt(milliseconds) * NANOS_PER_MILLISECOND + fraction, at);
}

type Six = [number, number, number, number, number, number];

function badTimestamp(text: string, at: number): CelFailure {
  return new CelFailure(`${quoteShort(text)} is no timestamp such as 2026-01-31T08:00:00Z`, at);
}

/** A timestamp as RFC 3339 text in UTC, with a fraction of 3, 6 or 9 digits where there is one. */
export function formatTimestamp(value: CelTimestamp): string {
  const date = new Date(Number(timestampSeconds(value)) * 1_000);
  const nanos = value.nanos - timestampSeconds(value) * NANOS_PER_SECOND;
  return `${date.toISOString().slice(0, "0001-01-01T00:00:00".length)}${formatFraction(nanos)}Z`;
}

/** Reads a duration such as `1h30m`, `-1.5s` or `0`. */
export function parseDuration(text: string, at: number): CelDuration | CelFailure {
  const sign = text.startsWith("-") ? -1n : 1n;
  const digits = /^[+-]/.test(text) ? text.slice(1) : text;
  if (digits === "0") return new CelDuration(0n);
  if (text.length > DURATION_TEXT_UNITS_MAX || digits === "") return badDuration(text, at);
  let nanos = 0n;
  let position = 0;
  while (position < digits.length) {
    DURATION_PART_REGEXP.lastIndex = position;
    const part = DURATION_PART_REGEXP.exec(digits);
    const whole = part?.[1] ?? "";
    const fraction = part?.[2] ?? "";
    const unit = NANOS_PER_UNIT[part?.[3] ?? ""];
    if (part === null || unit === undefined || whole + fraction === "") return badDuration(text, at);
    nanos += BigInt(whole === "" ? 0 : whole) * unit;
    if (fraction !== "") nanos += BigInt(fraction) * unit / 10n ** BigInt(fraction.length);
    position += part[0].length;
  }
  return durationOf(sign * nanos, at);
}

function badDuration(text: string, at: number): CelFailure {
  return new CelFailure(`${quoteShort(text)} is no duration such as 1h30m or 1.5s`, at);
}

/** A duration in seconds, such as `90s` or `-1.500s`. */
export function formatDuration(value: CelDuration): string {
  const isNegative = value.nanos < 0n;
  const nanos = isNegative ? -value.nanos : value.nanos;
  return `${isNegative ? "-" : ""}${nanos / NANOS_PER_SECOND}${formatFraction(nanos % NANOS_PER_SECOND)}s`;
}

function formatFraction(nanos: bigint): string {
  if (nanos === 0n) return "";
  const digits = String(nanos).padStart(FRACTION_DIGITS, "0");
  if (digits.endsWith("000000")) return `.${digits.slice(0, 3)}`;
  return digits.endsWith("000") ? `.${digits.slice(0, 6)}` : `.${digits}`;
}

/** The fields of a timestamp, all from a date whose UTC fields are those of the zone. */
export const TIMESTAMP_FIELDS: { readonly [method: string]: (local: Date) => number } = {
  getFullYear: (local) => local.getUTCFullYear(),
  getMonth: (local) => local.getUTCMonth(),
  getDate: (local) => local.getUTCDate(),
  getDayOfMonth: (local) => local.getUTCDate() - 1,
  getDayOfWeek: (local) => local.getUTCDay(),
  getDayOfYear: (local) => {
    const newYear = new Date(local.getTime());
    newYear.setUTCMonth(0, 1);
    return Math.round((local.getTime() - newYear.getTime()) / MILLISECONDS_PER_DAY);
  },
  getHours: (local) => local.getUTCHours(),
  getMinutes: (local) => local.getUTCMinutes(),
  getSeconds: (local) => local.getUTCSeconds(),
  getMilliseconds: (local) => local.getUTCMilliseconds(),
};

/** The fields of a duration: hours, minutes and seconds of the whole span, but only the milliseconds beyond the second. */
export const DURATION_FIELDS: { readonly [method: string]: (value: CelDuration) => bigint } = {
  getHours: (value) => value.nanos / (3_600n * NANOS_PER_SECOND),
  getMinutes: (value) => value.nanos / (60n * NANOS_PER_SECOND),
  getSeconds: durationSeconds,
  getMilliseconds: (value) => value.nanos % NANOS_PER_SECOND / NANOS_PER_MILLISECOND,
};

/** Reads fields of timestamps in time zones. Keeps a formatter for each of the zones it met last. */
export class CelZones {
  static readonly #ZONES_MAX = 32;
  /** No zone has a name as long. */
  static readonly #NAME_UNITS_MAX = 64;
  readonly #formatters = new Map<string, Intl.DateTimeFormat>();

  /** Whether the fields of a zone can be read without reading it in. */
  isAtHand(zone: string): boolean {
    return zone === "UTC" || this.#formatters.has(zone) || FIXED_ZONE_REGEXP.test(zone);
  }

  /** A field of a timestamp; `zone` is an IANA name or a fixed offset such as `+02:00`. */
  read(value: CelTimestamp, method: string, zone: string, at: number): bigint | CelFailure {
    const field = TIMESTAMP_FIELDS[method];
    const utc = Number(floorDivide(value.nanos, NANOS_PER_MILLISECOND));
    const offset = zone === "UTC" ? 0 : this.#offset(utc, zone);
    if (field === undefined || offset === undefined) {
      return new CelFailure(`${quoteShort(zone)} is no time zone such as Europe/Berlin or +02:00`, at);
    }
    return BigInt(field(new Date(utc + offset)));
  }

  #offset(utc: number, zone: string): number | undefined {
    const fixed = FIXED_ZONE_REGEXP.exec(zone);
    if (fixed !== null) return offsetMilliseconds(fixed);
    const name = this.#formatter(zone)?.formatToParts(utc).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const parts = LONG_OFFSET_REGEXP.exec(name);
    return parts === null ? undefined : offsetMilliseconds(parts);
  }

  #formatter(zone: string): Intl.DateTimeFormat | undefined {
    const known = this.#formatters.get(zone);
    if (known !== undefined) return known;
    if (zone.length > CelZones.#NAME_UNITS_MAX) return undefined;
    if (this.#formatters.size >= CelZones.#ZONES_MAX) this.#formatters.clear();
    try {
      const made = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
      this.#formatters.set(zone, made);
      return made;
    } catch {
      // The constructor throws for an unknown zone and for nothing else here.
      return undefined;
    }
  }
}

function offsetMilliseconds(parts: RegExpExecArray): number {
  const minutes = Number(parts[2] ?? 0) * 60 + Number(parts[3] ?? 0);
  const size = minutes * MILLISECONDS_PER_MINUTE + Number(parts[4] ?? 0) * 1_000;
  return parts[1] === "-" ? -size : size;
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}
