/** Owns brackets: elements, slices and membership. */

import { missingKey, StarlarkDict } from "../values/dict.ts";
import { Fault, faultAt } from "../values/fault.ts";
import { hashKey } from "../values/hash.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkSet } from "../values/set.ts";
import type { Thread } from "../values/thread.ts";
import {
  floatOf,
  int,
  isInt,
  StarlarkBytes,
  StarlarkRange,
  StarlarkTuple,
  StarlarkView,
  typeName,
  type Value,
} from "../values/value.ts";
import { equals } from "./comparison.ts";
import { FREE_KEY_CHARACTERS, payKey } from "./paid_key.ts";
import { repr } from "./text.ts";

/** `target[key]`. @throws {Fault} at `site`. */
export function getIndex(target: Value, key: Value, thread: Thread, site: number): Value {
  if (target instanceof StarlarkDict && typeof key === "string" && key.length <= FREE_KEY_CHARACTERS) {
    const value = target.getMember(key);
    if (value !== undefined) return value;
  } else if (target instanceof StarlarkList && typeof key === "number" && key >= 0 && key < target.length) {
    if (Number.isInteger(key)) return target.at(key);
  }
  try {
    return slowIndex(target, key, thread);
  } catch (error) {
    throw faultAt(error, site);
  }
}

function slowIndex(target: Value, key: Value, thread: Thread): Value {
  if (target instanceof StarlarkDict) {
    payKey(key, thread);
    const value = target.get(key);
    if (value === undefined) throw missingKey(repr(key, thread));
    return value;
  }
  const length = sequenceLength(target, thread);
  if (length === undefined) throw new Fault(`unhandled index operation ${typeName(target)}[${typeName(key)}]`);
  if (target instanceof StarlarkRange && typeof target.exactLength === "bigint") {
    return longRangeElement(target, target.exactLength, key);
  }
  return elementAt(target, position(key, length, typeName(target)), thread);
}

/** Length of what can be indexed by position; undefined for all else. */
export function sequenceLength(value: Value, thread: Thread): number | undefined {
  if (typeof value === "string") return thread.index(value).length;
  if (value instanceof StarlarkList || value instanceof StarlarkRange) return value.length;
  if (value instanceof StarlarkTuple) return value.items.length;
  if (value instanceof StarlarkView) return value.isSequence ? value.items.length : undefined;
  return value instanceof StarlarkBytes ? value.bytes.length : undefined;
}

function elementAt(target: Value, at: number, thread: Thread): Value {
  if (typeof target === "string") return thread.index(target).at(at);
  if (target instanceof StarlarkList || target instanceof StarlarkRange) return target.at(at);
  if (target instanceof StarlarkTuple || target instanceof StarlarkView) return target.items[at] ?? null;
  return target instanceof StarlarkBytes ? target.bytes[at] ?? null : null;
}

/** An element of a range that has more of them than a number can count. */
function longRangeElement(range: StarlarkRange, length: bigint, key: Value): Value {
  if (!isInt(key)) throw new Fault(`range index: got ${typeName(key)}, want int`);
  const at = key < 0 ? BigInt(key) + length : BigInt(key);
  if (at >= 0n && at < length) return range.at(at);
  throw new Fault(`range index ${key} out of range [${-length}:${length - 1n}]`);
}

/** A position from 0 for an index that may count from the end. */
function position(key: Value, length: number, type: string): number {
  if (!isInt(key)) throw new Fault(`${type} index: got ${typeName(key)}, want int`);
  const at = Number(key) < 0 ? Number(key) + length : Number(key);
  if (at >= 0 && at < length) return at;
  if (length === 0) throw new Fault(`${type} index ${key} out of range: empty ${type}`);
  throw new Fault(`${type} index ${key} out of range [${-length}:${length - 1}]`);
}

/** `target[key] = value`. @throws {Fault} at `site`. */
export function setIndex(target: Value, key: Value, value: Value, thread: Thread, site: number): void {
  try {
    if (target instanceof StarlarkDict) {
      payKey(key, thread);
      target.set(key, value);
    } else if (target instanceof StarlarkList) target.set(position(key, target.length, "list"), value);
    else throw new Fault(`${typeName(target)} value does not support item assignment`);
  } catch (error) {
    throw faultAt(error, site);
  }
}

