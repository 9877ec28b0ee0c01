/** Owns how a value that is not what it must be is told, to follow "found". */

/** What a value is. Texts are not quoted: they may hold secrets. */
export function foundText(value: unknown): string {
  if (value === null || value === undefined) return "nothing (null)";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  if (typeof value === "string") return value === "" ? "an empty text" : "text";
  return typeof value === "boolean" ? `${value}` : `the number ${value}`;
}
