/** Owns the built-in functions that make a value of one type out of another. */

import { truth } from "../operations/comparison.ts";
import { chargeProduct, intToFloat } from "../operations/integer.ts";
import { isIterable } from "../operations/iteration.ts";
import { payKeys } from "../operations/paid_key.ts";
import { repr, str } from "../operations/text.ts";
import type { NativeFunction } from "../values/callable.ts";
import { StarlarkDict } from "../values/dict.ts";
import { Fault } from "../values/fault.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkSet } from "../values/set.ts";
import type { Thread } from "../values/thread.ts";
import { float, floatOf, int, isInt, StarlarkBytes, StarlarkTuple, typeName, type Value } from "../values/value.ts";
import { elementsArgument, intArgument } from "./arguments.ts";
import { updateDict } from "./dict_methods.ts";
import { native } from "./native.ts";

const FLOAT_REGEXP = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const SPECIAL_REGEXP = /^([+-]?)(inf|infinity|nan)$/i;
const INT_REGEXP = /^([+-]?)(?:0([xXoObB]))?([0-9a-zA-Z]+)$/;
/** Longest text that is read as an int. */
const INT_DIGITS_MAX = 100_000;
const RADIX_BY_LETTER: { readonly [letter: string]: number } = { x: 16, o: 8, b: 2 };
const RADIX_MIN = 2;
const RADIX_MAX = 36;

/** The functions. */
export const CONVERSIONS: readonly NativeFunction[] = [
  native("bool", "x? /", (_thread, [x]) => x !== undefined && truth(x)),
  native("bytes", "x /", (thread, [x]) => toBytes(x ?? null, thread)),
  native("dict", "pairs? / **members", (thread, args, _rest, extra) => {
    const dict = StarlarkDict.empty();
    updateDict(dict, args, extra, { thread, owner: "dict" });
    return dict;
  }),
  native("float", "x? /", (thread, [x]) => x === undefined ? float(0) : toFloat(x, thread)),
  native("int", "x base?", (thread, [x, base]) => toInt(x ?? null, base, thread)),
  native("list", "x? /", (thread, [x]) => {
    if (x === undefined) return StarlarkList.of([]);
    return StarlarkList.of([...elementsArgument(x, thread, { owner: "list", parameter: "iterable" })]);
  }),
  native("repr", "x /", (thread, [x]) => repr(x ?? null, thread)),
  native("set", "x? /", (thread, [x]) => {
    if (x === undefined) return StarlarkSet.of([]);
    const found = elementsArgument(x, thread, { owner: "set", parameter: "iterable" });
    payKeys(found, thread);
    return StarlarkSet.of(found);
  }),
  native("str", "x /", (thread, [x]) => str(x ?? null, thread)),
  native("tuple", "x? /", (thread, [x]) => {
    if (x === undefined) return new StarlarkTuple([]);
    if (x instanceof StarlarkTuple) return x;
    return new StarlarkTuple([...elementsArgument(x, thread, { owner: "tuple", parameter: "iterable" })]);
  }),
  native("type", "x /", (_thread, [x]) => typeName(x ?? null)),
];

function toBytes(value: Value, thread: Thread): Value {
  if (value instanceof StarlarkBytes) return value;
  if (typeof value === "string") {
    thread.chargeText(value.length);
    return new StarlarkBytes(new TextEncoder().encode(value));
  }
  if (!isIterable(value)) throw new Fault(`bytes: got ${typeName(value)}, want string, bytes, or iterable of ints`);
  const found = elementsArgument(value, thread, { owner: "bytes", parameter: "x" });
  thread.chargeElements(found.length);
  return new StarlarkBytes(Uint8Array.from(found, (element, index) => {
    if (!isInt(element)) throw new Fault(`bytes: at index ${index}: got ${typeName(element)}, want int`);
    if (element < 0 || element > 255) throw new Fault(`bytes: at index ${index}: ${element} out of range 0 to 255`);
    return Number(element);
  }));
}

