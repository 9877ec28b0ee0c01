/** Owns the durable state of the source: a place in a result, bound to the query it is of. */

import { createHash } from "node:crypto";
import { EventboatError } from "../../../diagnostics/mod.ts";
import { SqlText } from "../../shared/sql/sql_text.ts";
import { type KeyValue, type Position, restoreValue, storeValue } from "./key_tuple.ts";
import { keyColumns, type SqlSourceConfig } from "./sql_config.ts";

const STATE_VERSION = 1;
const HASH_HEX_DIGITS = 32;

/** What was read last, and of what. */
export interface SqlState {
  /** Of {@linkcode queryHash}. */
  readonly query: string;
  readonly position: Position;
}

/**
 * What a position is bound to: driver, query, key. Blanks and comments do not count, nor do the values of `args`, which
 * may differ from run to run, nor the address.
 */
export function queryHash(config: SqlSourceConfig): string {
  const { driver, query } = config;
  const bound = JSON.stringify([driver, new SqlText(query, driver).normal, keyColumns(config)]);
  return createHash("sha256").update(bound).digest("hex").slice(0, HASH_HEX_DIGITS);
}

/** The state as bytes. `watermark` is the cursor's value as text, for whoever binds it to a parameter. */
export function encodeState({ query, position }: SqlState): Uint8Array<ArrayBuffer> {
  const { types, tuple } = position;
  const [first] = tuple;
  const watermark = first === undefined ? "" : storeValue(first)[1];
  const state = { version: STATE_VERSION, query, watermark, types, key: tuple.map(storeValue) };
  return new TextEncoder().encode(JSON.stringify(state));
}

/**
 * Reads a state.
 * @throws {EventboatError} `source_failed`: the bytes are no state of this source, or one of a newer program
 */
export function decodeState(bytes: Uint8Array): SqlState {
  let stored: unknown;
  try {
    stored = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw refusal("no JSON", cause);
  }
  const { version, query, types, key } = typeof stored === "object" && stored !== null
    ? stored as { readonly [name: string]: unknown }
    : {};
  const tuple = Array.isArray(key) ? key.map(restoreValue) : [];
  const whole = version === STATE_VERSION && typeof query === "string" && isTexts(types) &&
    tuple.length === types.length && tuple.length > 0 && tuple.every((value) => value !== undefined);
  if (!whole) throw refusal(`version ${JSON.stringify(version)}`);
  // Every one was looked at just now.
  return { query, position: { types, tuple: tuple as KeyValue[] } };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function refusal(found: string, cause?: unknown): EventboatError {
  const message =
    `reading the saved position: expected a sql source's state of version ${STATE_VERSION}, found ${found}`;
  return new EventboatError("source_failed", message, cause === undefined ? {} : { cause });
}
