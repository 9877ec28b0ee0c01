/** Owns the tokens of CESQL text: what they are, where they stand and what is wrong with them. */

import { quotedText } from "../../base/mod.ts";
import type { LanguageIssue } from "../scope.ts";
import { CESQL_ISSUES_MAX } from "./limits.ts";

/** A `word` is a name or a keyword: the parser tells which. */
export type CesqlTokenKind = "word" | "integer" | "string" | "punctuation" | "end";

/** One token. `start` and `end` count UTF-16 units. */
export interface CesqlToken {
  readonly kind: CesqlTokenKind;
  /** What it means: keywords are in upper case, what is written otherwise elsewhere is as CESQL writes it. */
  readonly text: string;
  /** The source between its ends. */
  readonly written: string;
  readonly start: number;
  readonly end: number;
}

/** Every token, the last one of kind `end`, and everything wrong with single tokens. */
export interface CesqlTokens {
  readonly tokens: readonly CesqlToken[];
  readonly issues: readonly LanguageIssue[];
}

const BLANK_REGEXP = /[ \t\r\n]+/y;
const WORD_REGEXP = /[A-Za-z0-9_]+/y;
const DIGITS_REGEXP = /^[0-9]+$/;
const STRING_REGEXP = /'(?:\\[^]|''|[^'\\])*'|"(?:\\[^]|""|[^"\\])*"/y;
const PUNCTUATION_REGEXP = /!=|<>|<=|>=|[=<>()+\-*/%,.]/y;
const MISTAKEN_REGEXP = /===?|!==|&&|\|\||[!&|]/y;

/** What stands for an operator elsewhere, and the token that was meant. */
const MISTAKEN: { readonly [text: string]: Pick<CesqlToken, "kind" | "text"> } = {
  "==": { kind: "punctuation", text: "=" },
  "===": { kind: "punctuation", text: "=" },
  "!==": { kind: "punctuation", text: "!=" },
  "&&": { kind: "word", text: "AND" },
  "&": { kind: "word", text: "AND" },
  "||": { kind: "word", text: "OR" },
  "|": { kind: "word", text: "OR" },
  "!": { kind: "word", text: "NOT" },
};

/** Words that cannot name an attribute; they count in any case. */
export const CESQL_KEYWORDS: ReadonlySet<string> = new Set(
  ["AND", "OR", "XOR", "NOT", "LIKE", "EXISTS", "IN", "TRUE", "FALSE"],
);

/** Cuts CESQL text into tokens. Never fails: what is wrong becomes an issue and a token that stands for what was meant. */
export function tokenizeCesql(source: string): CesqlTokens {
  return new Tokenizer(source).run();
}

/** The text a string token stands for: only the quote that delimits it is escaped, by a backslash or by itself. */
export function cesqlStringOf(token: CesqlToken): string {
  const quote = token.text.charAt(0);
  const inner = token.text.slice(1, -1);
  if (!inner.includes(quote)) return inner;
  // A pair of backslashes is passed over, so that a quote behind it is not taken for an escaped one.
  return inner.replaceAll(/\\[^]|''|""/g, (pair) => pair === `\\${quote}` || pair === quote + quote ? quote : pair);
}

class Tokenizer {
  readonly #source: string;
  readonly #tokens: CesqlToken[] = [];
  readonly #issues: LanguageIssue[] = [];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  run(): CesqlTokens {
    while (true) {
      this.#match(BLANK_REGEXP);
      if (this.#at >= this.#source.length || this.#issues.length >= CESQL_ISSUES_MAX) break;
      this.#next();
    }
    this.#push("end", this.#at, "");
    return { tokens: this.#tokens, issues: this.#issues };
  }

  #next(): void {
    const start = this.#at;
    const word = this.#match(WORD_REGEXP);
    if (word !== undefined) {
      const keyword = word.toUpperCase();
      if (DIGITS_REGEXP.test(word)) this.#push("integer", start, word);
      else this.#push("word", start, CESQL_KEYWORDS.has(keyword) ? keyword : word);
      return;
    }
    const text = this.#match(STRING_REGEXP);
    if (text !== undefined) return this.#push("string", start, text);
    const mistaken = this.#match(MISTAKEN_REGEXP, PUNCTUATION_REGEXP);
    if (mistaken !== undefined) return this.#mistaken(mistaken, start);
    const punctuation = this.#match(PUNCTUATION_REGEXP);
    if (punctuation !== undefined) return this.#push("punctuation", start, punctuation);
    this.#stray(start);
  }

  /** Takes what matches here, unless another pattern matches as much or more. */
  #match(pattern: RegExp, unless?: RegExp): string | undefined {
    const matched = this.#peek(pattern);
    if (matched === undefined) return undefined;
    if (unless !== undefined && (this.#peek(unless) ?? "").length >= matched.length) return undefined;
    this.#at += matched.length;
    return matched;
  }

  #peek(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#source)?.[0];
  }

  #mistaken(text: string, start: number): void {
    const meant = MISTAKEN[text];
    if (meant === undefined) return this.#stray(start);
    this.#report(`${quotedText(text)} is no operator of CESQL`, start, `write ${meant.text}`);
    this.#push(meant.kind, start, meant.text);
  }

  #stray(start: number): void {
    const quote = this.#source.charAt(start);
    if (quote === "'" || quote === '"') {
      this.#at = this.#source.length;
      this.#report(`the text that begins here is not closed by ${quote}`, start);
      this.#push("string", start, quote + quote);
      return;
    }
    const character = String.fromCodePoint(this.#source.codePointAt(start) ?? 0);
    this.#at = start + character.length;
    this.#report(`the character ${JSON.stringify(character)} means nothing in an expression`, start);
  }

  #push(kind: CesqlTokenKind, start: number, text: string): void {
    this.#tokens.push({ kind, text, written: this.#source.slice(start, this.#at), start, end: this.#at });
  }

  #report(message: string, offset: number, hint?: string): void {
    const length = Math.max(1, this.#at - offset);
    this.#issues.push({ message, offset, length, ...(hint === undefined ? {} : { hint }) });
  }
}