/** `target[low:high:step]`; None stands for what was left out. @throws {Fault} at `site`. */
export function slice(
  target: Value,
  [low, high, step]: readonly [Value, Value, Value],
  thread: Thread,
  site: number,
): Value {
  try {
    const length = sequenceLength(target, thread);
    if (length === undefined || target instanceof StarlarkView) {
      throw new Fault(`invalid slice operand ${typeName(target)}`);
    }
    const stride = sliceNumber(step, "step") ?? 1;
    if (target instanceof StarlarkRange && typeof target.exactLength === "bigint") {
      return sliceLongRange(target, target.exactLength, [low, high, step]);
    }
    if (stride === 0) throw new Fault(ZERO_STEP);
    const bounds = sliceBounds(sliceNumber(low, "start"), sliceNumber(high, "end"), stride, length);
    return cut(target, bounds, thread);
  } catch (error) {
    throw faultAt(error, site);
  }
}

function sliceNumber(value: Value, what: string): number | undefined {
  if (value === null) return undefined;
  if (!isInt(value)) throw new Fault(`invalid slice ${what}: got ${typeName(value)}, want int`);
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(value)));
}

/** A slice of a range that has more elements than a number can count. */
function sliceLongRange(
  range: StarlarkRange,
  length: bigint,
  [low, high, step]: readonly [Value, Value, Value],
): Value {
  const number = (value: Value, what: string) => {
    if (value !== null && !isInt(value)) throw new Fault(`invalid slice ${what}: got ${typeName(value)}, want int`);
    return value === null ? undefined : withinSpan(BigInt(value));
  };
  const stride = number(step, "step") ?? 1n;
  if (stride === 0n) throw new Fault(ZERO_STEP);
  const [least, most] = stride > 0n ? [0n, length] : [-1n, length - 1n];
  const clamp = (index: bigint) => {
    const at = index < 0n ? index + length : index;
    return at < least ? least : at > most ? most : at;
  };
  const start = clamp(number(low, "start") ?? (stride > 0n ? 0n : most));
  const wanted = number(high, "end");
  const end = wanted === undefined ? (stride > 0n ? most : least) : clamp(wanted);
  return new StarlarkRange(range.edge(start), range.edge(end), int(withinSpan(BigInt(range.step) * stride)));
}

/** A number that is as good as the given one for bounds of 64 bits, as no two of them are so far apart. */
function withinSpan(value: bigint): bigint {
  return value > SPAN_MAX ? SPAN_MAX : value < -SPAN_MAX ? -SPAN_MAX : value;
}

const SPAN_MAX = 1n << 65n;

const ZERO_STEP = "zero is not a valid slice step";

/** Positions a slice runs over: from `start`, before `end`, by `step`. */
interface SliceBounds {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly count: number;
}

/** Bounds within `[0, length]`, or within `[-1, length - 1]` when walking backwards. */
export function sliceBounds(
  low: number | undefined,
  high: number | undefined,
  step: number,
  length: number,
): SliceBounds {
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
  const clamp = (index: number) => Math.max(least, Math.min(most, index < 0 ? index + length : index));
  const start = low === undefined ? (step > 0 ? least : most) : clamp(low);
  const end = high === undefined ? (step > 0 ? most : least) : clamp(high);
  return { start, end, step, count: Math.max(0, Math.ceil((end - start) / step)) };
}

