/** Owns the names that every script has: the language's own and those of a pipeline. */

import { codePointText } from "../operations/percent_format.ts";
import { negateInt } from "../operations/integer.ts";
import { payKey } from "../operations/paid_key.ts";
import { str } from "../operations/text.ts";
import { attributeNames, findAttribute, missingAttribute } from "../run/attributes.ts";
import type { NativeFunction } from "../values/callable.ts";
import { StarlarkDict } from "../values/dict.ts";
import { Fault } from "../values/fault.ts";
import { StarlarkList } from "../values/list.ts";
import type { Thread } from "../values/thread.ts";
import { float, floatOf, isInt, StarlarkBytes, type StarlarkModule, typeName, type Value } from "../values/value.ts";
import { textArgument } from "./arguments.ts";
import { CONVERSIONS } from "./conversions.ts";
import { JSON_MODULE, SAFE_JSON_DECODE } from "./json_module.ts";
import { MATH_MODULE } from "./math_module.ts";
import { native, wrongType } from "./native.ts";
import { SEQUENCE_FUNCTIONS } from "./sequences.ts";

/** Characters printed that one step pays for: they go into a log. */
const STEP_PRINTED = 16;
const CODE_POINT_MAX = 0x10ffff;

const OTHER_FUNCTIONS: readonly NativeFunction[] = [
  native("abs", "x /", (thread, [x]) => {
    const value = x ?? null;
    if (isInt(value)) return value < 0 ? negateInt(value, thread) : value;
    const number = floatOf(value);
    if (number === undefined) throw wrongType("abs", "x", x, "number");
    return float(Math.abs(number));
  }),
  native("chr", "i /", (_thread, [i]) => {
    const value = i ?? null;
    if (!isInt(value)) throw wrongType("chr", "i", i, "int");
    if (value < 0 || value > CODE_POINT_MAX) {
      throw new Fault(`chr: Unicode code point ${value} out of range (<0 or >0x10FFFF)`);
    }
    return codePointText(Number(value));
  }),
  native("dir", "x /", (_thread, [x]) => StarlarkList.of(attributeNames(x ?? null))),
  native("fail", "*args sep?", (thread, [sep], rest) => {
    throw new Fault(`fail: ${joined(thread, rest, sep)}`);
  }),
  native("getattr", "x name default? /", (_thread, [x, name, fallback]) => {
    const key = textArgument(name, { owner: "getattr", parameter: "name" });
    const value = findAttribute(x ?? null, key) ?? fallback;
    if (value === undefined) throw missingAttribute(x ?? null, key);
    return value;
  }),
  native("hasattr", "x name /", (_thread, [x, name]) => {
    return findAttribute(x ?? null, textArgument(name, { owner: "hasattr", parameter: "name" })) !== undefined;
  }),
  native("hash", "x /", (thread, [x]) => hash(x ?? null, thread)),
  native("ord", "x /", (_thread, [x]) => {
    if (x instanceof StarlarkBytes && x.bytes.length === 1) return x.bytes[0] ?? 0;
    if (typeof x === "string") {
      const [first, second] = x.slice(0, 4);
      if (first !== undefined && second === undefined) return first.codePointAt(0) ?? 0;
      throw new Fault("ord: string encodes a number of code points that is not 1");
    }
    throw new Fault(`ord: got ${typeName(x ?? null)}, want a string or bytes of length 1`);
  }),
  native("print", "*args sep?", (thread, [sep], rest) => {
    const text = joined(thread, rest, sep);
    thread.charge(Math.ceil(text.length / STEP_PRINTED));
    thread.print(text);
    return null;
  }),
];

function joined(thread: Thread, values: readonly Value[], sep: Value | undefined): string {
  const separator = sep === undefined ? " " : textArgument(sep, { owner: "print", parameter: "sep" });
  const parts = values.map((value) => {
    const text = str(value, thread);
    thread.chargeText(text.length + separator.length);
    return text;
  });
  return parts.join(separator);
}

/** The hash of a string is the sum over its UTF-16 units that Java defines; that of bytes is FNV-1a. */
function hash(value: Value, thread: Thread): number {
  if (typeof value === "string") {
    thread.charge(Math.ceil(value.length / 8));
    let sum = 0;
    for (let at = 0; at < value.length; at++) sum = (Math.imul(sum, 31) + value.charCodeAt(at)) | 0;
    return sum;
  }
  if (value instanceof StarlarkBytes) {
    thread.charge(Math.ceil(value.bytes.length / 8));
    let sum = 0x811c9dc5;
    for (const byte of value.bytes) sum = Math.imul(sum ^ byte, 0x01000193);
    return sum >>> 0;
  }
  throw new Fault(`hash: got ${typeName(value)}, want string or bytes`);
}

const REMOVE = native("remove", "mapping key /", (thread, [mapping, key]) => {
  if (!(mapping instanceof StarlarkDict)) throw wrongType("remove", "mapping", mapping, "dict");
  payKey(key ?? null, thread);
  mapping.delete(key ?? null);
  return null;
});

function named(functions: readonly NativeFunction[]): [string, Value][] {
  return functions.map((each) => [each.name, each]);
}

/** The language's own names. */
export const UNIVERSAL: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["None", null],
  ["True", true],
  ["False", false],
  ...named(CONVERSIONS),
  ...named(SEQUENCE_FUNCTIONS),
  ...named(OTHER_FUNCTIONS),
]);

/** Modules that are there without `load`, and that `load` offers. */
export const MODULES: ReadonlyMap<string, StarlarkModule> = new Map([["json", JSON_MODULE], ["math", MATH_MODULE]]);

/** Names of a pipeline, those that have a value of their own left out. */
export const PREDECLARED: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...MODULES,
  ...named([REMOVE, SAFE_JSON_DECODE]),
]);
