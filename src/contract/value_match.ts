/** Owns the comparing of a value with what is expected of it: mappings as subsets, everything else exactly. */

import { type Data, exactJson } from "../base/mod.ts";

/** A value that is not as expected. */
export interface ValueDifference {
  /** Steps from the value that was compared; empty for itself. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

/** Longest text of a value in a report. */
const SHOWN_MAX = 400;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The text of what is not there. */
export const NOTHING = "nothing";

/** Expectations that are no plain value: a mapping of this one key. */
const MATCHES = "matches";
const ABSENT = "absent";

/** The pattern of a `{matches: PATTERN}`; undefined for anything else. */
export function patternOf(expected: Data): string | undefined {
  const only = onlyEntry(expected);
  return only?.[0] === MATCHES && typeof only[1] === "string" ? only[1] : undefined;
}

/** Whether the expectation is `{absent: true}`. */
function isAbsence(expected: Data): boolean {
  const only = onlyEntry(expected);
  return only?.[0] === ABSENT && only[1] === true;
}

function onlyEntry(expected: Data): readonly [string, Data] | undefined {
  if (!isMapping(expected)) return undefined;
  const [first, second] = Object.entries(expected);
  return second === undefined ? first : undefined;
}

/**
 * Everything in which a value is not as expected. Of mappings only the expected keys are looked at; lists have to be as
 * long, element by element. Numbers are equal where they are the same number, however they are kept.
 */
export function differencesOf(expected: Data, found: unknown, path = ""): readonly ValueDifference[] {
  const pattern = patternOf(expected);
  if (pattern !== undefined) return matchesPattern(pattern, found) ? [] : [difference(path, expected, found)];
  if (isAbsence(expected)) return found === undefined ? [] : [difference(path, expected, found)];
  if (isMapping(expected) && isMapping(found)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      differencesOf(value, Object.hasOwn(found, key) ? found[key] : undefined, `${path}.${key}`)
    );
  }
  if (isList(expected) && isList(found) && expected.length === found.length) {
    return expected.flatMap((value, index) => differencesOf(value, found[index], `${path}.${index}`));
  }
  return isSame(expected, found) ? [] : [difference(path, expected, found)];
}

function difference(path: string, expected: Data, found: unknown): ValueDifference {
  return { path, expected: expectedText(expected), found: valueText(found) };
}

/** An expectation as a report shows it. */
export function expectedText(expected: Data): string {
  const pattern = patternOf(expected);
  if (pattern !== undefined) return `text that matches ${pattern}`;
  return isAbsence(expected) ? NOTHING : valueText(expected);
}

/** A value as a report shows it: JSON in one line, shortened to so many characters. */
export function valueText(value: unknown, charactersMax = SHOWN_MAX): string {
  if (value === undefined) return NOTHING;
  const text = exactJson(plainValue(value)) ?? String(value);
  return text.length > charactersMax
    ? `${text.slice(0, charactersMax).toWellFormed()}... (${text.length} characters)`
    : text;
}

/** A value as JSON can say it: bytes as text where they are UTF-8, else as base64. */
export function plainValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return textOf(value) ?? { base64: value.toBase64() };
  if (isList(value)) return value.map(plainValue);
  if (isMapping(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainValue(one)]));
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return value;
}

function matchesPattern(pattern: string, found: unknown): boolean {
  const text = found instanceof Uint8Array ? textOf(found) : found;
  if (text === null || text === undefined || typeof text === "object") return false;
  return new RegExp(pattern, "u").test(String(text));
}

function isSame(expected: Data, found: unknown): boolean {
  if (isList(expected) && isList(found)) return false;
  if (isNumber(expected) && isNumber(found)) {
    // Compared as numbers of either kind: `==` between them is exact.
    // deno-lint-ignore eqeqeq -- a number and a bigint that are the same number are never `===`
    return expected == found || Object.is(expected, found);
  }
  return expected === (found instanceof Uint8Array ? textOf(found) : found);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    // Bytes that are no text are shown as such.
    return undefined;
  }
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function isList(value: unknown): value is readonly unknown[];
function isList(value: Data): value is readonly Data[];
function isList(value: unknown): boolean {
  return Array.isArray(value);
}

function isMapping(value: Data): value is { readonly [key: string]: Data };
function isMapping(value: unknown): value is { readonly [key: string]: unknown };
function isMapping(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}
