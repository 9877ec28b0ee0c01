/** Owns why a text is no regular expression. */

const REPEATED_PATTERN_REGEXP = /^Invalid regular expression: \/.*\/[a-z]*: (.*)$/s;

/**
 * What the platform says of a pattern that it refused, without the pattern: the caller quotes that, or must not. Reads
 * its text because there is nothing else to read.
 */
export function regexpReason(caught: unknown): string {
  const text = caught instanceof Error ? caught.message : String(caught);
  const reason = REPEATED_PATTERN_REGEXP.exec(text)?.[1] ?? text;
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}
