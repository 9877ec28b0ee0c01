/** Owns the values of PostgreSQL: from the server's text to JSON by the type's number, nothing rounded on the way. */

import type { ColumnFamily, SqlColumn, SqlValue } from "./sql_connection.ts";
import { jsonBytes, jsonNumber, jsonText } from "./json_value.ts";
import { parseArray } from "./postgres_array.ts";

/** A value's JSON text from the server's text. */
type Teller = (text: string) => string;

interface TypeRule {
  readonly name: string;
  readonly family: ColumnFamily;
  readonly json: Teller;
  /** The number of the type of arrays of it. */
  readonly array?: number;
}

const DATE_TIME_REGEXP = /^(\d{4,6}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:([+-]\d\d)(:\d\d)?(:\d\d)?)?$/;

const asIs: Teller = (text) => text;

/** Types by the number the server gives them; it is the same in every database. Others are text. */
const TYPES: ReadonlyMap<number, TypeRule> = new Map<number, TypeRule>([
  [16, { name: "boolean", family: "exact", json: (text) => text === "t" ? "true" : "false", array: 1000 }],
  [17, { name: "bytea", family: "exact", json: (text) => jsonBytes(bytesOf(text)), array: 1001 }],
  [20, { name: "bigint", family: "exact", json: asIs, array: 1016 }],
  [21, { name: "smallint", family: "exact", json: asIs, array: 1005 }],
  [23, { name: "integer", family: "exact", json: asIs, array: 1007 }],
  [26, { name: "oid", family: "exact", json: asIs, array: 1028 }],
  [5069, { name: "xid8", family: "exact", json: asIs, array: 271 }],
  [18, { name: "char", family: "exact", json: jsonText, array: 1002 }],
  [19, { name: "name", family: "exact", json: jsonText, array: 1003 }],
  [25, { name: "text", family: "exact", json: jsonText, array: 1009 }],
  [1043, { name: "character varying", family: "exact", json: jsonText, array: 1015 }],
  [1042, { name: "character", family: "exact", json: jsonText, array: 1014 }],
  [2950, { name: "uuid", family: "exact", json: jsonText, array: 2951 }],
  // json cannot be ordered at all, jsonb not by its text.
  [114, { name: "json", family: "unordered", json: asIs, array: 199 }],
  [3802, { name: "jsonb", family: "unordered", json: asIs, array: 3807 }],
  [700, { name: "real", family: "number", json: jsonNumber, array: 1021 }],
  [701, { name: "double precision", family: "number", json: jsonNumber, array: 1022 }],
  [1700, { name: "numeric", family: "number", json: jsonText, array: 1231 }],
  [1082, { name: "date", family: "exact", json: jsonText, array: 1182 }],
  [1083, { name: "time", family: "exact", json: jsonText, array: 1183 }],
  [1114, { name: "timestamp", family: "timestamp", json: dateTime, array: 1115 }],
  [1184, { name: "timestamp with time zone", family: "timestamptz", json: dateTime, array: 1185 }],
]);

const ARRAYS: ReadonlyMap<number, TypeRule> = new Map(
  [...TYPES.values()].flatMap((rule) => rule.array === undefined ? [] : [[rule.array, rule]]),
);

/** What a column tells by its name and the number of its type. */
export function postgresColumn(name: string, typeNumber: number): SqlColumn {
  const rule = TYPES.get(typeNumber);
  if (rule !== undefined) {
    return { name, type: rule.name, family: rule.family, json: (value) => rule.json(textOf(value)) };
  }
  const element = ARRAYS.get(typeNumber);
  if (element !== undefined) {
    const json = (value: SqlValue) => arrayJson(textOf(value), element.json);
    return { name, type: `${element.name}[]`, family: "exact", json };
  }
  return { name, type: "other", family: "text", json: (value) => jsonText(textOf(value)) };
}

/** Bytes from the server's hexadecimal text. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromHex(text.slice(2));
}

/** Every value comes as text: the connection asks for no other form. */
function textOf(value: SqlValue): string {
  return typeof value === "string" ? value : String(value);
}

/** A date and time as ISO 8601; what that cannot say, such as `infinity` or years before 1, in the server's words. */
function dateTime(text: string): string {
  const match = DATE_TIME_REGEXP.exec(text);
  if (match === null) return jsonText(text);
  const [, date, time, hours, minutes = ":00", seconds = ""] = match;
  return hours === undefined ? `"${date}T${time}"` : `"${date}T${time}${hours}${minutes}${seconds}"`;
}

function arrayJson(text: string, element: Teller): string {
  const elements = parseArray(text);
  return elements === undefined ? jsonText(text) : nested(elements, element);
}

function nested(elements: readonly unknown[], element: Teller): string {
  const texts = elements.map((each) =>
    Array.isArray(each) ? nested(each, element) : typeof each === "string" ? element(each) : "null"
  );
  return `[${texts.join(",")}]`;
}
