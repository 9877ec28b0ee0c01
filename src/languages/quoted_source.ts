/** Owns how an error message quotes the expression it is about. */

/** Longest part of an expression that is quoted. */
const QUOTED_UNITS_MAX = 80;

/** The text of an expression on one line, cut where it is long. */
export function quotedSource(source: string): string {
  const line = source.replace(/\s+/g, " ").trim();
  return `\`${line.length > QUOTED_UNITS_MAX ? `${line.slice(0, QUOTED_UNITS_MAX)}…` : line}\``;
}
