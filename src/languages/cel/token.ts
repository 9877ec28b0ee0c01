/** Owns the tokens of CEL text: what they are, where they stand and what is wrong with them. */

import { quotedText } from "../../base/mod.ts";
import type { LanguageIssue } from "../scope.ts";
import { CEL_ISSUES_MAX } from "./limits.ts";

/** `quoted` is a field name in back-quotes. */
export type CelTokenKind = "identifier" | "quoted" | "number" | "string" | "punctuation" | "end";

/** One token. `start` and `end` count UTF-16 units; `text` is the source between them. */
export interface CelToken {
  readonly kind: CelTokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Every token, the last one of kind `end`, and everything wrong with single tokens. */
export interface CelTokens {
  readonly tokens: readonly CelToken[];
  readonly issues: readonly LanguageIssue[];
}

const BLANK_REGEXP = /(?:[\t\n\f\r ]+|\/\/[^\n]*)+/y;
const IDENTIFIER_REGEXP = /[A-Za-z_][A-Za-z0-9_]*/y;
const QUOTED_REGEXP = /`[A-Za-z0-9_.\-/ ]+`/y;
const NUMBER_REGEXP = /(?:0[xX][0-9a-fA-F]+|(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[uU]?/y;
const DOUBLE_REGEXP = /^(?!0[xX]).*[.eE]/;
const STRING_OPEN_REGEXP = /([bB]?)([rR]?)("""|'''|"|')/y;
const ESCAPE_REGEXP = /\\(?:[abfnrtv\\?"'`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})/y;
const UNICODE_ESCAPE_REGEXP = /^\\[uU]/;
const PUNCTUATION_REGEXP = /\|\||&&|[=!<>]=|[()[\]{}.,:?!<>+\-*/%]/y;

const UINT_MAX = 18_446_744_073_709_551_615n;
const CODE_POINT_MAX = 0x10ffff;
const SURROGATE_FIRST = 0xd800;
const SURROGATE_LAST = 0xdfff;

/** What people write who come from another language, and what CEL has for it. */
const MISTAKEN: { readonly [text: string]: { readonly meant: string; readonly hint: string } } = {
  "=": { meant: "==", hint: "equality is written ==" },
  "&": { meant: "&&", hint: "the logical and is written &&" },
  "|": { meant: "||", hint: "the logical or is written ||" },
};

/** Splits CEL text into tokens. Never fails: what is wrong becomes an issue and a token that stands for what was meant. */
export function tokenizeCel(source: string): CelTokens {
  return new Tokenizer(source).run();
}

class Tokenizer {
  readonly #source: string;
  readonly #tokens: CelToken[] = [];
  readonly #issues: LanguageIssue[] = [];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  run(): CelTokens {
    while (true) {
      this.#skip(BLANK_REGEXP);
      if (this.#at >= this.#source.length || this.#issues.length >= CEL_ISSUES_MAX) break;
      this.#next();
    }
    this.#push("end", this.#at, this.#at);
    return { tokens: this.#tokens, issues: this.#issues };
  }

  #next(): void {
    if (this.#string()) return;
    if (this.#take("identifier", IDENTIFIER_REGEXP)) return;
    if (this.#number()) return;
    if (this.#take("quoted", QUOTED_REGEXP)) return;
    if (this.#take("punctuation", PUNCTUATION_REGEXP)) return;
    this.#stray();
  }

  #skip(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    const matched = pattern.exec(this.#source);
    if (matched === null) return 0;
    this.#at += matched[0].length;
    return matched[0].length;
  }

  #take(kind: CelTokenKind, pattern: RegExp): boolean {
    const start = this.#at;
    if (this.#skip(pattern) === 0) return false;
    this.#push(kind, start, this.#at);
    return true;
  }

  #number(): boolean {
    const start = this.#at;
    if (!this.#take("number", NUMBER_REGEXP)) return false;
    const text = this.#source.slice(start, this.#at);
    if (!/[uU]$/.test(text)) return true;
    if (DOUBLE_REGEXP.test(text)) {
      this.#report(`the number ${text} has a fraction or an exponent, so it cannot be an unsigned integer`, start);
    } else if (BigInt(text.slice(0, -1)) > UINT_MAX) {
      this.#report(`the unsigned integer ${text} does not fit in 64 bits`, start);
    }
    return true;
  }

  #string(): boolean {
    STRING_OPEN_REGEXP.lastIndex = this.#at;
    const opened = STRING_OPEN_REGEXP.exec(this.#source);
    if (opened === null) return false;
    const start = this.#at;
    const quote = opened[3] ?? "'";
    const escapes = opened[2] === "";
    const isBytes = opened[1] !== "";
    this.#at += opened[0].length;
    while (this.#at < this.#source.length) {
      if (this.#source.startsWith(quote, this.#at)) {
        this.#at += quote.length;
        this.#push("string", start, this.#at);
        return true;
      }
      const unit = this.#source[this.#at];
      if (quote.length === 1 && (unit === "\n" || unit === "\r")) break;
      if (escapes && unit === "\\") this.#escape(isBytes);
      else this.#at += 1;
    }
    this.#report(`the string that begins here is not closed by ${quote}`, start);
    this.#push("string", start, this.#at);
    return true;
  }

  #escape(isBytes: boolean): void {
    const start = this.#at;
    ESCAPE_REGEXP.lastIndex = start;
    const matched = ESCAPE_REGEXP.exec(this.#source)?.[0];
    if (matched === undefined) {
      this.#at = Math.min(start + 2, this.#source.length);
      this.#report(
        `${quotedText(this.#source.slice(start, this.#at))} is no escape sequence`,
        start,
        "a backslash is written \\\\",
      );
      return;
    }
    this.#at += matched.length;
    if (!UNICODE_ESCAPE_REGEXP.test(matched)) return;
    if (isBytes) {
      this.#report(`${matched} cannot stand in bytes`, start, "write the bytes themselves as \\xHH");
      return;
    }
    const codePoint = parseInt(matched.slice(2), 16);
    const isSurrogate = codePoint >= SURROGATE_FIRST && codePoint <= SURROGATE_LAST;
    if (isSurrogate || codePoint > CODE_POINT_MAX) this.#report(`${matched} is no Unicode character`, start);
  }

  #stray(): void {
    const start = this.#at;
    const text = String.fromCodePoint(this.#source.codePointAt(start) ?? 0);
    this.#at += text.length;
    const mistaken = MISTAKEN[text];
    if (mistaken === undefined) {
      this.#report(`the character ${JSON.stringify(text)} means nothing in an expression`, start);
      return;
    }
    this.#report(`"${text}" is no operator`, start, mistaken.hint);
    this.#tokens.push({ kind: "punctuation", text: mistaken.meant, start, end: this.#at });
  }

  #push(kind: CelTokenKind, start: number, end: number): void {
    this.#tokens.push({ kind, text: this.#source.slice(start, end), start, end });
  }

  #report(message: string, offset: number, hint?: string): void {
    const length = Math.max(1, this.#at - offset);
    this.#issues.push({ message, offset, length, ...(hint === undefined ? {} : { hint }) });
  }
}
