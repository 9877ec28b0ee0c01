/** Owns the `%` operator on strings. */

import { StarlarkDict } from "../values/dict.ts";
import { Fault } from "../values/fault.ts";
import type { Thread } from "../values/thread.ts";
import { floatOf, isInt, StarlarkTuple, typeName, type Value } from "../values/value.ts";
import { formatFloat } from "./float_text.ts";
import { type Int, intText, intToFloat, words } from "./integer.ts";
import { repr, str } from "./text.ts";

const CONVERSION_REGEXP = /%(?:\(([^)]*)\))?(.?)/syu;
/** Words of an int in another base that one step pays for. */
const STEP_WORDS = 16;

/** `format % values`. @throws {Fault} when values are missing, left over or of the wrong type. */
export function formatPercent(format: string, values: Value, thread: Thread): string {
  return new PercentFormat(values, thread).format(format);
}

class PercentFormat {
  readonly #values: Value;
  readonly #items: readonly Value[];
  readonly #thread: Thread;
  #next = 0;
  #usedMapping = false;

  constructor(values: Value, thread: Thread) {
    this.#values = values;
    this.#items = values instanceof StarlarkTuple ? values.items : [values];
    this.#thread = thread;
  }

  format(format: string): string {
    this.#thread.chargeText(format.length);
    const parts: string[] = [];
    let done = 0;
    // One by one, as the first that fails ends it: to look for all of them first could take the square of the length.
    for (let at = format.indexOf("%"); at !== -1; at = format.indexOf("%", done)) {
      CONVERSION_REGEXP.lastIndex = at;
      const [written = "", key, conversion = ""] = CONVERSION_REGEXP.exec(format) ?? [];
      const shown = this.#conversion(key, conversion);
      this.#thread.charge(1);
      this.#thread.chargeText(shown.length);
      parts.push(format.slice(done, at), shown);
      done = at + written.length;
    }
    if (this.#next < this.#items.length && !this.#usedMapping && !(this.#values instanceof StarlarkDict)) {
      throw new Fault("too many arguments for format string");
    }
    return parts.join("") + format.slice(done);
  }

  #conversion(key: string | undefined, conversion: string): string {
    if (conversion === "") throw new Fault("incomplete format: % at the end of the format string");
    if (conversion === "%" && key === undefined) return "%";
    if (conversion === "(" && key === undefined) throw new Fault("incomplete format key: a ) is missing");
    return convert(conversion, key === undefined ? this.#positional() : this.#member(key), this.#thread);
  }

  #positional(): Value {
    if (this.#next >= this.#items.length) throw new Fault("not enough arguments for format string");
    return this.#items[this.#next++] ?? null;
  }

  #member(key: string): Value {
    this.#usedMapping = true;
    if (!(this.#values instanceof StarlarkDict)) throw new Fault("format requires a mapping");
    const value = this.#values.getMember(key);
    if (value === undefined) throw new Fault(`key not found: ${key}`);
    return value;
  }
}

function convert(conversion: string, value: Value, thread: Thread): string {
  switch (conversion) {
    case "s":
      return str(value, thread);
    case "r":
      return repr(value, thread);
    case "d":
    case "i":
      return intText(wholeNumber(conversion, value), thread);
    case "o":
      return radixText(wholeNumber(conversion, value), 8, thread);
    case "x":
      return radixText(wholeNumber(conversion, value), 16, thread);
    case "X":
      return radixText(wholeNumber(conversion, value), 16, thread).toUpperCase();
    case "e":
    case "f":
    case "g":
    case "E":
    case "F":
    case "G":
      return formatFloat(floatNumber(conversion, value), conversion);
    case "c":
      return character(value);
    default:
      throw new Fault(`unknown conversion %${conversion}`);
  }
}

function wholeNumber(conversion: string, value: Value): Int {
  if (isInt(value)) return value;
  const number = floatOf(value);
  if (number === undefined || !Number.isFinite(number)) {
    throw new Fault(`%${conversion} format requires an integer, got ${typeName(value)}`);
  }
  return BigInt(Math.trunc(number));
}

function floatNumber(conversion: string, value: Value): number {
  const number = isInt(value) ? intToFloat(value) : floatOf(value);
  if (number === undefined) throw new Fault(`%${conversion} format requires a float, got ${typeName(value)}`);
  return number;
}

function radixText(value: Int, radix: number, thread: Thread): string {
  thread.charge(Math.ceil(words(value) / STEP_WORDS));
  return (Object.is(value, -0) ? 0 : value).toString(radix);
}

function character(value: Value): string {
  if (typeof value === "string" && [...value.slice(0, 3)].length === 1) return value;
  if (isInt(value) && value >= 0 && value <= 0x10ffff) return codePointText(Number(value));
  throw new Fault(`%c format requires a single-character string or a code point, got ${typeName(value)}`);
}

/** A code point as text; a lone surrogate, which is no character, becomes the replacement character. */
export function codePointText(code: number): string {
  return code >= 0xd800 && code <= 0xdfff ? "\ufffd" : String.fromCodePoint(code);
}
