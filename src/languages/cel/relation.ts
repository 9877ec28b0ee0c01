/** Owns equality, order and membership of values. */

import type { CelMeter } from "./meter.ts";
import {
  asMapKey,
  asUint,
  CelDuration,
  CelFailure,
  CelMap,
  CelTimestamp,
  CelType,
  CelUint,
  dataMember,
  isDataMap,
  noOverload,
} from "./value.ts";

/** An integer of a message may have any number of digits: from here on their number is what comparing costs. */
const VAST_MIN = 1n << 4_096n;
/** Cost of comparing two such integers, as if they had a million digits. */
const VAST_UNITS = 1_000;

function isVast(value: unknown): boolean {
  return typeof value === "bigint" && (value >= VAST_MIN || value <= -VAST_MIN);
}

const SURROGATE_FIRST = 0xd800;
const SURROGATE_LAST = 0xdfff;

/** Whether two values, neither a failure, are equal. Numbers compare across types, everything else only within its own. */
export function celEquals(left: unknown, right: unknown, meter: CelMeter): boolean {
  // A list is not told equal to itself by identity: it may hold NaN, which is equal to nothing.
  if (left === right && (typeof left !== "object" || left === null)) {
    if (typeof left === "string") meter.spendLength(left.length);
    return true;
  }
  const first = left instanceof CelUint ? left.unsigned : left;
  const second = right instanceof CelUint ? right.unsigned : right;
  switch (typeof first) {
    case "number":
    case "bigint":
      // Deliberately loose: JavaScript compares a number and a bigint by their exact mathematical value.
      if (isVast(first) && isVast(second)) meter.spend(VAST_UNITS);
      return (typeof second === "number" || typeof second === "bigint") && first == second;
    case "string":
      if (typeof second === "string") meter.spendLength(Math.min(first.length, second.length));
      return first === second;
    case "boolean":
      return first === second;
  }
  if (first === null || second === null || typeof first !== "object") return first === second;
  if (Array.isArray(first)) return Array.isArray(second) && equalLists(first, second, meter);
  if (first instanceof Uint8Array) return second instanceof Uint8Array && equalBytes(first, second, meter);
  if (first instanceof CelTimestamp) return second instanceof CelTimestamp && first.nanos === second.nanos;
  if (first instanceof CelDuration) return second instanceof CelDuration && first.nanos === second.nanos;
  if (first instanceof CelType) return second instanceof CelType && first.typeName === second.typeName;
  return equalMaps(first, second, meter);
}

function equalLists(left: readonly unknown[], right: readonly unknown[], meter: CelMeter): boolean {
  if (left.length !== right.length) return false;
  return left.every((value, index) => {
    meter.spendLength(1);
    return celEquals(value, right[index], meter);
  });
}

function equalBytes(left: Uint8Array, right: Uint8Array, meter: CelMeter): boolean {
  if (left.length !== right.length) return false;
  meter.spendLength(left.length);
  return left.every((value, index) => value === right[index]);
}

function equalMaps(left: unknown, right: unknown, meter: CelMeter): boolean {
  const size = mapSize(left);
  const otherSize = mapSize(right);
  // Finding the size of data takes a look at all of it.
  meter.spendEntries((size ?? 0) + (otherSize ?? 0));
  if (size === undefined || size !== otherSize) return false;
  meter.spendEntries(size);
  for (const [key, value] of mapEntries(left)) {
    const other = mapGet(right, key);
    if (other === undefined || !celEquals(value, other, meter)) return false;
  }
  return true;
}

/** How many entries a map has; undefined when the value is no map. */
export function mapSize(value: unknown): number | undefined {
  if (value instanceof CelMap) return value.entryCount;
  return isDataMap(value) ? Object.keys(value).length : undefined;
}

function mapEntries(value: unknown): [unknown, unknown][] {
  if (value instanceof CelMap) return value.entries();
  return isDataMap(value) ? Object.entries(value) : [];
}

/** The entry of a map under a key; undefined when there is none. */
export function mapGet(map: unknown, key: unknown): unknown {
  const wanted = asMapKey(key);
  if (wanted === undefined) return undefined;
  if (map instanceof CelMap) return map.lookup(wanted);
  return isDataMap(map) && typeof wanted === "string" ? dataMember(map, wanted) : undefined;
}

/** Order of two values: negative, zero, positive, NaN when neither holds, undefined when they have no order. */
export function celOrder(left: unknown, right: unknown, meter: CelMeter): number | undefined {
  if (typeof left === "number" && typeof right === "number") return order(left, right);
  if (typeof left === "string") {
    if (typeof right !== "string") return undefined;
    meter.spendLength(Math.min(left.length, right.length));
    return orderStrings(left, right);
  }
  if (typeof left === "boolean") return typeof right === "boolean" ? Number(left) - Number(right) : undefined;
  if (left instanceof Uint8Array) {
    if (!(right instanceof Uint8Array)) return undefined;
    meter.spendLength(Math.min(left.length, right.length));
    return orderBytes(left, right);
  }
  if (left instanceof CelTimestamp) return right instanceof CelTimestamp ? order(left.nanos, right.nanos) : undefined;
  if (left instanceof CelDuration) return right instanceof CelDuration ? order(left.nanos, right.nanos) : undefined;
  return orderNumbers(numberOf(left), numberOf(right), meter);
}

function numberOf(value: unknown): number | bigint | undefined {
  return typeof value === "number" || typeof value === "bigint" ? value : asUint(value);
}

function orderNumbers(
  left: number | bigint | undefined,
  right: number | bigint | undefined,
  meter: CelMeter,
): number | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (typeof left === "bigint" && typeof right === "bigint") {
    if (isVast(left) && isVast(right)) meter.spend(VAST_UNITS);
    return order(left, right);
  }
  // An integer meets a double as the double nearest to it: the conformance suite asks for this.
  return order(Number(left), Number(right));
}

function order<Ordered extends number | bigint>(left: Ordered, right: Ordered): number {
  return left < right ? -1 : left > right ? 1 : left === right ? 0 : NaN;
}

/** Strings order by code points, which is not the order of UTF-16 units beyond the first plane. */
export function orderStrings(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const first = left.charCodeAt(index);
    const second = right.charCodeAt(index);
    if (first !== second) return codePointRank(first) - codePointRank(second);
  }
  return left.length - right.length;
}

/** Surrogates stand for code points above every other unit. */
function codePointRank(unit: number): number {
  return unit >= SURROGATE_FIRST && unit <= SURROGATE_LAST ? unit + 0x10000 : unit;
}

function orderBytes(left: Uint8Array, right: Uint8Array): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Whether a list has an element, or a map a key. */
export function celIn(value: unknown, container: unknown, at: number, meter: CelMeter): boolean | CelFailure {
  if (value instanceof CelFailure) return value;
  if (Array.isArray(container)) {
    return container.some((element) => {
      meter.spend(1);
      return celEquals(element, value, meter);
    });
  }
  const isMap = container instanceof CelMap || isDataMap(container);
  if (!isMap || (asMapKey(value) === undefined && typeof value !== "number")) {
    return noOverload("in", [value, container], at);
  }
  return mapGet(container, value) !== undefined;
}
