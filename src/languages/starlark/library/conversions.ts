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
const BINARY_FLOAT_REGEXP = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]+)$/;
const SPECIAL_REGEXP = /^([+-]?)(inf|infinity|nan)$/i;
const INT_REGEXP = /^([+-]?)(?:0([xXoObB]))?([0-9a-zA-Z]+)$/;
/** Longest text that is read as an int. */
const INT_DIGITS_MAX = 100_000;
const RADIX_BY_LETTER: { readonly [letter: string]: number } = { x: 16, o: 8, b: 2 };
/** Powers of two beyond which no double is. */
const EXPONENT_MAX = 2_000;
const MANTISSA_BITS = 53;
/** Power of two of the smallest double. */
const LOWEST_EXPONENT = -1074;
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
  const binary = BINARY_FLOAT_REGEXP.exec(value);
  if (binary !== null) return float(binaryFloat(binary, value, thread));
  if (!FLOAT_REGEXP.test(value)) throw new Fault(`float: invalid float literal: ${repr(value, thread)}`);
  const number = Number(value);
  if (!Number.isFinite(number)) throw new Fault(`float: floating-point number too large: ${repr(value, thread)}`);
  return float(number);
}

/** The float that `0x1.8p-3` stands for: hexadecimal digits times a power of two, rounded to the nearest, then to even. */
function binaryFloat([, sign, whole = "", part = "", power = ""]: RegExpExecArray, text: string, thread: Thread) {
  const digits = whole + part;
  if (digits === "") throw new Fault(`float: invalid float literal: ${repr(text, thread)}`);
  const mantissa = BigInt(`0x${digits}`);
  const bits = mantissa.toString(16).length * 4;
  // Beyond these powers the result is 0 or too large whatever the digits are.
  const exponent = Math.max(-bits - EXPONENT_MAX, Math.min(EXPONENT_MAX, Number(power) - 4 * part.length));
  const number = scaled(mantissa, exponent);
  if (!Number.isFinite(number)) throw new Fault(`float: floating-point number too large: ${repr(text, thread)}`);
  return sign === "-" ? -number : number;
}

/** `mantissa * 2 ** exponent`, rounded once. */
function scaled(mantissa: bigint, exponent: number): number {
  if (mantissa === 0n) return 0;
  const length = mantissa.toString(2).length;
  // The lowest bit that a double of this size keeps.
  const lowest = Math.max(length + exponent - MANTISSA_BITS, LOWEST_EXPONENT);
  const dropped = lowest - exponent;
  let kept = mantissa;
  if (dropped > 0) {
    const half = 1n << BigInt(dropped - 1);
    const rest = mantissa & ((half << 1n) - 1n);
    kept = mantissa >> BigInt(dropped);
    if (rest > half || (rest === half && (kept & 1n) === 1n)) kept++;
  } else kept <<= BigInt(-dropped);
  // In two factors, since the power alone may be too large or too small where the product is not.
  const first = Math.trunc(lowest / 2);
  return Number(kept) * 2 ** first * 2 ** (lowest - first);
}

function toInt(value: Value, base: Value | undefined, thread: Thread): Value {
  if (typeof value === "string") {
    const radix = base === undefined ? 10 : intArgument(base, { owner: "int", parameter: "base" });
    if (radix !== 0 && (radix < RADIX_MIN || radix > RADIX_MAX)) {
      throw new Fault(`int: invalid base ${radix}, base must be 0 or an integer >= ${RADIX_MIN} && <= ${RADIX_MAX}`);
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
