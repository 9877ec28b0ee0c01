/** Owns the reading of JSON text into values. */

import { intText } from "../operations/integer.ts";
import { StarlarkDict } from "../values/dict.ts";
import { Fault } from "../values/fault.ts";
import { StarlarkList } from "../values/list.ts";
import type { Thread } from "../values/thread.ts";
import { float, int, type Value } from "../values/value.ts";

/** How deep JSON may nest. */
const JSON_DEPTH_MAX = 500;
/** Most digits of an int: reading them costs the square of their number. */
const INT_DIGITS_MAX = 10_000;
const SPACE_REGEXP = /[ \t\r\n]*/y;
const NUMBER_REGEXP = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([["null", null], ["true", true], ["false", false]]);

/** Reads one JSON text. A number without point and exponent is an int, any other a float. @throws {Fault} */
export function readJson(text: string, thread: Thread): Value {
  return new JsonReader(text, thread).read();
}

class JsonReader {
  readonly #text: string;
  readonly #thread: Thread;
  #at = 0;

  constructor(text: string, thread: Thread) {
    this.#text = text;
    this.#thread = thread;
  }

  read(): Value {
    this.#thread.chargeText(this.#text.length);
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) throw this.#fault("unexpected text after the value");
    return value;
  }

  #value(depth: number): Value {
    if (depth > JSON_DEPTH_MAX) throw this.#fault(`nested deeper than ${JSON_DEPTH_MAX} levels`);
    this.#thread.charge(1);
    this.#space();
    const char = this.#text[this.#at];
    if (char === "{") return this.#object(depth);
    if (char === "[") return this.#array(depth);
    if (char === '"') return this.#string();
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    const number = this.#match(NUMBER_REGEXP);
    if (number === undefined) {
      throw this.#fault(char === undefined ? "unexpected end" : `unexpected ${JSON.stringify(char)}`);
    }
    return this.#number(number);
  }

  #number(text: string): Value {
    if (/[.eE]/.test(text)) {
      const value = Number(text);
      if (!Number.isFinite(value)) throw this.#fault(`number ${text} is too large for a float`);
      return float(value);
    }
    if (text.length > INT_DIGITS_MAX) throw this.#fault(`int of more than ${INT_DIGITS_MAX} digits`);
    const small = Number(text);
    if (Number.isSafeInteger(small)) return small + 0;
    const value = BigInt(text);
    intText(value, this.#thread);
    return int(value);
  }

  #string(): string {
    const start = this.#at;
    let end = start;
    do {
      end = this.#text.indexOf('"', end + 1);
      if (end === -1) throw this.#fault("string is not closed");
    } while (this.#isEscaped(end));
    this.#at = end + 1;
    try {
      // A lone surrogate is no character: it would leave the script as invalid UTF-8.
      return (JSON.parse(this.#text.slice(start, end + 1)) as string).toWellFormed();
    } catch {
      // The one thing wrong with it can be what is between the quotes.
      throw this.#fault("string holds a control character or a bad escape");
    }
  }

  /** Whether an odd number of backslashes stands before an offset. */
  #isEscaped(offset: number): boolean {
    let backslashes = 0;
    while (this.#text[offset - 1 - backslashes] === "\\") backslashes++;
    return backslashes % 2 === 1;
  }

  #array(depth: number): Value {
    const items: Value[] = [];
    this.#at++;
    if (this.#accept("]")) return StarlarkList.of(items);
    do items.push(this.#value(depth + 1)); while (this.#accept(","));
    if (!this.#accept("]")) throw this.#fault("want , or ]");
    return StarlarkList.of(items);
  }

  #object(depth: number): Value {
    const dict = StarlarkDict.empty();
    this.#at++;
    if (this.#accept("}")) return dict;
    do {
      this.#space();
      if (this.#text[this.#at] !== '"') throw this.#fault("want a string as key");
      const key = this.#string();
      if (dict.has(key)) throw this.#fault(`object has duplicate key ${JSON.stringify(key)}`);
      if (!this.#accept(":")) throw this.#fault("want :");
      dict.set(key, this.#value(depth + 1));
    } while (this.#accept(","));
    if (!this.#accept("}")) throw this.#fault("want , or }");
    return dict;
  }

  #accept(char: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #space(): void {
    this.#match(SPACE_REGEXP);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text)?.[0];
    if (match !== undefined) this.#at += match.length;
    return match;
  }

  #fault(problem: string): Fault {
    return new Fault(`json.decode: at offset ${this.#at}, ${problem}`);
  }
}
