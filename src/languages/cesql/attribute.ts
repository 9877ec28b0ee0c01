/** Owns the event as CESQL sees it: which key of meta or of the payload a name reads, and as what value. */

import { sourceTextJson } from "../../base/mod.ts";
import type { CostMeter } from "../cost_meter.ts";
import { isAmbiguousField } from "../cel/field.ts";
import type { Scope } from "../scope.ts";
import type { CesqlAttribute, CesqlData } from "./node.ts";
import { type CesqlValue, INTEGER_MAX, INTEGER_MIN } from "./value.ts";

/** Reads something of a message as it is; undefined and null where it is missing. */
export type CesqlRead = (scope: Scope) => unknown;

/** Keys of meta that are attributes of every event; their values are text. */
const CONTEXT_ATTRIBUTES: ReadonlySet<string> = new Set(["id", "source", "type", "subject", "time"]);

const EXPONENT_REGEXP = /^(-?)([0-9])(?:\.([0-9]+))?e([+-][0-9]+)$/;

/** The name of an attribute as messages are told of it, and as its value is found: as written, else in lower case. */
export function attributeNames(name: string): readonly string[] {
  const lower = name.toLowerCase();
  return name === lower ? [name] : [name, lower];
}

/** Whether an attribute is one whose value is text whatever meta holds. */
export function isContextAttribute(name: string): boolean {
  return CONTEXT_ATTRIBUTES.has(name.toLowerCase());
}

/** The way to what an attribute names. */
export function readAttribute({ name }: CesqlAttribute): CesqlRead {
  const [first = name, second] = attributeNames(name);
  const read = readMember(first);
  if (second === undefined) return (scope) => read(scope.meta);
  const readLower = readMember(second);
  return (scope) => read(scope.meta) ?? readLower(scope.meta);
}

/** The way to a value of the payload. Lists and texts have no members. */
export function readData({ path }: CesqlData): CesqlRead {
  const [first, ...others] = path.map(readMember);
  if (first === undefined) return (scope) => scope.payload;
  if (others.length === 0) return (scope) => first(scope.payload);
  return (scope) => {
    let value = first(scope.payload);
    for (const read of others) value = read(value);
    return value;
  };
}

function readMember(name: string): (value: unknown) => unknown {
  if (isAmbiguousField(name)) {
    return (value) => isMapping(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  // No list, text or prototype has a member of such a name, so that what the value is needs no asking.
  return (value) =>
    typeof value === "object" && value !== null ? (value as { readonly [key: string]: unknown })[name] : undefined;
}

function isMapping(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

/**
 * What is found in a message as a value of CESQL: whole numbers of 32 bits are Integers, other numbers their decimal
 * text, bytes their base64, lists and mappings their JSON; undefined where it is missing.
 * @throws {RangeError} where a list or mapping nests deeper than the stack reaches.
 */
export function cesqlValueOf(found: unknown, meter: CostMeter): CesqlValue | undefined {
  switch (typeof found) {
    case "string":
    case "boolean":
      return found;
    case "number":
      // -0 is 0.
      return (found | 0) === found ? found | 0 : decimalText(found);
    case "bigint":
      return found >= INTEGER_MIN && found <= INTEGER_MAX ? Number(found) : paid(String(found), meter);
    case "object":
      return found === null ? undefined : objectText(found, meter);
    default:
      return undefined;
  }
}

function objectText(found: object, meter: CostMeter): string {
  const text = found instanceof Uint8Array ? found.toBase64() : JSON.stringify(found, replaceUnsayable);
  return paid(text, meter);
}

/** A text that was made of something else, at its cost. */
function paid(text: string, meter: CostMeter): string {
  meter.spendLength(text.length);
  return text;
}

function replaceUnsayable(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return sourceTextJson.rawJSON(String(value));
  return value instanceof Uint8Array ? value.toBase64() : value;
}

/** A number in decimal digits, without an exponent. */
function decimalText(number: number): string {
  const text = String(number);
  const parts = EXPONENT_REGEXP.exec(text);
  if (parts === null) return text;
  const [, sign = "", whole = "", fraction = "", exponent = ""] = parts;
  const digits = whole + fraction;
  const point = 1 + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  // An exponent is written from 21 on, where no number has a fraction any more.
  return sign + digits.padEnd(point, "0");
}
