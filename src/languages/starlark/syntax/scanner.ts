/** Owns the cutting of a script's text into tokens, indentation included. */

import { Issues } from "./issues.ts";
import { decodeNumber, decodeString, LiteralFault } from "./literal.ts";
import { KEYWORDS, MARKS, RESERVED, type Token, type TokenKind } from "./token.ts";
import type { LiteralValue } from "./tree.ts";

const NAME_REGEXP = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const NUMBER_REGEXP =
  /(?<text>0[xX][0-9a-fA-F]*|0[oO][0-9]*|0[bB][0-9]*|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE](?!l)[+-]?[0-9]*)?)(?<word>[\p{L}\p{Nd}_]*)/uy;
const STRING_START_REGEXP = /(rb|br|r|b)?("""|'''|"|')/y;
const SPACE_REGEXP = /(?:[ \t\f\r]|\\\r?\n)*/y;
const TAB_WIDTH = 8;
const LAYOUT: ReadonlySet<TokenKind> = new Set(["newline", "indent", "dedent", "end"]);

/** A line that can hardly be the inside of a bracket: a statement's keyword, or an assignment. */
const STATEMENT_REGEXP =
  /[ \t]*(?:(?:def|return|load|pass|break|continue|elif|while)\b|[\p{L}_][\p{L}\p{Nd}_.]*(?:\[[^\]\n]*\])?[ \t]*[-+*/%&|^<>]{0,2}=(?!=))/uy;

/** Cuts the text into tokens. What is no token is reported and left out; the last token is always `end`. */
export function scan(source: string, issues: Issues): readonly Token[] {
  const attempt = new Issues();
  const scanner = new Scanner(source, attempt, false);
  const tokens = scanner.run();
  if (!scanner.leftOpen) {
    issues.take(attempt);
    return tokens;
  }
  // A bracket that is never closed swallows the rest of the script. Read again, it ends where a statement seems to
  // begin, so that the statements behind it are looked at too.
  return new Scanner(source, issues, true).run();
}

class Scanner {
  readonly #source: string;
  readonly #issues: Issues;
  readonly #tokens: Token[] = [];
  readonly #indents: number[] = [0];
  /** Opening brackets not closed yet: inside them a line's end means nothing. */
  readonly #open: Token[] = [];
  readonly #endsBrackets: boolean;
  #at = 0;

  constructor(source: string, issues: Issues, endsBrackets: boolean) {
    this.#source = source;
    this.#issues = issues;
    this.#endsBrackets = endsBrackets;
  }

  /** Whether a bracket was still open at the end. */
  get leftOpen(): boolean {
    return this.#open.length > 0;
  }

  run(): readonly Token[] {
    if (this.#source.startsWith("\ufeff")) this.#at = 1;
    let atLineStart = true;
    while (this.#at < this.#source.length) {
      if (atLineStart && this.#open.length === 0) {
        atLineStart = false;
        if (!this.#indentation()) {
          atLineStart = true;
          continue;
        }
      }
      this.#match(SPACE_REGEXP);
      if (this.#at >= this.#source.length) break;
      const char = this.#source[this.#at];
      if (char === "#") this.#skipComment();
      else if (char === "\n") {
        if (this.#endsBrackets) this.#endBrackets();
        if (this.#open.length === 0) {
          this.#push("newline", this.#at, this.#at + 1);
          atLineStart = true;
        }
        this.#at++;
      } else this.#token();
    }
    return this.#finish();
  }

  /** Gives up open brackets where the next line looks like a statement. */
  #endBrackets(): void {
    STATEMENT_REGEXP.lastIndex = this.#at + 1;
    if (this.#open.length === 0 || !STATEMENT_REGEXP.test(this.#source)) return;
    this.#reportOpen();
    this.#open.length = 0;
  }

  #reportOpen(): void {
    const unclosed = this.#open.at(-1);
    if (unclosed === undefined) return;
    this.#issues.report(`bracket ${unclosed.text} is never closed`, unclosed.start, unclosed.end);
  }

  #finish(): readonly Token[] {
    const end = this.#source.length;
    this.#reportOpen();
    const last = this.#tokens.at(-1);
    if (last !== undefined && last.kind !== "newline") this.#push("newline", end, end);
    while (this.#indents.length > 1) {
      this.#indents.pop();
      this.#push("dedent", end, end);
    }
    this.#push("end", end, end);
    return this.#tokens;
  }

  #push(kind: TokenKind, start: number, end: number, literal?: LiteralValue): void {
    const text = LAYOUT.has(kind) ? "" : this.#source.slice(start, end);
    this.#tokens.push({ kind, start, end, text, ...(literal === undefined ? {} : { literal }) });
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  #skipComment(): void {
    const end = this.#source.indexOf("\n", this.#at);
    this.#at = end === -1 ? this.#source.length : end;
  }

  /** Measures a line's indentation. False for a blank line, which is skipped whole. */
  #indentation(): boolean {
    const start = this.#at;
    let width = 0;
    let char = this.#source[this.#at];
    while (char === " " || char === "\t" || char === "\r" || char === "\f") {
      if (char === " ") width++;
      else if (char === "\t") width += TAB_WIDTH - (width % TAB_WIDTH);
      char = this.#source[++this.#at];
    }
    if (char === "#") this.#skipComment();
    if (this.#at >= this.#source.length) return true;
    if (this.#source[this.#at] === "\n") {
      this.#at++;
      return false;
    }
    this.#setIndent(width, start);
    return true;
  }

  #setIndent(width: number, start: number): void {
    const current = this.#indents.at(-1) ?? 0;
    if (width > current) {
      this.#indents.push(width);
      this.#push("indent", start, this.#at);
      return;
    }
    while (width < (this.#indents.at(-1) ?? 0)) {
      this.#indents.pop();
      this.#push("dedent", this.#at, this.#at);
    }
    const landed = this.#indents.at(-1) ?? 0;
    if (width !== landed) {
      this.#issues.report("unindent does not match any outer indentation level", start, this.#at);
    }
  }

  #token(): void {
    const start = this.#at;
    const opening = this.#match(STRING_START_REGEXP);
    if (opening !== null) return this.#string(start, opening[1] ?? "", opening[2] ?? "");
    const code = this.#source.charCodeAt(start);
    const isDigit = code >= 0x30 && code <= 0x39;
    if (isDigit || (code === 0x2e && /[0-9]/.test(this.#source[start + 1] ?? ""))) return this.#number(start);
    const name = this.#match(NAME_REGEXP);
    if (name !== null) return this.#word(name[0], start);
    const mark = MARKS.find((candidate) => this.#source.startsWith(candidate, start));
    if (mark !== undefined) return this.#mark(mark, start);
    const char = String.fromCodePoint(this.#source.codePointAt(start) ?? 0);
    this.#at += char.length;
    this.#issues.report(`unexpected character ${JSON.stringify(char)}`, start, this.#at);
  }

  #word(text: string, start: number): void {
    if (KEYWORDS.has(text)) this.#push(text as TokenKind, start, this.#at);
    else if (RESERVED.has(text)) this.#push("reserved", start, this.#at);
    else this.#push("name", start, this.#at);
  }

  #mark(mark: (typeof MARKS)[number], start: number): void {
    this.#at += mark.length;
    this.#push(mark, start, this.#at);
    const token = this.#tokens.at(-1);
    if (token !== undefined && "([{".includes(mark)) this.#open.push(token);
    else if (")]}".includes(mark)) {
      const opened = this.#open.pop();
      if (opened === undefined) this.#issues.report(`unexpected ${mark}: no bracket is open`, start, this.#at);
      else if (")]}"["([{".indexOf(opened.text)] !== mark) {
        this.#issues.report(`unexpected ${mark}: the open bracket is ${opened.text}`, start, this.#at);
      }
    }
  }

  #number(start: number): void {
    const { text = "", word = "" } = this.#match(NUMBER_REGEXP)?.groups ?? {};
    // A keyword needs no space before it: `1if x else 2`.
    if (KEYWORDS.has(word)) {
      this.#at -= word.length;
      return this.#decode(start, start, () => decodeNumber(text));
    }
    this.#decode(start, start, () => decodeNumber(text + word));
  }

  #string(start: number, prefix: string, quote: string): void {
    const bodyStart = this.#at;
    const end = this.#closing(quote);
    if (end === -1) {
      this.#issues.report(`string literal is never closed (${quote} is missing)`, start, this.#at);
      this.#push("literal", start, this.#at, { type: "string", text: "" });
      return;
    }
    const body = this.#source.slice(bodyStart, end);
    this.#at = end + quote.length;
    this.#decode(start, bodyStart, () => decodeString(body, prefix, 0));
  }

  #decode(start: number, origin: number, decode: () => LiteralValue): void {
    let literal: LiteralValue = { type: "int", int: 0 };
    try {
      literal = decode();
    } catch (error) {
      if (!(error instanceof LiteralFault)) throw error;
      this.#issues.report(error.message, origin + error.offset, Math.max(origin + error.offset + 1, this.#at));
    }
    this.#push("literal", start, this.#at, literal);
  }

  /** Where the closing quote stands, or -1 with the scanner behind the unclosed text. */
  #closing(quote: string): number {
    const isLong = quote.length === 3;
    let at = this.#at;
    while (at < this.#source.length) {
      const char = this.#source[at];
      if (char === "\\") at += this.#source.startsWith("\r\n", at + 1) ? 3 : 2;
      else if (this.#source.startsWith(quote, at)) return at;
      else if (char === "\n" && !isLong) break;
      else at++;
    }
    this.#at = Math.min(at, this.#source.length);
    return -1;
  }
}
