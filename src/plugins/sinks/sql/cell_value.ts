/** Owns a payload's values as values of a column, or what is wrong with them. */

import { exactJson } from "../../../base/mod.ts";
import { foundInPayload } from "../../shared/found_in_payload.ts";
import { type ArrayElements, arrayText } from "../../shared/sql/postgres_array.ts";
import type { SqlDriver, SqlValue } from "../../shared/sql/sql_connection.ts";
import type { ColumnKind } from "./table_columns.ts";

/** A value that no attempt can write; the message follows the column's name. */
export class CellError extends Error {
  override readonly name = "CellError";
}

const MOMENT_REGEXP = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d(?::?\d\d)?)?$/i;
const MINUTE_MS = 60_000;
const OFFSET_REGEXP = /^([+-])(\d\d):?(\d\d)?$/;
const NUL = "\0";

/** A value for a column of that kind. @throws {CellError} */
export function cellValue(value: unknown, kind: ColumnKind, driver: SqlDriver): SqlValue {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case "json":
      return storable(json(value), driver);
    case "bytes":
      return bytes(value);
    case "array":
      return Array.isArray(value) ? storable(arrayText(elements(value)), driver) : plainValue(value, driver);
    case "moment":
      return typeof value === "string" ? moment(value) : plainValue(value, driver);
    case "plain":
      return plainValue(value, driver);
  }
}

/** A value for a place whose type only the database knows: lists and mappings as JSON text. @throws {CellError} */
export function plainValue(value: unknown, driver: SqlDriver): SqlValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return storable(value, driver);
  if (typeof value === "boolean" || typeof value === "bigint") return value;
  if (typeof value === "number") {
    // The others would take it for NULL, or for a column of that name.
    if (!Number.isFinite(value) && driver !== "postgres") throw new CellError(`is ${value}, which ${driver} has not`);
    return value;
  }
  if (value instanceof Uint8Array) return value;
  if (typeof value === "object") return storable(json(value), driver);
  throw new CellError(`is ${foundInPayload(value)}, which no column holds`);
}

function json(value: unknown): string {
  try {
    return exactJson(value);
  } catch {
    throw new CellError("is nested too deeply, or holds what JSON cannot say");
  }
}

function storable(text: string, driver: SqlDriver): string {
  if (driver === "postgres" && text.includes(NUL)) {
    throw new CellError("holds a zero byte, which no text of postgres may");
  }
  if (!text.isWellFormed()) throw new CellError("is no well-formed text");
  return text;
}

function bytes(value: unknown): SqlValue {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== "string") throw new CellError(`must be bytes, or base64, and is ${foundInPayload(value)}`);
  try {
    return Uint8Array.fromBase64(value);
  } catch {
    throw new CellError("must be bytes, or base64, and is other text");
  }
}

function elements(values: readonly unknown[]): ArrayElements {
  return values.map((each) => {
    if (each === null || each === undefined) return null;
    if (Array.isArray(each)) return elements(each);
    if (each instanceof Uint8Array) return `\\x${each.toHex()}`;
    return typeof each === "object" ? json(each) : String(each);
  });
}

/** ISO 8601 in the form that MySQL reads; with an offset, the same moment in UTC, which is the session's zone. */
function moment(text: string): string {
  const match = MOMENT_REGEXP.exec(text);
  if (match === null) return text;
  const [, date = "", time = "", fraction = "", offset] = match;
  if (offset === undefined || offset.toUpperCase() === "Z") return `${date} ${time}${fraction}`;
  const [, sign, hours, minutes = "00"] = OFFSET_REGEXP.exec(offset) ?? [];
  const shiftMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS * (sign === "-" ? -1 : 1);
  const ms = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(ms)) return text;
  return new Date(ms - shiftMs).toISOString().slice(0, 19).replace("T", " ") + fraction;
}
