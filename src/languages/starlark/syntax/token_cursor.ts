/** Owns the walk over a script's tokens. */

import { quotedText } from "../../../base/mod.ts";
import type { Token, TokenKind } from "./token.ts";

/** A place where the text does not follow the grammar. Thrown by the parser, caught by the statement it is in. */
export class SyntaxFault extends Error {
  readonly start: number;
  readonly end: number;
  readonly hint: string | undefined;

  constructor(message: string, start: number, end: number, hint?: string) {
    super(message);
    this.start = start;
    this.end = end;
    this.hint = hint;
  }
}

const NAMES: { readonly [kind: string]: string } = {
  newline: "end of line",
  indent: "indentation",
  dedent: "end of block",
  end: "end of script",
};

/** What people write who come from Python, and what there is instead. */
const RESERVED_HINTS: { readonly [word: string]: string } = {
  import: 'json and math are there without it; load("math", "sqrt") binds single members',
  class: "write functions, and dicts for their data",
  try: "errors cannot be caught: ask first, such as with in or get()",
  except: "errors cannot be caught: ask first, such as with in or get()",
  raise: "fail(text) ends the script with an error",
  is: "equality is written ==",
  del: "pop(key) takes an entry out of a dict",
  assert: "write if and fail(text)",
};

/** Reads tokens one by one, looking one ahead. */
export class TokenCursor {
  readonly #tokens: readonly Token[];
  #at = 0;

  /** `tokens` ends with the token `end`. */
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** The token to be read next; at the end, `end` for ever. */
  get token(): Token {
    // The scanner always ends with an `end` token, and `advance` never steps over it.
    return this.#tokens[this.#at] as Token;
  }

  /** How many tokens were read. */
  get position(): number {
    return this.#at;
  }

  /** The tokens read since there were `position` of them. */
  since(position: number): readonly Token[] {
    return this.#tokens.slice(position, this.#at);
  }

  /** Where the token read last ended. */
  get lastEnd(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0;
  }

  /** Whether the next token is of this kind. */
  is(kind: TokenKind): boolean {
    return this.token.kind === kind;
  }

  /** Reads the next token. */
  advance(): Token {
    const token = this.token;
    if (token.kind !== "end") this.#at++;
    return token;
  }

  /** Reads the next token if it is of this kind. */
  accept(kind: TokenKind): Token | undefined {
    return this.is(kind) ? this.advance() : undefined;
  }

  /** Reads a token of this kind. @throws {SyntaxFault} when another stands there. */
  expect(kind: TokenKind, wanted: string): Token {
    if (!this.is(kind)) throw this.fault(wanted);
    return this.advance();
  }

  /** The fault of the next token: something else was wanted. */
  fault(wanted: string): SyntaxFault {
    const { kind, start, end, text } = this.token;
    if (kind === "reserved") {
      const message = `${quotedText(text)} is a reserved word of Starlark and cannot stand here`;
      return new SyntaxFault(message, start, end, RESERVED_HINTS[text]);
    }
    return new SyntaxFault(`got ${NAMES[kind] ?? quotedText(text)}, want ${wanted}`, start, end);
  }
}
