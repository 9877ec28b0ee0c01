/** Owns turning the result of an evaluation into plain data. */

import { formatDuration, formatTimestamp } from "./time.ts";
import { CelDuration, CelMap, CelObject, CelTimestamp, CelType, CelUint } from "./value.ts";

/**
 * A value as plain data: ints and uints as number where a double holds them exactly and as bigint beyond, timestamps as
 * RFC 3339 text, durations as seconds (`90s`), types by name, maps with string keys as objects and others as `Map`.
 * What is plain already is passed on, not copied.
 */
export function settleCel(value: unknown): unknown {
  if (typeof value === "bigint") return settleInteger(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return settleList(value);
  if (value instanceof CelObject) return settleObject(value);
  return value;
}

function settleInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function settleList(list: readonly unknown[]): readonly unknown[] {
  const settled = list.map(settleCel);
  return settled.some((element, index) => element !== list[index]) ? settled : list;
}

function settleObject(value: CelObject): unknown {
  if (value instanceof CelUint) return settleInteger(value.unsigned);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelType) return value.typeName;
  return value instanceof CelMap ? settleMap(value) : null;
}

function settleMap(map: CelMap): unknown {
  const entries = map.entries().map(([key, value]) => [settleCel(key), settleCel(value)] as const);
  const isPlain = entries.every(([key]) => typeof key === "string");
  // `fromEntries` makes own properties of every key, `__proto__` too.
  return isPlain ? Object.fromEntries(entries as readonly (readonly [string, unknown])[]) : new Map(entries);
}
