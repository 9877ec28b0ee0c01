/** Owns operators that make a new text, list, tuple, dict or set out of two. */

import { StarlarkDict } from "../values/dict.ts";
import { Fault } from "../values/fault.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkSet } from "../values/set.ts";
import type { Thread } from "../values/thread.ts";
import { isInt, StarlarkBytes, StarlarkTuple, type Value } from "../values/value.ts";
import { payKeys } from "./paid_key.ts";

/** Longest text, bytes or list that repetition makes: it fails before it takes the memory. */
const REPEATED_LENGTH_MAX = 1 << 24;

/** How much less the left text of a `+` costs than the right one. */
const JOIN_DISCOUNT = 4;

/** `a + b` for what is no number; undefined when the types do not fit. */
export function concatenate(a: Value, b: Value, thread: Thread): Value | undefined {
  if (typeof a === "string" && typeof b === "string") {
    // The engine joins text without copying it, so that what stood there before is paid at a lower rate.
    thread.chargeText(Math.ceil(a.length / JOIN_DISCOUNT) + b.length);
    return a + b;
  }
  if (a instanceof StarlarkList && b instanceof StarlarkList) {
    thread.chargeElements(a.length + b.length);
    return StarlarkList.of([...a.values(), ...b.values()]);
  }
  if (a instanceof StarlarkTuple && b instanceof StarlarkTuple) {
    thread.chargeElements(a.items.length + b.items.length);
    return new StarlarkTuple([...a.items, ...b.items]);
  }
  if (a instanceof StarlarkBytes && b instanceof StarlarkBytes) {
    thread.chargeText(a.bytes.length + b.bytes.length);
    const bytes = new Uint8Array(a.bytes.length + b.bytes.length);
    bytes.set(a.bytes);
    bytes.set(b.bytes, a.bytes.length);
    return new StarlarkBytes(bytes);
  }
  return undefined;
}

/** `a * b` where one is an int and the other a sequence; undefined when the types do not fit. */
export function repeat(a: Value, b: Value, thread: Thread): Value | undefined {
  if (isInt(a)) return isInt(b) ? undefined : repeatSequence(b, a, thread);
  return isInt(b) ? repeatSequence(a, b, thread) : undefined;
}

function repeatSequence(sequence: Value, times: number | bigint, thread: Thread): Value | undefined {
  if (typeof sequence === "string") {
    const count = repetitions(sequence.length, times);
    thread.chargeText(sequence.length * count);
    return sequence.repeat(count);
  }
  if (sequence instanceof StarlarkBytes) {
    const { bytes } = sequence;
    const count = repetitions(bytes.length, times);
    thread.chargeText(bytes.length * count);
    const repeated = new Uint8Array(bytes.length * count);
    for (let index = 0; index < count; index++) repeated.set(bytes, index * bytes.length);
    return new StarlarkBytes(repeated);
  }
  if (sequence instanceof StarlarkList) return StarlarkList.of(repeatItems(sequence.values(), times, thread));
  if (sequence instanceof StarlarkTuple) return new StarlarkTuple(repeatItems(sequence.items, times, thread));
  return undefined;
}

function repeatItems(items: readonly Value[], times: number | bigint, thread: Thread): Value[] {
  const count = repetitions(items.length, times);
  thread.chargeElements(items.length * count);
  const repeated: Value[] = [];
  for (let index = 0; index < count; index++) for (const item of items) repeated.push(item);
  return repeated;
}

function repetitions(length: number, times: number | bigint): number {
  if (length === 0 || times <= 0) return 0;
  if (Number(times) * length > REPEATED_LENGTH_MAX) {
    throw new Fault(`cannot repeat ${length} elements ${times} times: the result may have ${REPEATED_LENGTH_MAX}`);
  }
  return Number(times);
}

/** `a | b` on dicts: a copy of a with b's members put in. */
export function combineDicts(a: StarlarkDict, b: StarlarkDict, thread: Thread): StarlarkDict {
  const result = StarlarkDict.empty();
  copyMembers(a, result, thread);
  copyMembers(b, result, thread);
  return result;
}

/** Sets all members of one dict in another. Takes the steps for it. */
export function copyMembers(from: StarlarkDict, into: StarlarkDict, thread: Thread): void {
  const keys = from.keys();
  payKeys(keys, thread);
  const values = from.values();
  for (const [index, key] of keys.entries()) into.set(key, values[index] ?? null);
}

/** `|`, `&`, `^` and `-` on sets; undefined for other operators. */
export function combineSets(operator: string, a: StarlarkSet, b: StarlarkSet, thread: Thread): Value | undefined {
  payKeys(a.values(), thread);
  payKeys(b.values(), thread);
  switch (operator) {
    case "|":
      return StarlarkSet.of([...a.values(), ...b.values()]);
    case "&":
      return StarlarkSet.of(a.values().filter((element) => b.has(element)));
    case "-":
      return StarlarkSet.of(a.values().filter((element) => !b.has(element)));
    case "^":
      return StarlarkSet.of([
        ...a.values().filter((element) => !b.has(element)),
        ...b.values().filter((element) => !a.has(element)),
      ]);
    default:
      return undefined;
  }
}
