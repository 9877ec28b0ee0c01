/** Owns the decoding of string, bytes and number literals. */

import type { LiteralValue } from "./tree.ts";

/** A literal that is not well-formed; `offset` counts from the literal's first character. */
export class LiteralFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const SIMPLE_ESCAPES: { readonly [letter: string]: string } = {
  "a": "\x07",
  "b": "\b",
  "f": "\f",
  "n": "\n",
  "r": "\r",
  "t": "\t",
  "v": "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
};
const HEX_DIGITS: { readonly [letter: string]: number } = { "x": 2, "u": 4, "U": 8 };
const OCTAL_ESCAPE_REGEXP = /^[0-7]{1,3}/;
const CODE_POINT_MAX = 0x10ffff;
const ASCII_MAX = 0x7f;
const BYTE_MAX = 0xff;

/** Decodes the text between the quotes; `prefix` is what stood before them, `start` the text's offset. */
export function decodeString(body: string, prefix: string, start: number): LiteralValue {
  const text = body.includes("\r") ? body.replaceAll(/\r\n?/g, "\n") : body;
  const isBytes = prefix.includes("b");
  if (prefix.includes("r") || !text.includes("\\")) {
    return isBytes ? { type: "bytes", bytes: new TextEncoder().encode(text) } : { type: "string", text };
  }
  return new EscapeReader(text, isBytes, start).read();
}

/** Reads escapes one by one. Text is gathered as pieces; bytes escapes as single bytes between them. */
class EscapeReader {
  readonly #text: string;
  readonly #isBytes: boolean;
  readonly #start: number;
  readonly #pieces: (string | number)[] = [];
  #at = 0;

  constructor(text: string, isBytes: boolean, start: number) {
    this.#text = text;
    this.#isBytes = isBytes;
    this.#start = start;
  }

  read(): LiteralValue {
    while (this.#at < this.#text.length) {
      const next = this.#text.indexOf("\\", this.#at);
      const end = next === -1 ? this.#text.length : next;
      this.#pieces.push(this.#text.slice(this.#at, end));
      this.#at = end;
      if (next !== -1) this.#escape();
    }
    if (!this.#isBytes) return { type: "string", text: this.#pieces.join("") };
    const encoder = new TextEncoder();
    const chunks = this.#pieces.map((piece) => typeof piece === "number" ? [piece] : [...encoder.encode(piece)]);
    return { type: "bytes", bytes: Uint8Array.from(chunks.flat()) };
  }

  #escape(): void {
    const letter = this.#text[this.#at + 1] ?? "";
    const simple = SIMPLE_ESCAPES[letter];
    if (letter === "\n") this.#at += 2;
    else if (simple !== undefined) {
      this.#pieces.push(simple);
      this.#at += 2;
    } else if (HEX_DIGITS[letter] !== undefined) this.#hexEscape(letter, HEX_DIGITS[letter]);
    else this.#octalEscape(letter);
  }

  #octalEscape(letter: string): void {
    const digits = OCTAL_ESCAPE_REGEXP.exec(this.#text.slice(this.#at + 1, this.#at + 4))?.[0];
    if (digits === undefined) throw this.#fault(`invalid escape sequence \\${letter}`);
    const code = Number.parseInt(digits, 8);
    if (code > BYTE_MAX) throw this.#fault(`octal escape \\${digits} is larger than \\377`);
    this.#byte(code, `\\${digits}`);
    this.#at += 1 + digits.length;
  }

  #hexEscape(letter: string, count: number): void {
    const digits = this.#text.slice(this.#at + 2, this.#at + 2 + count);
    if (digits.length < count || !/^[0-9a-fA-F]+$/.test(digits)) {
      throw this.#fault(`truncated escape sequence \\${letter}${digits}: ${count} hex digits are needed`);
    }
    const code = Number.parseInt(digits, 16);
    if (letter === "x") this.#byte(code, `\\x${digits}`);
    else if (code > CODE_POINT_MAX) {
      throw this.#fault(`code point out of range: \\${letter}${digits} (max \\U0010ffff)`);
    } else if (code >= 0xd800 && code <= 0xdfff) {
      throw this.#fault(`invalid Unicode code point U+${digits.slice(-4).toUpperCase()}: a surrogate`);
    } else this.#pieces.push(String.fromCodePoint(code));
    this.#at += 2 + count;
  }

  #byte(code: number, written: string): void {
    if (this.#isBytes) this.#pieces.push(code);
    else if (code <= ASCII_MAX) this.#pieces.push(String.fromCharCode(code));
    else {
      const better = `\\u${code.toString(16).padStart(4, "0")}`;
      throw this.#fault(`non-ASCII escape ${written} in a string (use ${better}, or a bytes literal)`);
    }
  }

  #fault(message: string): LiteralFault {
    return new LiteralFault(message, this.#start + this.#at);
  }
}

const DECIMAL_REGEXP = /^(?:0+|[1-9][0-9]*)$/;
const FLOAT_REGEXP = /^(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const RADIX_REGEXP = /^0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)$/;
/** Longest number literal: reading a decimal bigint costs the square of its length. */
const NUMBER_DIGITS_MAX = 4096;

/** Decodes a number as written. */
export function decodeNumber(text: string): LiteralValue {
  if (text.length > NUMBER_DIGITS_MAX) {
    throw new LiteralFault(`number literal has ${text.length} digits, more than ${NUMBER_DIGITS_MAX}`, 0);
  }
  if (DECIMAL_REGEXP.test(text) || RADIX_REGEXP.test(text)) {
    const small = Number(text);
    return { type: "int", int: Number.isSafeInteger(small) ? small : BigInt(text) };
  }
  if (/^0[0-9]+$/.test(text)) {
    throw new LiteralFault(`invalid int literal ${text}: an octal number is written 0o${text.slice(1)}`, 0);
  }
  if (!FLOAT_REGEXP.test(text)) throw new LiteralFault(`invalid number literal ${text}`, 0);
  const float = Number(text);
  if (!Number.isFinite(float)) throw new LiteralFault(`float literal ${text} is too large`, 0);
  return { type: "float", float };
}
