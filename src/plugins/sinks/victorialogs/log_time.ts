/** Owns which times the server reads: those of RFC 3339 and its relatives, and seconds since 1970 or parts of them. */

/** What the server takes for "now". */
const NOW: ReadonlySet<unknown> = new Set(["", "0", "-"]);

const CALENDAR_REGEXP = /^(\d{4})-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.?\d{1,9}|\.)?(Z|[+-](\d{2}):?(\d{2}))?$/;
const YEAR_RANGE = { first: 1677, last: 2262 };
const OFFSET_RANGE = { hours: 24, minutes: 60 };

/** Digits with a fraction or a power of ten, such as 1767225600, 1767225600.123 and 1.7672256e9. */
const UNIX_REGEXP = /^[+-]?\d{1,19}(?:\.(\d{1,18}))?(?:[eE]\+?(\d{1,2}))?$/;
const POWER_MAX = 18;
const INT64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };

/** Whether the server finds a time in a field of this value. What has none is stored with the time of its arrival. */
export function readableTime(value: unknown): boolean {
  if (typeof value !== "string" && typeof value !== "number") return false;
  const text = String(value);
  if (NOW.has(text)) return true;
  return text[4] === "-" ? isCalendarTime(text) : isUnixTime(text);
}

function isCalendarTime(text: string): boolean {
  const match = CALENDAR_REGEXP.exec(text);
  if (match === null) return false;
  const [, year, , hours, minutes] = match;
  if (Number(year) < YEAR_RANGE.first || Number(year) > YEAR_RANGE.last) return false;
  return Number(hours ?? 0) <= OFFSET_RANGE.hours && Number(minutes ?? 0) <= OFFSET_RANGE.minutes;
}

/** All its digits, shifted to a whole number, have to fit 64 bits. */
function isUnixTime(text: string): boolean {
  const match = UNIX_REGEXP.exec(text);
  if (match === null) return false;
  const [, fraction = "", power] = match;
  if (power !== undefined && (Number(power) < fraction.length || Number(power) > POWER_MAX)) return false;
  const digits = BigInt(text.replace(/[eE].*$/, "").replace(".", "").replace("+", ""));
  const zeros = power !== undefined
    ? Number(power) - fraction.length
    // The server reads thousandths, millionths or billionths.
    : (3 - fraction.length % 3) % 3;
  const whole = digits * 10n ** BigInt(zeros);
  return whole >= INT64.least && whole <= INT64.most;
}
