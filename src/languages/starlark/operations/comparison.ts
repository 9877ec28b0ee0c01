/** Owns equality, order and truth. */

import { StarlarkDict } from "../values/dict.ts";
import { Fault, faultAt } from "../values/fault.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkSet } from "../values/set.ts";
import type { Thread } from "../values/thread.ts";
import {
  StarlarkBytes,
  StarlarkFloat,
  type StarlarkObject,
  StarlarkRange,
  StarlarkTuple,
  typeName,
  type Value,
} from "../values/value.ts";
import { FREE_KEY_CHARACTERS, payKey, payKeys } from "./paid_key.ts";

/** How deep compared data may nest: data that holds itself has no end. */
const COMPARE_DEPTH_MAX = 100;

/** Operators of order. */
export type OrderOperator = "<" | ">" | "<=" | ">=";

/** Whether a value counts as true. */
export function truth(value: Value): boolean {
  if (typeof value !== "object") return Boolean(value) || Number.isNaN(value);
  return value !== null && objectTruth(value);
}

function objectTruth(value: StarlarkObject): boolean {
  if (value instanceof StarlarkFloat) return value.value !== 0;
  if (value instanceof StarlarkList || value instanceof StarlarkRange) return value.length > 0;
  if (value instanceof StarlarkDict) return !value.isEmpty;
  if (value instanceof StarlarkSet) return value.size > 0;
  if (value instanceof StarlarkTuple) return value.items.length > 0;
  if (value instanceof StarlarkBytes) return value.bytes.length > 0;
  return true;
}

/** `a == b`. @throws {Fault} at `site` when data nests too deeply. */
export function equal(a: Value, b: Value, thread: Thread, site: number): boolean {
  if (typeof a === "number" && a === b) return true;
  if (typeof a === "string" && typeof b === "string" && a.length <= FREE_KEY_CHARACTERS) return a === b;
  try {
    return equals(a, b, thread, 0);
  } catch (error) {
    throw faultAt(error, site);
  }
}

/** Whether two values are equal. @throws {Fault} when data nests too deeply. */
export function equals(a: Value, b: Value, thread: Thread, depth = 0): boolean {
  if (typeof a === "string") {
    if (typeof b !== "string") return false;
    payText(a, b, thread);
    return a === b;
  }
  const x = numberOf(a);
  const y = numberOf(b);
  // Compared loosely: that is how a bigint and a number of the same value are equal.
  if (x !== undefined && y !== undefined) {
    payBig(x, y, thread);
    return x == y || (Number.isNaN(x) && Number.isNaN(y));
  }
  if (a === b && !mayHoldItself(a)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  return objectsEqual(a, b, thread, depth);
}

/** Whether equality has to look inside even of one and the same value: data that holds itself has no answer. */
function mayHoldItself(value: Value): boolean {
  return value instanceof StarlarkList || value instanceof StarlarkDict || value instanceof StarlarkTuple;
}

function objectsEqual(a: StarlarkObject, b: StarlarkObject, thread: Thread, depth: number): boolean {
  if (depth > COMPARE_DEPTH_MAX) throw new Fault(`comparison nests deeper than ${COMPARE_DEPTH_MAX} levels`);
  if (a instanceof StarlarkList && b instanceof StarlarkList) {
    if (a.length !== b.length) return false;
    return itemsEqual(a.values(), b.values(), thread, depth);
  }
  if (a instanceof StarlarkTuple && b instanceof StarlarkTuple) return itemsEqual(a.items, b.items, thread, depth);
  if (a instanceof StarlarkDict && b instanceof StarlarkDict) return dictsEqual(a, b, thread, depth);
  if (a instanceof StarlarkSet && b instanceof StarlarkSet) {
    if (a.size !== b.size) return false;
    payKeys(a.values(), thread);
    return a.values().every((element) => b.has(element));
  }
  if (a instanceof StarlarkBytes && b instanceof StarlarkBytes) return compareBytes(a, b, thread) === 0;
  if (a instanceof StarlarkRange && b instanceof StarlarkRange) {
    if (a.exactLength !== b.exactLength) return false;
    return a.length === 0 || (a.start === b.start && (a.length === 1 || a.step === b.step));
  }
  return false;
}

function itemsEqual(a: readonly Value[], b: readonly Value[], thread: Thread, depth: number): boolean {
  if (a.length !== b.length) return false;
  thread.charge(a.length);
  return a.every((item, index) => equals(item, b[index] ?? null, thread, depth + 1));
}

function dictsEqual(a: StarlarkDict, b: StarlarkDict, thread: Thread, depth: number): boolean {
  const [size, other] = [a.size, b.size];
  // The members of a message's object have to be counted.
  if (a.owned || b.owned) thread.chargeMembers(size + other);
  if (size !== other) return false;
  thread.charge(size);
  const values = a.values();
  return a.keys().every((key, index) => {
    payKey(key, thread);
    const other = b.get(key);
    return other !== undefined && equals(values[index] ?? null, other, thread, depth + 1);
  });
}

/** The number in an int or float; undefined for all else. */
function numberOf(value: Value): number | bigint | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  return value instanceof StarlarkFloat ? value.value : undefined;
}

/** `a < b`. @throws {Fault} at `site` when the types have no order. */
export function less(a: Value, b: Value, thread: Thread, site: number): boolean {
  if (typeof a === "number" && typeof b === "number") {
    if (a < b) return true;
    if (a >= b) return false;
  }
  return order("<", a, b, thread, site);
}

