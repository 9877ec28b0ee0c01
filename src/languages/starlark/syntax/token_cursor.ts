/** Owns the walk over a script's tokens. */

import type { Token, TokenKind } from "./token.ts";

/** A place where the text does not follow the grammar. Thrown by the parser, caught by the statement it is in. */
export class SyntaxFault extends Error {
  readonly start: number;
  readonly end: number;

  constructor(message: string, start: number, end: number) {
    super(message);
    this.start = start;
    this.end = end;
  }
}

const NAMES: { readonly [kind: string]: string } = {
  newline: "end of line",
  indent: "indentation",
  dedent: "end of block",
  end: "end of script",
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
    if (kind === "reserved") return new SyntaxFault(`${text} is a reserved word, no name`, start, end);
    return new SyntaxFault(`got ${NAMES[kind] ?? text}, want ${wanted}`, start, end);
  }
}
