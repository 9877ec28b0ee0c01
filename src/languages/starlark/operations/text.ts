/** Owns the text of values: what `str` and `repr` give. */

import { BoundMethod, Callable } from "../values/callable.ts";
import { StarlarkDict } from "../values/dict.ts";
import { Fault } from "../values/fault.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkSet } from "../values/set.ts";
import type { Thread } from "../values/thread.ts";
import {
  floatOf,
  isInt,
  StarlarkBytes,
  StarlarkModule,
  type StarlarkObject,
  StarlarkRange,
  StarlarkTuple,
  StarlarkView,
  typeName,
  type Value,
} from "../values/value.ts";
import { floatText } from "./float_text.ts";
import { intText } from "./integer.ts";
import { PaidText } from "./paid_text.ts";
import { utf8Runs } from "./utf8_runs.ts";

/** How deep shown data may nest. */
const TEXT_DEPTH_MAX = 500;
/** Longest piece of a text that is quoted at once. */
const PIECE_CHARACTERS = 4096;
/** Characters that escapes add and bytes turned into text, that one step pays for. */
const STEP_ESCAPED = 8;
const STEP_BYTES = 4;
/** What is shown by an escape: controls, separators, lone surrogates, unassigned and private code points, quote and backslash. */
const ESCAPED_REGEXP = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
const ESCAPES: { readonly [char: string]: string } = {
  '"': '\\"',
  "\\": "\\\\",
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

/** The text of `str(value)`: a string stays as it is. */
export function str(value: Value, thread: Thread): string {
  if (typeof value === "string") return value;
  if (value instanceof StarlarkBytes) {
    thread.charge(Math.ceil(value.bytes.length / STEP_BYTES));
    return bytesText(value.bytes, (part) => part, () => "\ufffd");
  }
  return repr(value, thread);
}

/** The text of `repr(value)`. */
export function repr(value: Value, thread: Thread): string {
  const writer = new ValueWriter(thread);
  writer.write(value);
  return writer.text();
}

/** A string as a literal in double quotes. */
export function quote(text: string): string {
  return `"${text.replace(ESCAPED_REGEXP, escape)}"`;
}

function escape(char: string): string {
  const known = ESCAPES[char];
  if (known !== undefined) return known;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\U${code.toString(16).padStart(8, "0")}`;
}

/** The text in bytes; each byte that belongs to no character becomes what `replace` gives for it. */
function bytesText(bytes: Uint8Array, text: (part: string) => string, replace: (byte: number) => string): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const parts = utf8Runs(bytes).map((run) => {
    return run.isText ? text(decoder.decode(run.bytes)) : Array.from(run.bytes, replace).join("");
  });
  return parts.join("");
}

/** Bytes as a literal: text where they are UTF-8, escapes elsewhere. */
function quoteBytes(bytes: Uint8Array, thread: Thread): string {
  thread.charge(Math.ceil(bytes.length / STEP_BYTES));
  return `b"${bytesText(bytes, (part) => quote(part).slice(1, -1), (byte) => `\\x${byte.toString(16)}`)}"`;
}

/** Where a piece of a long text ends: never inside a surrogate pair. */
function pieceEnd(text: string, start: number): number {
  const end = start + PIECE_CHARACTERS;
  return end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end;
}

class ValueWriter {
  readonly #thread: Thread;
  readonly #out: PaidText;
  /** Containers being written: one that holds itself is shown as dots. */
  readonly #open: StarlarkObject[] = [];

  constructor(thread: Thread) {
    this.#thread = thread;
    this.#out = new PaidText(thread);
  }

  text(): string {
    return this.#out.whole();
  }

  write(value: Value): void {
    if (value === null) return this.#out.put("None");
    if (typeof value === "boolean") return this.#out.put(value ? "True" : "False");
    if (typeof value === "string") return this.#text(value);
    if (isInt(value)) return this.#out.put(intText(value, this.#thread));
    const number = floatOf(value);
    if (number !== undefined) return this.#out.put(floatText(number));
    this.#object(value as StarlarkObject);
  }

  /** Piece by piece, so that a long text is paid for before all of it is made. */
  #text(text: string): void {
    if (text.length <= PIECE_CHARACTERS) return this.#out.put(this.#quoted(text));
    this.#out.put('"');
    for (let at = 0; at < text.length;) {
      const end = pieceEnd(text, at);
      this.#out.put(this.#quoted(text.slice(at, end)).slice(1, -1));
      at = end;
    }
    this.#out.put('"');
  }

  /** An escape costs more than a character that stays as it is. */
  #quoted(text: string): string {
    const quoted = quote(text);
    this.#thread.charge(Math.floor((quoted.length - text.length) / STEP_ESCAPED));
    return quoted;
  }

  #object(value: StarlarkObject): void {
    if (value instanceof StarlarkList) this.#container(value, "[", "]", () => this.#items(value.values()));
    else if (value instanceof StarlarkDict) this.#container(value, "{", "}", () => this.#members(value));
    else if (value instanceof StarlarkTuple) {
      this.#container(value, "(", value.items.length === 1 ? ",)" : ")", () => this.#items(value.items));
    } else if (value instanceof StarlarkSet) {
      this.#container(value, "set([", "])", () => this.#items(value.values()));
    } else this.#out.put(leafText(value, this.#thread));
  }

  #container(value: StarlarkObject, open: string, close: string, content: () => void): void {
    // A tuple holds itself only by way of a list or dict, which is where the dots stand.
    const mayHoldItself = !(value instanceof StarlarkTuple);
    if (mayHoldItself && this.#open.includes(value)) return this.#out.put(`${open}...${close}`);
    if (this.#open.length >= TEXT_DEPTH_MAX) {
      throw new Fault(`cannot show a value that nests deeper than ${TEXT_DEPTH_MAX} levels`);
    }
    this.#thread.charge(1);
    this.#open.push(value);
    this.#out.put(open);
    content();
    this.#out.put(close);
    this.#open.pop();
  }

  #items(items: readonly Value[]): void {
    for (let index = 0; index < items.length; index++) {
      if (index > 0) this.#out.punctuate(", ");
      this.write(items[index] ?? null);
    }
  }

  #members(dict: StarlarkDict): void {
    const values = dict.values();
    for (const [index, key] of dict.keys().entries()) {
      if (index > 0) this.#out.punctuate(", ");
      this.write(key);
      this.#out.punctuate(": ");
      this.write(values[index] ?? null);
    }
  }
}

function leafText(value: StarlarkObject, thread: Thread): string {
  if (value instanceof StarlarkBytes) return quoteBytes(value.bytes, thread);
  if (value instanceof StarlarkView) return value.text;
  if (value instanceof StarlarkModule) return `<module ${JSON.stringify(value.name)}>`;
  if (value instanceof StarlarkRange) return rangeText(value);
  if (value instanceof BoundMethod) {
    return `<built-in method ${value.name} of ${typeName(value.receiver)} value>`;
  }
  if (value instanceof Callable) {
    return value.type === "function" ? `<function ${value.name}>` : `<built-in function ${value.name}>`;
  }
  return `<${value.type}>`;
}

function rangeText({ start, stop, step }: StarlarkRange): string {
  if (step !== 1) return `range(${start}, ${stop}, ${step})`;
  return start === 0 ? `range(${stop})` : `range(${start}, ${stop})`;
}
