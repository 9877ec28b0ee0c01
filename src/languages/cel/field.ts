/** Owns reading from maps and lists: `a.b`, `a["b"]`, `a[0]` and `has(a.b)`. */

import type { CelNode } from "./node.ts";
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
  kindInWords,
  noOverload,
  quoteShort,
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
const PLAIN_NAME_REGEXP = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Whether plain property access could find something under this name that is no member of a map: on a prototype, or an
 * element of a list. Every other name is read without asking what the value is, because only a map can have it.
 */
export function isAmbiguousField(field: string): boolean {
  return INDEX_REGEXP.test(field) || PROTOTYPES.some((prototype) => field in prototype);
}

/** A field that an expression reads. What is said of it is made once: missing fields can be as common as messages. */
export interface CelField {
  readonly name: string;
  /** The failure of a map that does not have it. */
  readonly missing: CelFailure;
  /** What it is read from, as the expression has it; undefined when that has no short name. */
  readonly owner: string | undefined;
}

/** A field read at an offset of the expression. */
export function celField(name: string, owner: string | undefined, at: number): CelField {
  return { name, owner, missing: new CelFailure(`there is no field ${fieldPath(owner, name)}`, at) };
}

/** `payload.a`, or the name alone where what it is read from has none. */
function fieldPath(owner: string | undefined, name: string): string {
  if (owner === undefined) return JSON.stringify(name);
  return PLAIN_NAME_REGEXP.test(name) ? `${owner}.${name}` : `${owner}[${JSON.stringify(name)}]`;
}

/** What a node reads, as an expression writes it: `payload.items[0].id`. Undefined when it computes something. */
export function readPath(node: CelNode): string | undefined {
  switch (node.kind) {
    case "variable":
    case "local":
      return node.name;
    case "select": {
      const owner = readPath(node.operand);
      return owner === undefined ? undefined : fieldPath(owner, node.field);
    }
    case "index": {
      const owner = readPath(node.operand);
      if (owner === undefined || node.key.kind !== "constant") return undefined;
      const { value } = node.key;
      return typeof value === "string" ? fieldPath(owner, value) : `${owner}[${String(asMapKey(value) ?? value)}]`;
    }
    default:
      return undefined;
  }
}

/** Reads a field by name, whatever the value is. */
export function selectField(value: unknown, { name, owner, missing }: CelField): unknown {
  if (value instanceof CelFailure) return value;
  const isMap = value instanceof CelMap || isDataMap(value);
  if (!isMap) {
    const what = owner === undefined ? `${kindInWords(value)} has` : `${owner} is ${kindInWords(value)} and has`;
    return new CelFailure(`${what} no field ${JSON.stringify(name)}`, missing.at);
  }
  const member = value instanceof CelMap ? value.lookup(name) : dataMember(value, name);
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
  return new CelFailure(`there is no key ${typeof wanted === "string" ? quoteShort(wanted) : wanted ?? key}`, at);
}

function readElement(list: readonly unknown[], key: unknown, at: number): unknown {
  const position = asMapKey(key);
  if (typeof position !== "bigint") return noOverload("[]", [list, key], at);
  const element = list[Number(position)];
  if (element !== undefined) return element;
  return new CelFailure(`index ${position} is outside the list of ${list.length}`, at);
}
