/** Owns durations as text: `500ms`, `10s`, `1h30m`, `90d`. */

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const DURATION_REGEXP = /^(?:\d+(?:ms|s|m|h|d))+$/;
const DURATION_PART_REGEXP = /(\d+)(ms|s|m|h|d)/g;

/** The pattern of a duration's text, as JSON Schema wants it. */
export const DURATION_PATTERN = DURATION_REGEXP.source;

/**
 * Milliseconds of a duration's text: whole numbers with a unit (`ms`, `s`, `m`, `h`, `d`), or a sum of them. Undefined
 * where the text is no duration, or one too long to be counted exactly.
 */
export function parseDuration(text: string): number | undefined {
  if (!DURATION_REGEXP.test(text)) return undefined;
  let totalMs = 0;
  for (const [, count, unit] of text.matchAll(DURATION_PART_REGEXP)) {
    totalMs += Number(count) * (UNIT_MS[unit ?? ""] ?? Number.NaN);
  }
  return Number.isSafeInteger(totalMs) ? totalMs : undefined;
}

/** The shortest text of a duration: 5400000 is `1h30m`, 0 is `0ms`. Fractions of a millisecond are dropped. */
export function formatDuration(durationMs: number): string {
  let restMs = Math.trunc(durationMs);
  if (restMs <= 0) return "0ms";
  let text = "";
  for (const unit of ["d", "h", "m", "s", "ms"]) {
    const unitMs = UNIT_MS[unit] ?? 1;
    const count = Math.floor(restMs / unitMs);
    if (count > 0) text += `${count}${unit}`;
    restMs -= count * unitMs;
  }
  return text;
}
