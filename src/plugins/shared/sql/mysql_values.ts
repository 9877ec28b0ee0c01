/** Owns the values of MySQL and MariaDB: from the server's text to JSON by the column's type, nothing rounded. */

import type { ColumnFamily, SqlColumn, SqlValue } from "./sql_connection.ts";
import { jsonBytes, jsonNumber, jsonText } from "./json_value.ts";

/** What a result says of a column, as the client reads it. */
export interface MysqlField {
  readonly type: string;
  readonly columnLength: number;
  readonly collation: { readonly index: number; readonly name: string };
  name(): string;
  isDataTypeFormatJson(): boolean;
}

/** The collation of columns that hold bytes. */
const BINARY_COLLATION = 63;
const BINARY_COLLATION_REGEXP = /_bin$/i;
/** Up to so many bits a bit field is an integer that a double holds. */
const BITS_EXACT_MAX = 53;

const INTEGERS: ReadonlySet<string> = new Set(["TINY", "SHORT", "INT24", "LONG", "INT", "BIGINT", "LONGLONG", "YEAR"]);
const DECIMALS: ReadonlySet<string> = new Set(["DECIMAL", "OLDDECIMAL", "NEWDECIMAL"]);
const TIMES: ReadonlySet<string> = new Set(["DATE", "NEWDATE", "TIME", "TIME2"]);
const DATE_TIMES: ReadonlySet<string> = new Set(["DATETIME", "DATETIME2", "TIMESTAMP", "TIMESTAMP2"]);
const UTC_ZONES: ReadonlySet<string> = new Set(["+00:00", "UTC"]);

/** Whether a column's values are bytes and not text. */
export function isBinaryField({ type, collation }: MysqlField): boolean {
  return collation.index === BINARY_COLLATION &&
    (type.endsWith("BLOB") || type.endsWith("STRING") || type === "VARCHAR" || type === "BIT" || type === "GEOMETRY");
}

/** What a column tells. `timeZone` is the session's. */
export function mysqlColumn(field: MysqlField, timeZone: string): SqlColumn {
  const name = field.name();
  const column = (type: string, family: ColumnFamily, json: (text: string) => string): SqlColumn => ({
    name,
    type,
    family,
    json: (value) => json(textOf(value)),
  });
  const { type } = field;
  if (INTEGERS.has(type)) return column("integer", "exact", (text) => text);
  if (DECIMALS.has(type)) return column("decimal", "number", jsonText);
  if (type === "DOUBLE") return column("double", "number", jsonNumber);
  // The server writes six digits of it, which no comparison finds again.
  if (type === "FLOAT") return column("float", "unordered", jsonNumber);
  if (TIMES.has(type)) return column(type.toLowerCase(), "exact", jsonText);
  if (DATE_TIMES.has(type)) {
    const moment = type.startsWith("TIMESTAMP");
    const suffix = moment && UTC_ZONES.has(timeZone) ? "Z" : "";
    const iso = (text: string) => `"${text.replace(" ", "T")}${suffix}"`;
    return column(moment ? "timestamp" : "datetime", moment ? "timestamptz" : "timestamp", iso);
  }
  if (type === "BIT") {
    return {
      name,
      type: "bit",
      family: "exact",
      json: (value) => bitJson(value, field.columnLength),
    };
  }
  if (type === "JSON" || field.isDataTypeFormatJson()) return column("json", "unordered", (text) => text);
  if (isBinaryField(field)) {
    return { name, type: "binary", family: "exact", json: (value) => jsonBytes(bytesOf(value)) };
  }
  const family = BINARY_COLLATION_REGEXP.test(field.collation.name) ? "exact" : "text";
  return column("text", family, jsonText);
}

function textOf(value: SqlValue): string {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}

function bytesOf(value: SqlValue): Uint8Array {
  return value instanceof Uint8Array ? value : new TextEncoder().encode(String(value));
}

/** One bit is a boolean, more are an integer. */
function bitJson(value: SqlValue, bits: number): string {
  let number = 0n;
  for (const byte of bytesOf(value)) number = number * 256n + BigInt(byte);
  if (bits === 1) return number === 0n ? "false" : "true";
  return bits <= BITS_EXACT_MAX ? String(Number(number)) : String(number);
}
