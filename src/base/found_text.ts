/** Owns how a value that is not what it must be is told, to follow "found". */

/** Longest text that is quoted. */
const QUOTED_LENGTH_MAX = 60;
const CREDENTIALS_REGEXP = /\/\/[^\s/@]*@/g;

/** What a value is, a text in quotes: only for what the environment has no share in, or where a caller takes care. */
export function foundValue(value: unknown): string {
  return typeof value === "string" && value !== "" ? quotedText(value) : foundText(value);
}

/** A text in quotes, shortened where it is long, without what a URL says of a user and password. */
export function quotedText(text: string): string {
  const shown = text.replaceAll(CREDENTIALS_REGEXP, "//...@");
  return JSON.stringify(shown.length > QUOTED_LENGTH_MAX ? `${shown.slice(0, QUOTED_LENGTH_MAX)}...` : shown);
}

/** What a value is. Texts are not quoted: they may hold secrets. */
export function foundText(value: unknown): string {
  if (value === null || value === undefined) return "nothing (null)";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  if (typeof value === "string") return value === "" ? "an empty text" : "text";
  return typeof value === "boolean" ? `${value}` : `the number ${value}`;
}
