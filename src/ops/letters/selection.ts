/** Owns the words that choose dead letters: since when, which ids. */

import { parseDuration } from "../../base/mod.ts";
import { EventboatError } from "../../diagnostics/mod.ts";
import { integer, list, optional, text } from "../../schema/mod.ts";

/** Ids one call may name. */
export const LETTER_IDS_MAX = 100_000;
/** Messages one call may ask for. */
export const LIMIT_MAX = 100_000_000;
/** Messages one call gives or replays unless it says otherwise. */
export const LIMIT_DEFAULT = 100;

const TIME_REGEXP = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** How dead letters are chosen, wherever they are. */
export const selectionFields = {
  since: optional(text({
    description: "Only what became a dead letter since: a duration such as 2h, counted back from now, or a time.",
  })),
  where: optional(text({ description: "A CEL condition over payload, meta and letter." })),
  ids: optional(list(integer({ description: "A letter's id.", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
    description: "Only these letters.",
    maxItems: LETTER_IDS_MAX,
  })),
};

/** The number of messages at most. */
export const limitField = integer({
  description: "Messages at most.",
  default: LIMIT_DEFAULT,
  minimum: 1,
  maximum: LIMIT_MAX,
});

/** Milliseconds since the epoch of a duration before now, or of a time. @throws {EventboatError} `usage` */
export function sinceMsOf(since: string, nowMs: number): number {
  const durationMs = parseDuration(since);
  if (durationMs !== undefined) return nowMs - durationMs;
  const timeMs = TIME_REGEXP.test(since) ? Date.parse(since) : Number.NaN;
  if (Number.isFinite(timeMs)) return timeMs;
  throw new EventboatError("usage", `since when is told by a duration or a time, found ${JSON.stringify(since)}`, {
    hint: "such as 90m, 7d, 2026-03-01, 2026-03-01T12:00:00Z",
  });
}
