/** Owns the part of ECMAScript's JSON that TypeScript's library does not declare yet: numbers by their source text. */

interface SourceTextJson {
  /** Hands the reviver the source text of each primitive value. */
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  /** A value that `stringify` writes as this very text. */
  rawJSON(text: string): unknown;
}

/** The platform's JSON with numbers by their source text. */
export const sourceTextJson: SourceTextJson = JSON as JSON & SourceTextJson;

/** JSON text in which integers beyond 2^53, which are bigint, stand with all their digits. `indent` counts spaces. */
export function exactJson(value: unknown, indent = 0): string {
  return JSON.stringify(
    value,
    (_key, each) => typeof each === "bigint" ? sourceTextJson.rawJSON(String(each)) : each,
    indent,
  );
}
