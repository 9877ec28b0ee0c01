/** Owns values of languages as JSON shows them. */

import { Buffer } from "node:buffer";
import type { Data } from "./data.ts";

/** How deep values are shown: whatever walks or prints what is shown has room for so many levels. */
const SHOWN_LEVELS_MAX = 500;
const DEEPER = `... (more than ${SHOWN_LEVELS_MAX} levels deep)`;

/**
 * A value that JSON has a form for: bytes as base64 text, a map with keys other than strings as a list of pairs, NaN and
 * the infinities by name. Plain data stays as it is, integers beyond 2^53 as bigint. What is nested deeper than 500
 * levels is a text that says so, or what `deeper` makes of it.
 */
export function plainJson(value: unknown, deeper: () => Data = () => DEEPER): Data {
  return plainAt(value, 0, deeper);
}

function plainAt(value: unknown, level: number, deeper: () => Data): Data {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object" || value === null) return value as Data;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (level >= SHOWN_LEVELS_MAX) return deeper();
  const inner = (each: unknown) => plainAt(each, level + 1, deeper);
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Map) return [...value].map(([key, each]) => [inner(key), inner(each)]);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inner(each)]));
}
