/** Owns the built-in functions over sequences. */

import { compare, truth } from "../operations/comparison.ts";
import { sequenceLength } from "../operations/indexing.ts";
import type { NativeFunction } from "../values/callable.ts";
import { Fault } from "../values/fault.ts";
import { StarlarkDict } from "../values/dict.ts";
import { StarlarkList } from "../values/list.ts";
import { shortText } from "../syntax/short_text.ts";
import { MutableObject } from "../values/mutable.ts";
import { StarlarkSet } from "../values/set.ts";
import type { Thread } from "../values/thread.ts";
import { int, isInt, StarlarkRange, StarlarkTuple, typeName, type Value } from "../values/value.ts";
import { booleanArgument, callableArgument, elementsArgument } from "./arguments.ts";
import { native, wrongType } from "./native.ts";

/** Comparisons of a sort that one step pays for. */
const STEP_COMPARISONS = 4;
/** Ints of 64 bits: those that a range can begin at, end before and go by. */
const WIDE_MIN = -(2n ** 63n);
const WIDE_MAX = 2n ** 63n - 1n;
/** Digits of another one that a fault shows. */
const INT_SHOWN_MAX = 40;

/** The functions. */
export const SEQUENCE_FUNCTIONS: readonly NativeFunction[] = [
  native("all", "iterable /", (thread, [x]) => elementsArgument(x, thread, iterableOf("all")).every(truth)),
  native("any", "iterable /", (thread, [x]) => elementsArgument(x, thread, iterableOf("any")).some(truth)),
  native("enumerate", "iterable start? /", (thread, [iterable, start]) => {
    const first = start === undefined ? 0 : wideInt(start, "enumerate", "start");
    const found = elementsArgument(iterable, thread, iterableOf("enumerate"));
    thread.charge(Math.ceil(found.length / STEP_COMPARISONS));
    const at = (index: number) =>
      typeof first === "number" && Number.isSafeInteger(first + index)
        ? first + index
        : int(BigInt(first) + BigInt(index));
    return StarlarkList.of(found.map((element, index) => new StarlarkTuple([at(index), element])));
  }),
  native("len", "x /", (thread, [x]) => length(x ?? null, thread)),
  native("max", "*args key?", (thread, [key], rest) => {
    return whileLocked(rest[0], rest.length === 1 ? key : undefined, () => extreme("max", rest, key, thread));
  }),
  native("min", "*args key?", (thread, [key], rest) => {
    return whileLocked(rest[0], rest.length === 1 ? key : undefined, () => extreme("min", rest, key, thread));
  }),
  native("range", "start stop? step? /", (_thread, args) => range(args)),
  native("reversed", "sequence /", (thread, [x]) => {
    return StarlarkList.of([...elementsArgument(x, thread, iterableOf("reversed"))].reverse());
  }),
  native("sorted", "iterable key? reverse?", (thread, [iterable, key, reverse]) => {
    const found = elementsArgument(iterable, thread, iterableOf("sorted"));
    return whileLocked(iterable, key, () => sorted(found, key, reverse, thread));
  }),
  native("zip", "*args", (thread, _args, rest) => {
    const columns = rest.map((each) => elementsArgument(each, thread, iterableOf("zip")));
    const count = columns.length === 0 ? 0 : Math.min(...columns.map((column) => column.length));
    thread.charge(Math.ceil(count * (1 + columns.length) / STEP_COMPARISONS));
    const row = (at: number) => new StarlarkTuple(columns.map((column) => column[at] ?? null));
    return StarlarkList.of(Array.from({ length: count }, (_, at) => row(at)));
  }),
];

function iterableOf(owner: string) {
  return { owner, parameter: "iterable" };
}

function length(value: Value, thread: Thread): number | bigint {
  if (value instanceof StarlarkSet) return value.size;
  if (value instanceof StarlarkDict) {
    const { size } = value;
    // The members of a message's object have to be counted.
    if (value.isRecord && value.owned) thread.chargeMembers(size);
    return size;
  }
  if (value instanceof StarlarkRange) return value.exactLength;
  const count = sequenceLength(value, thread);
  if (count === undefined) throw new Fault(`len: value of type ${typeName(value)} has no len`);
  return count;
}

/** The argument as an int of 64 bits. */
function wideInt(value: Value | undefined, owner: string, parameter: string): number | bigint {
  if (value === undefined || !isInt(value)) throw wrongType(owner, parameter, value, "int");
  if (value < WIDE_MIN || value > WIDE_MAX) {
    throw new Fault(`${owner}: for parameter ${parameter}: ${shortText(String(value), INT_SHOWN_MAX)} is out of range`);
  }
  return value;
}

function range([first, second, third]: readonly (Value | undefined)[]): StarlarkRange {
  const bound = (value: Value | undefined, parameter: string) => wideInt(value, "range", parameter);
  const step = third === undefined ? 1 : bound(third, "step");
  if (step === 0) throw new Fault("range: step argument must not be zero");
  if (second === undefined) return new StarlarkRange(0, bound(first, "stop"), 1);
  return new StarlarkRange(bound(first, "start"), bound(second, "stop"), step);
}

/** Keeps the function `key` from changing what is gone through with it. */
function whileLocked<T>(iterable: Value | undefined, key: Value | undefined, work: () => T): T {
  if (key === undefined || !(iterable instanceof MutableObject)) return work();
  iterable.lock();
  try {
    return work();
  } finally {
    iterable.unlock();
  }
}

/** The value that `key` gives for an element; the element itself without a key. */
function keyOf(element: Value, key: Value | undefined, owner: string, thread: Thread): Value {
  if (key === undefined) return element;
  thread.charge(1);
  return callableArgument(key, { owner, parameter: "key" }).call(thread, [element], null);
}

function extreme(name: "min" | "max", args: readonly Value[], key: Value | undefined, thread: Thread): Value {
  if (args.length === 0) throw new Fault(`${name} requires at least one positional argument`);
  const candidates = args.length === 1 ? elementsArgument(args[0], thread, iterableOf(name)) : args;
  if (candidates.length === 0) throw new Fault(`${name}: argument is an empty iterable`);
  thread.charge(Math.ceil(candidates.length / STEP_COMPARISONS));
  let best = candidates[0] ?? null;
  let bestKey = keyOf(best, key, name, thread);
  for (const candidate of candidates.slice(1)) {
    const candidateKey = keyOf(candidate, key, name, thread);
    const order = compare(candidateKey, bestKey, thread, name === "min" ? "<" : ">");
    if (name === "min" ? order < 0 : order > 0) [best, bestKey] = [candidate, candidateKey];
  }
  return best;
}

/** Stable, in reverse too: equal elements keep their order. */
function sorted(
  elements: readonly Value[],
  key: Value | undefined,
  reverse: Value | undefined,
  thread: Thread,
): StarlarkList {
  const count = elements.length;
  thread.charge(Math.ceil(count * Math.log2(count + 1) / STEP_COMPARISONS));
  const direction = booleanArgument(reverse, { owner: "sorted", parameter: "reverse" }) ? -1 : 1;
  const keyed = elements.map((element) => ({ element, key: keyOf(element, key, "sorted", thread) }));
  keyed.sort((a, b) => direction * compare(a.key, b.key, thread));
  return StarlarkList.of(keyed.map(({ element }) => element));
}