function toFloat(value: Value, thread: Thread): Value {
  if (typeof value === "boolean") return float(Number(value));
  if (isInt(value)) return float(intToFloat(value));
  if (floatOf(value) !== undefined) return value;
  if (typeof value !== "string") throw new Fault(`float: got ${typeName(value)}, want number or string`);
  thread.chargeText(value.length);
  const special = SPECIAL_REGEXP.exec(value);
  if (special !== null) {
    if (special[2]?.toLowerCase() === "nan") return NaN;
    return special[1] === "-" ? -Infinity : Infinity;
  }
  if (!FLOAT_REGEXP.test(value)) throw new Fault(`float: invalid float literal: ${repr(value, thread)}`);
  const number = Number(value);
  if (!Number.isFinite(number)) throw new Fault(`float: floating-point number too large: ${repr(value, thread)}`);
  return float(number);
}

function toInt(value: Value, base: Value | undefined, thread: Thread): Value {
  if (typeof value === "string") {
    const radix = base === undefined ? 10 : intArgument(base, { owner: "int", parameter: "base" });
    if (radix !== 0 && (radix < RADIX_MIN || radix > RADIX_MAX)) {
      throw new Fault(`int: invalid base ${radix}, want 0 or ${RADIX_MIN} to ${RADIX_MAX}`);
    }
    const parsed = parseInteger(value, radix, thread);
    if (parsed !== undefined) return int(parsed);
    throw new Fault(`int: invalid literal with base ${radix}: ${repr(value, thread)}`);
  }
  if (base !== undefined) throw new Fault("int: a base can be given for a string only");
  if (typeof value === "boolean") return Number(value);
  if (isInt(value)) return value;
  const number = floatOf(value);
  if (number === undefined) throw new Fault(`int: got ${typeName(value)}, want string, number or bool`);
  return wholeInt(Math.trunc(number), number);
}

/** The int of a whole float. @throws {Fault} when the float is not finite. */
export function wholeInt(whole: number, original: number): Value {
  if (Number.isNaN(original)) throw new Fault("cannot convert float NaN to integer");
  if (!Number.isFinite(original)) throw new Fault("cannot convert float infinity to integer");
  return int(BigInt(whole));
}

/** The int that a text with an optional sign and prefix stands for; undefined when it stands for none. */
function parseInteger(text: string, base: number, thread: Thread): bigint | undefined {
  thread.chargeText(text.length);
  if (text.length > INT_DIGITS_MAX) throw new Fault(`int: ${text.length} characters are more than ${INT_DIGITS_MAX}`);
  const match = INT_REGEXP.exec(text);
  if (match === null) return undefined;
  const [, sign, letter] = match;
  let digits = match[3] ?? "";
  let radix = base;
  if (letter !== undefined) {
    const prefixed = RADIX_BY_LETTER[letter.toLowerCase()] ?? 10;
    if (base === 0 || base === prefixed) radix = prefixed;
    else digits = `0${letter}${digits}`;
  } else if (base === 0) {
    radix = 10;
    if (/^0+[1-9]/.test(digits)) return undefined;
  }
  const value = digitsValue(digits.toLowerCase(), radix, thread);
  return value === undefined || sign !== "-" ? value : -value;
}

function digitsValue(digits: string, radix: number, thread: Thread): bigint | undefined {
  const allowed = "0123456789abcdefghijklmnopqrstuvwxyz".slice(0, radix);
  for (const digit of digits) if (!allowed.includes(digit)) return undefined;
  if (radix === 10) {
    // Reading decimal digits costs about the square of their number, like multiplying.
    const size = 1n << BigInt(Math.ceil(digits.length * 3.4));
    chargeProduct(thread, size, size);
    return BigInt(digits);
  }
  let value = 0n;
  const factor = BigInt(radix);
  for (let at = 0; at < digits.length; at++) {
    value = value * factor + BigInt(Number.parseInt(digits[at] ?? "0", radix));
    if (at % 64 === 63) chargeProduct(thread, value, value);
  }
  return value;
}
