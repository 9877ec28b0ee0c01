/** Owns the functions that generated code calls. */

import { add, arithmetic, divide, multiply, subtract, unary } from "../operations/arithmetic.ts";
import { atLeast, atMost, equal, greater, less, truth } from "../operations/comparison.ts";
import { copyMembers } from "../operations/concatenation.ts";
import { contains, getIndex, setIndex, slice } from "../operations/indexing.ts";
import { elements, isIterable, open, unpack } from "../operations/iteration.ts";
import { payKey } from "../operations/paid_key.ts";
import { repr } from "../operations/text.ts";
import { functionTemplate, type NamedArguments, StarlarkFunction } from "../values/callable.ts";
import { EMPTY_RECORD, isPlain, StarlarkDict } from "../values/dict.ts";
import { Fault, faultAt } from "../values/fault.ts";
import { StarlarkList } from "../values/list.ts";
import { exhausted, type Thread } from "../values/thread.ts";
import { StarlarkFloat, StarlarkTuple, typeName, type Value } from "../values/value.ts";
import { call, callMethod, getAttribute, setAttribute } from "./attributes.ts";
import { dictIn, finish, finishReading, openDict, openPayload } from "./bindings.ts";

function listOf(items: Value[]): StarlarkList {
  return StarlarkList.of(items);
}

function tupleOf(items: readonly Value[]): StarlarkTuple {
  return new StarlarkTuple(items);
}

function emptyDict(): StarlarkDict {
  return StarlarkDict.empty();
}

/** A dict display: keys and values in turn. */
function dictOf(flat: readonly Value[], thread: Thread, site: number): StarlarkDict {
  const dict = StarlarkDict.empty();
  try {
    for (let index = 0; index < flat.length; index += 2) {
      const key = flat[index] ?? null;
      payKey(key, thread);
      if (dict.has(key)) throw new Fault(`duplicate key: ${repr(key, thread)}`);
      dict.set(key, flat[index + 1] ?? null);
    }
  } catch (error) {
    throw faultAt(error, site);
  }
  return dict;
}

/** The dict of a `**kwargs` parameter. */
function dictOfPairs(pairs: readonly (readonly [string, Value])[]): StarlarkDict {
  const dict = StarlarkDict.empty();
  for (const [key, value] of pairs) dict.set(key, value);
  return dict;
}

/** One turn of a dict comprehension. */
function putInDict(dict: StarlarkDict, key: Value, value: Value, thread: Thread, site: number): void {
  try {
    payKey(key, thread);
    dict.set(key, value);
  } catch (error) {
    throw faultAt(error, site);
  }
}

/** Positional arguments with those of `*sequence` behind them. */
function withSequence(args: readonly Value[], sequence: Value, thread: Thread, site: number): Value[] {
  try {
    if (!isIterable(sequence)) throw new Fault(`argument after * must be iterable, not ${typeName(sequence)}`);
    return [...args, ...elements(sequence, thread)];
  } catch (error) {
    throw faultAt(error, site);
  }
}

/** Named arguments with those of `**mapping` behind them. */
function withMapping(
  named: readonly (readonly [string, Value])[],
  mapping: Value,
  thread: Thread,
  site: number,
): NamedArguments {
  try {
    if (!(mapping instanceof StarlarkDict)) {
      throw new Fault(`argument after ** must be a mapping, not ${typeName(mapping)}`);
    }
    thread.chargeKeys(mapping.size);
    const values = mapping.values();
    const more = mapping.keys().map((key, index): [string, Value] => {
      if (typeof key !== "string") throw new Fault(`keywords must be strings, not ${typeName(key)}`);
      return [key, values[index] ?? null];
    });
    return [...named, ...more];
  } catch (error) {
    throw faultAt(error, site);
  }
}

/** `old += value`: a list grows in place. */
function addInPlace(old: Value, value: Value, thread: Thread, site: number): Value {
  if (!(old instanceof StarlarkList) || !isIterable(value)) return add(old, value, thread, site);
  try {
    old.extend(elements(value, thread));
  } catch (error) {
    throw faultAt(error, site);
  }
  return old;
}

/** `old |= value` and the like: a dict grows in place. */
function combineInPlace(operator: "|", old: Value, value: Value, thread: Thread, site: number): Value {
  if (!(old instanceof StarlarkDict) || !(value instanceof StarlarkDict)) {
    return arithmetic(operator, old, value, thread, site);
  }
  try {
    old.checkMutable("apply |= to");
    copyMembers(value, old, thread);
  } catch (error) {
    throw faultAt(error, site);
  }
  return old;
}

/** Shows the value of an expression on a console, which None is not worth. */
function show(value: Value, thread: Thread, site: number): void {
  if (value === null) return;
  try {
    thread.show(repr(value, thread));
  } catch (error) {
    throw faultAt(error, site);
  }
}

/** What a variable without a value does. */
function unset(what: string, site: number): never {
  throw faultAt(new Fault(`${what} referenced before assignment`), site);
}

/** What a run without steps left does. */
function spent(thread: Thread, site: number): never {
  throw faultAt(exhausted(thread.stepsMax), site);
}

/** By the names under which generated code calls them. */
export const RUNTIME = {
  add,
  addInPlace,
  arithmetic,
  atLeast,
  atMost,
  call,
  callMethod,
  combineInPlace,
  contains,
  dictIn,
  dictOf,
  dictOfPairs,
  divide,
  EMPTY_RECORD,
  emptyDict,
  equal,
  finish,
  finishReading,
  getAttribute,
  getIndex,
  greater,
  isPlain,
  less,
  listOf,
  multiply,
  open,
  openDict,
  openPayload,
  putInDict,
  setAttribute,
  setIndex,
  show,
  slice,
  spent,
  StarlarkDict,
  StarlarkFloat,
  StarlarkFunction,
  subtract,
  template: functionTemplate,
  truth,
  tupleOf,
  unary,
  unpack,
  unset,
  withMapping,
  withSequence,
} as const;