function cut(target: Value, bounds: SliceBounds, thread: Thread): Value {
  const { start, end, step, count } = bounds;
  if (typeof target === "string") {
    const index = thread.index(target);
    if (step === 1) {
      thread.chargeText(count);
      return index.slice(start, end);
    }
    // Where characters differ in size, each has to be looked for.
    thread.charge(index.length === target.length ? Math.ceil(count / STEP_PICKED) : count);
    return pick((at) => index.at(at), bounds).join("");
  }
  if (target instanceof StarlarkBytes) {
    thread.chargeText(count);
    if (step === 1) return new StarlarkBytes(target.bytes.slice(start, start + count));
    thread.charge(Math.ceil(count / STEP_PICKED));
    return new StarlarkBytes(Uint8Array.from(pick((at) => target.bytes[at] ?? 0, bounds)));
  }
  if (target instanceof StarlarkRange) {
    const stride = int(withinSpan(BigInt(target.step) * BigInt(step)));
    return new StarlarkRange(target.edge(start), target.edge(count === 0 ? start : end), stride);
  }
  thread.chargeElements(count);
  if (target instanceof StarlarkList) return StarlarkList.of(pick((at) => target.at(at), bounds));
  const { items } = target as StarlarkTuple;
  return new StarlarkTuple(pick((at) => items[at] ?? null, bounds));
}

/** Characters picked one by one that one step pays for. */
const STEP_PICKED = 2;

function pick<T>(at: (index: number) => T, { start, step, count }: SliceBounds): T[] {
  const picked: T[] = [];
  for (let index = 0; index < count; index++) picked.push(at(start + index * step));
  return picked;
}

/** `element in container`. @throws {Fault} at `site`. */
export function contains(container: Value, element: Value, thread: Thread, site: number): boolean {
  try {
    return holds(container, element, thread);
  } catch (error) {
    throw faultAt(error, site);
  }
}

function holds(container: Value, element: Value, thread: Thread): boolean {
  if (container instanceof StarlarkDict || container instanceof StarlarkSet) payKey(element, thread);
  if (container instanceof StarlarkSet) return container.has(element);
  if (container instanceof StarlarkDict) return isHashable(element) && container.has(element);
  if (typeof container === "string") {
    if (typeof element !== "string") {
      throw new Fault(`'in <string>' requires string as left operand, not ${typeName(element)}`);
    }
    thread.chargeSearch(container.length, element.length);
    return container.includes(element);
  }
  if (container instanceof StarlarkList) {
    thread.chargeElements(container.length);
    for (let at = 0; at < container.length; at++) if (equals(container.at(at), element, thread)) return true;
    return false;
  }
  if (container instanceof StarlarkTuple) {
    thread.chargeElements(container.items.length);
    return container.items.some((item) => equals(item, element, thread));
  }
  if (container instanceof StarlarkRange) return rangeHolds(container, element);
  if (container instanceof StarlarkBytes) return bytesHold(container, element, thread);
  throw new Fault(`unknown binary op: ${typeName(element)} in ${typeName(container)}`);
}

/** What cannot be hashed is no dict's key. */
function isHashable(value: Value): boolean {
  try {
    hashKey(value);
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

function rangeHolds(range: StarlarkRange, element: Value): boolean {
  const number = isInt(element) ? Number(element) : floatOf(element);
  if (number === undefined || !Number.isFinite(number)) {
    throw new Fault(`'in <range>' requires integer as left operand, not ${typeName(element)}`);
  }
  if (!Number.isInteger(number)) return false;
  const { start, step, exactLength } = range;
  const [distance, stride] = [BigInt(isInt(element) ? element : number) - BigInt(start), BigInt(step)];
  const at = distance / stride;
  return at * stride === distance && at >= 0n && at < exactLength;
}

function bytesHold({ bytes }: StarlarkBytes, element: Value, thread: Thread): boolean {
  if (isInt(element)) {
    if (element < 0 || element > 255) throw new Fault(`int in bytes: ${element} out of range, want value in 0 to 255`);
    thread.chargeText(bytes.length);
    return bytes.includes(Number(element));
  }
  if (!(element instanceof StarlarkBytes)) {
    throw new Fault(`'in <bytes>' requires bytes or int as left operand, not ${typeName(element)}`);
  }
  thread.chargeSearch(bytes.length * 8, element.bytes.length);
  return latin1(bytes).includes(latin1(element.bytes));
}

const BYTE_CHARACTERS = new TextDecoder("latin1");

/** Bytes as text of one character each, which has a fast search. */
function latin1(bytes: Uint8Array): string {
  return BYTE_CHARACTERS.decode(bytes);
}
