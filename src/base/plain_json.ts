/** Owns values of languages as JSON shows them. */

import { Buffer } from "node:buffer";
import type { Data } from "./data.ts";

/**
 * A value that JSON has a form for: bytes as base64 text, a map with keys other than strings as a list of pairs, NaN and
 * the infinities by name. Plain data stays as it is, integers beyond 2^53 as bigint.
 */
export function plainJson(value: unknown): Data {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object" || value === null) return value as Data;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(plainJson);
  if (value instanceof Map) return [...value].map(([key, each]) => [plainJson(key), plainJson(each)]);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plainJson(each)]));
}
