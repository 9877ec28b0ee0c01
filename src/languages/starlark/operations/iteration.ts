/** Owns iterating and indexing: what loops, unpacking and brackets do. */

import { MutableObject } from "../values/mutable.ts";
import { StarlarkDict } from "../values/dict.ts";
import { Fault, faultAt } from "../values/fault.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkSet } from "../values/set.ts";
import type { Thread } from "../values/thread.ts";
import { StarlarkRange, StarlarkTuple, StarlarkView, typeName, type Value } from "../values/value.ts";

/** An iteration going on. Whoever opens it closes it, unless the run fails. */
export interface Cursor {
  readonly length: number;
  at(index: number): Value;
  close(): void;
}

/** Iterates over values that were taken out before; what they came from stays locked meanwhile. */
class ArrayCursor implements Cursor {
  readonly #items: readonly Value[];
  readonly #source: MutableObject | null;

  constructor(items: readonly Value[], source: MutableObject | null) {
    this.#items = items;
    this.#source = source;
  }

  get length(): number {
    return this.#items.length;
  }

  at(index: number): Value {
    return this.#items[index] ?? null;
  }

  close(): void {
    this.#source?.unlock();
  }
}

/** Begins an iteration. @throws {Fault} at `site` when the value cannot be iterated over. */
export function open(value: Value, thread: Thread, site: number): Cursor {
  if (value instanceof StarlarkList) {
    value.lock();
    return value;
  }
  if (value instanceof StarlarkRange) return value;
  try {
    const items = elements(value, thread);
    if (!(value instanceof MutableObject)) return new ArrayCursor(items, null);
    value.lock();
    return new ArrayCursor(items, value);
  } catch (error) {
    throw faultAt(error, site);
  }
}

/** Whether the value can be iterated over. */
export function isIterable(value: Value): boolean {
  return value instanceof MutableObject || value instanceof StarlarkTuple || value instanceof StarlarkRange ||
    value instanceof StarlarkView;
}

/** The elements of an iterable; the array may belong to it. @throws {Fault} when it is none. */
export function elements(value: Value, thread: Thread): readonly Value[] {
  if (value instanceof StarlarkTuple || value instanceof StarlarkView) thread.chargeElements(value.items.length);
  if (value instanceof StarlarkTuple || value instanceof StarlarkView) return value.items;
  if (value instanceof StarlarkList) {
    thread.chargeElements(value.length);
    return value.values();
  }
  if (value instanceof StarlarkDict) {
    const keys = value.keys();
    thread.chargeMembers(keys.length);
    return keys;
  }
  if (value instanceof StarlarkSet) {
    thread.chargeElements(value.size);
    return value.values();
  }
  if (value instanceof StarlarkRange) {
    thread.chargeElements(value.length);
    return Array.from({ length: value.length }, (_, index) => value.at(index));
  }
  throw new Fault(`${typeName(value)} value is not iterable`);
}

/** Exactly `count` elements, for `a, b = value`. @throws {Fault} at `site` when there are more or fewer. */
export function unpack(value: Value, count: number, thread: Thread, site: number): readonly Value[] {
  let found: readonly Value[];
  try {
    found = elements(value, thread);
  } catch (error) {
    if (isIterable(value)) throw faultAt(error, site);
    throw faultAt(new Fault(`got ${typeName(value)} in sequence assignment, want an iterable`), site);
  }
  if (found.length === count) return found;
  const few = found.length < count ? "too few" : "too many";
  throw faultAt(new Fault(`${few} values to unpack (got ${found.length}, want ${count})`), site);
}
