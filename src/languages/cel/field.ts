/** Owns reading from maps and lists: `a.b`, `a["b"]`, `a[0]` and `has(a.b)`. */

import { mapGet } from "./relation.ts";
import {
  asMapKey,
  CelDuration,
  CelFailure,
  CelMap,
  CelTimestamp,
  CelType,
  CelUint,
  dataMember,
  isDataMap,
  kindOf,
  noOverload,
} from "./value.ts";

const PROTOTYPES: readonly object[] = [
  Object.prototype,
  Array.prototype,
  Uint8Array.prototype,
  CelMap.prototype,
  CelUint.prototype,
  CelTimestamp.prototype,
  CelDuration.prototype,
  CelType.prototype,
  CelFailure.prototype,
];
const INDEX_REGEXP = /^[0-9]+$/;

/**
 * Whether plain property access could find something under this name that is no member of a map: on a prototype, or an
 * element of a list. Every other name is read without asking what the value is, because only a map can have it.
 */
export function isAmbiguousField(field: string): boolean {
  return INDEX_REGEXP.test(field) || PROTOTYPES.some((prototype) => field in prototype);
}

/** The failure of reading a field that a map does not have. Made once: missing fields can be as common as messages. */
export function missingField(field: string, at: number): CelFailure {
  return new CelFailure(`there is no field ${JSON.stringify(field)}`, at);
}

/** Reads a field by name, whatever the value is. */
export function selectField(value: unknown, field: string, missing: CelFailure): unknown {
  if (value instanceof CelFailure) return value;
  const isMap = value instanceof CelMap || isDataMap(value);
  if (!isMap) return new CelFailure(`a ${kindOf(value)} has no field ${JSON.stringify(field)}`, missing.at);
  const member = value instanceof CelMap ? value.lookup(field) : dataMember(value, field);
  return member === undefined ? missing : member;
}

/** Whether a map has a field. A member that is null is there; what is no map has no fields. */
export function hasField(value: unknown, field: string, at: number): boolean | CelFailure {
  if (value instanceof CelFailure) return value;
  // Messages to CEL, and of a message it asks only for fields that its type has.
  if (value instanceof CelTimestamp || value instanceof CelDuration) return noOverload("has()", [value], at);
  if (value instanceof CelMap) return value.lookup(field) !== undefined;
  return isDataMap(value) && dataMember(value, field) !== undefined;
}

/** Reads an element of a list or an entry of a map. */
export function readIndex(value: unknown, key: unknown, at: number): unknown {
  if (value instanceof CelFailure) return value;
  if (key instanceof CelFailure) return key;
  if (Array.isArray(value)) return readElement(value, key, at);
  if (!(value instanceof CelMap) && !isDataMap(value)) return noOverload("[]", [value, key], at);
  const entry = mapGet(value, key);
  if (entry !== undefined) return entry;
  const wanted = asMapKey(key);
  if (wanted === undefined && typeof key !== "number") return noOverload("[]", [value, key], at);
  return new CelFailure(`there is no key ${typeof wanted === "string" ? JSON.stringify(wanted) : wanted ?? key}`, at);
}

function readElement(list: readonly unknown[], key: unknown, at: number): unknown {
  const position = asMapKey(key);
  if (typeof position !== "bigint") return noOverload("[]", [list, key], at);
  const element = list[Number(position)];
  if (element !== undefined) return element;
  return new CelFailure(`index ${position} is outside the list of ${list.length}`, at);
}
