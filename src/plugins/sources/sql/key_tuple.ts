/** Owns the key of a row: its values, whether two are the same to the database, and their form in the state. */

import type { SqlColumn, SqlRow, SqlValue } from "../../shared/sql/sql_connection.ts";

/** A value of a key: never null. */
export type KeyValue = Exclude<SqlValue, null>;

/** The values of a row's key, in the order of its columns. */
export type KeyTuple = readonly KeyValue[];

/** A place in a result: a key, with the types of its columns. */
export interface Position {
  readonly types: readonly string[];
  readonly tuple: KeyTuple;
}

/** Whether two keys are one to the database; `ask`: only it can say. */
export type Sameness = "same" | "different" | "ask";

const ZEROS_AT_END_REGEXP = /\.?0+$/;
const DECIMAL_REGEXP = /^(-?)0*(\d+(?:\.\d*)?)$/;

/** The key of a row. `indexes` are the places of its columns. Undefined where one is NULL. */
export function tupleOf(row: SqlRow, indexes: readonly number[]): KeyTuple | undefined {
  const tuple: KeyValue[] = [];
  for (const index of indexes) {
    const value = row[index];
    if (value === null || value === undefined) return undefined;
    tuple.push(value);
  }
  return tuple;
}

/** Compares two keys, as far as that can be done without the database. */
export function sameness(a: KeyTuple, b: KeyTuple, columns: readonly SqlColumn[]): Sameness {
  let found: Sameness = "same";
  for (const [i, column] of columns.entries()) {
    const each = sameValue(a[i] ?? "", b[i] ?? "", column);
    if (each === "different") return "different";
    if (each === "ask") found = "ask";
  }
  return found;
}

function sameValue(a: KeyValue, b: KeyValue, { family }: SqlColumn): Sameness {
  if (a === b) return "same";
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    return a.length === b.length && a.every((byte, i) => byte === b[i]) ? "same" : "different";
  }
  // A database's own integers and floats: a double equals an integer where their values do.
  if (typeof a !== "string" && typeof b !== "string") return a == b ? "same" : "different";
  if (typeof a !== "string" || typeof b !== "string") return "ask";
  if (family === "text") return "ask";
  if (family === "number") return plainNumber(a) === plainNumber(b) ? "same" : "different";
  return "different";
}

/** A number's text in one form: 1.0 and 1.00 as 1, other forms than decimals as doubles. */
function plainNumber(text: string): string {
  const match = DECIMAL_REGEXP.exec(text);
  if (match === null) return String(Number(text));
  const [, sign = "", digits = ""] = match;
  const short = digits.includes(".") ? digits.replace(ZEROS_AT_END_REGEXP, "") : digits;
  return short === "0" || short === "" ? "0" : sign + short;
}

/** A value as it stands in the state: how it is written, and its text. */
export type StoredValue = readonly ["text" | "integer" | "real" | "bytes" | "boolean", string];

/** Writes a value. */
export function storeValue(value: KeyValue): StoredValue {
  if (typeof value === "string") return ["text", value];
  if (typeof value === "bigint") return ["integer", String(value)];
  if (typeof value === "number") return ["real", String(value)];
  return typeof value === "boolean" ? ["boolean", String(value)] : ["bytes", value.toBase64()];
}

/** Reads a value; undefined where it is none. */
export function restoreValue(stored: unknown): KeyValue | undefined {
  if (!Array.isArray(stored) || typeof stored[1] !== "string") return undefined;
  const [form, text]: readonly [unknown, string] = [stored[0], stored[1]];
  try {
    if (form === "text") return text;
    if (form === "integer") return BigInt(text);
    if (form === "real") return Number(text);
    if (form === "boolean") return text === "true";
    return form === "bytes" ? Uint8Array.fromBase64(text) : undefined;
  } catch {
    // No number, no base64: written by nobody who knows this form.
    return undefined;
  }
}

/** A value for messages and `meta`: the database's own text, bytes in base64. */
export function valueText(value: SqlValue): string {
  return value instanceof Uint8Array ? value.toBase64() : String(value);
}