/** `a > b`. @throws {Fault} at `site` when the types have no order. */
export function greater(a: Value, b: Value, thread: Thread, site: number): boolean {
  if (typeof a === "number" && typeof b === "number") {
    if (a > b) return true;
    if (a <= b) return false;
  }
  return order(">", a, b, thread, site);
}

/** `a <= b`. @throws {Fault} at `site` when the types have no order. */
export function atMost(a: Value, b: Value, thread: Thread, site: number): boolean {
  if (typeof a === "number" && typeof b === "number") {
    if (a <= b) return true;
    if (a > b) return false;
  }
  return order("<=", a, b, thread, site);
}

/** `a >= b`. @throws {Fault} at `site` when the types have no order. */
export function atLeast(a: Value, b: Value, thread: Thread, site: number): boolean {
  if (typeof a === "number" && typeof b === "number") {
    if (a >= b) return true;
    if (a < b) return false;
  }
  return order(">=", a, b, thread, site);
}

function order(operator: OrderOperator, a: Value, b: Value, thread: Thread, site: number): boolean {
  const x = numberOf(a);
  const y = numberOf(b);
  try {
    if (x !== undefined && y !== undefined) return holds(operator, compareNumbers(x, y, thread));
    if (a instanceof StarlarkSet && b instanceof StarlarkSet) return orderSets(operator, a, b, thread);
    return holds(operator, compare(a, b, thread, operator));
  } catch (error) {
    throw faultAt(error, site);
  }
}

function holds(operator: OrderOperator, comparison: number): boolean {
  switch (operator) {
    case "<":
      return comparison < 0;
    case ">":
      return comparison > 0;
    case "<=":
      return comparison <= 0;
    case ">=":
      return comparison >= 0;
  }
}

function orderSets(operator: OrderOperator, a: StarlarkSet, b: StarlarkSet, thread: Thread): boolean {
  thread.charge(1);
  const [inner, outer] = operator === "<" || operator === "<=" ? [a, b] : [b, a];
  const isStrict = operator === "<" || operator === ">";
  if (inner.size > outer.size || (isStrict && inner.size === outer.size)) return false;
  payKeys(inner.values(), thread);
  return inner.values().every((element) => outer.has(element));
}

/** Takes the steps for comparing two ints that are not small. */
function payBig(a: number | bigint, b: number | bigint, thread: Thread): void {
  if (typeof a === "bigint" && typeof b === "bigint") payKey(a, thread);
}

/** Takes the steps for comparing two strings: long ones of one length are compared character by character. */
function payText(a: string, b: string, thread: Thread): void {
  if (a.length === b.length && a.length > FREE_KEY_CHARACTERS) payKey(a, thread);
}

/** Below, at or above zero as a comes before, with or after b. @throws {Fault} when the types have no order. */
export function compare(a: Value, b: Value, thread: Thread, operator: OrderOperator = "<", depth = 0): number {
  if (depth > COMPARE_DEPTH_MAX) throw new Fault(`comparison nests deeper than ${COMPARE_DEPTH_MAX} levels`);
  const x = numberOf(a);
  const y = numberOf(b);
  if (x !== undefined && y !== undefined) return compareNumbers(x, y, thread);
  if (typeof a === "string" && typeof b === "string") return compareText(a, b, thread);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof StarlarkList && b instanceof StarlarkList) {
    thread.chargeElements(a.length + b.length);
    return compareItems(a.values(), b.values(), thread, operator, depth);
  }
  if (a instanceof StarlarkTuple && b instanceof StarlarkTuple) {
    return compareItems(a.items, b.items, thread, operator, depth);
  }
  if (a instanceof StarlarkBytes && b instanceof StarlarkBytes) return compareBytes(a, b, thread);
  throw new Fault(`${typeName(a)} ${operator} ${typeName(b)} not implemented`);
}

/** Numbers are in one order whatever their form; NaN equals itself and comes after all others. */
function compareNumbers(a: number | bigint, b: number | bigint, thread: Thread): number {
  payBig(a, b, thread);
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

/** Text is in the order of its code points, which is not that of UTF-16 where surrogates meet U+E000 to U+FFFF. */
function compareText(a: string, b: string, thread: Thread): number {
  if (a === b) return 0;
  const count = Math.min(a.length, b.length);
  thread.chargeText(count);
  let at = 0;
  while (at < count && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === count) return a.length - b.length;
  return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function compareBytes(a: StarlarkBytes, b: StarlarkBytes, thread: Thread): number {
  const count = Math.min(a.bytes.length, b.bytes.length);
  thread.chargeText(count);
  for (let index = 0; index < count; index++) {
    const difference = (a.bytes[index] ?? 0) - (b.bytes[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.bytes.length - b.bytes.length;
}

function compareItems(
  a: readonly Value[],
  b: readonly Value[],
  thread: Thread,
  operator: OrderOperator,
  depth: number,
): number {
  const count = Math.min(a.length, b.length);
  for (let index = 0; index < count; index++) {
    const [left, right] = [a[index] ?? null, b[index] ?? null];
    thread.charge(1);
    if (!equals(left, right, thread, depth + 1)) return compare(left, right, thread, operator, depth + 1);
  }
  return a.length - b.length;
}
