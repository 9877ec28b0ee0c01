/** Owns how metadata becomes text and back without losing a bigint. */

import type { MetaValue } from "../message/mod.ts";

/** First letter of the tagged form; plain JSON never begins with it. */
const TAGGED = "b";
const BIGINT_KEY = "$bigint";
const OBJECT_KEY = "$object";

/**
 * Prints a value as JSON; where it holds a bigint, as JSON with tags behind the letter `b`. Plain JSON is the rule and
 * costs one native call; tags are for the rare exact integer.
 */
export function printMeta(value: MetaValue): string {
  try {
    return JSON.stringify(value);
  } catch (caught) {
    // JSON.stringify throws a TypeError on a bigint, and only there for what a MetaValue can be.
    if (!(caught instanceof TypeError)) throw caught;
    return TAGGED + JSON.stringify(tag(value));
  }
}

/** Reads what {@linkcode printMeta} printed. Throws a SyntaxError on anything else. */
export function parseMeta(text: string): MetaValue {
  return text.startsWith(TAGGED) ? untag(JSON.parse(text.slice(TAGGED.length))) : JSON.parse(text);
}

function isObject(value: MetaValue): value is { readonly [key: string]: MetaValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function tag(value: MetaValue): MetaValue {
  if (typeof value === "bigint") return { [BIGINT_KEY]: String(value) };
  if (Array.isArray(value)) return value.map(tag);
  if (!isObject(value)) return value;
  const tagged = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, tag(inner)]));
  // An object of the user's that looks like a tag is wrapped, so that it comes back as it was.
  return Object.hasOwn(value, BIGINT_KEY) || Object.hasOwn(value, OBJECT_KEY) ? { [OBJECT_KEY]: tagged } : tagged;
}

function untag(value: MetaValue): MetaValue {
  if (Array.isArray(value)) return value.map(untag);
  if (!isObject(value)) return value;
  const digits = Object.hasOwn(value, BIGINT_KEY) ? value[BIGINT_KEY] : undefined;
  if (typeof digits === "string") return BigInt(digits);
  const wrapped = Object.hasOwn(value, OBJECT_KEY) ? value[OBJECT_KEY] : undefined;
  const entries = Object.entries(wrapped !== undefined && isObject(wrapped) ? wrapped : value);
  return Object.fromEntries(entries.map(([key, inner]) => [key, untag(inner)]));
}
