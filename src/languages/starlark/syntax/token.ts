/** Owns the words a script is made of. */

import type { LiteralValue } from "./tree.ts";

/** What a token is; keywords and punctuation are their own kind. */
export type TokenKind = "name" | "literal" | "newline" | "indent" | "dedent" | "end" | "reserved" | Keyword | Mark;

/** Words with a meaning. */
export type Keyword =
  | "and"
  | "break"
  | "continue"
  | "def"
  | "elif"
  | "else"
  | "for"
  | "if"
  | "in"
  | "lambda"
  | "load"
  | "not"
  | "or"
  | "pass"
  | "return"
  | "while";

/** Operators and punctuation. */
export type Mark = (typeof MARKS)[number];

/** One word of a script over `[start, end)` of its text. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** The name, keyword or mark as written; empty for others. */
  readonly text: string;
  readonly literal?: LiteralValue;
}

/** Words with a meaning. */
export const KEYWORDS: ReadonlySet<string> = new Set<Keyword>([
  "and",
  "break",
  "continue",
  "def",
  "elif",
  "else",
  "for",
  "if",
  "in",
  "lambda",
  "load",
  "not",
  "or",
  "pass",
  "return",
  "while",
]);

/** Words that the language keeps for later, so that no script may use them as names. */
export const RESERVED: ReadonlySet<string> = new Set([
  "as",
  "class",
  "del",
  "except",
  "finally",
  "from",
  "global",
  "import",
  "is",
  "nonlocal",
  "raise",
  "try",
  "with",
  "yield",
]);

/** Operators and punctuation, longest first. */
export const MARKS = [
  "//=",
  "<<=",
  ">>=",
  "**",
  "//",
  "<<",
  ">>",
  "==",
  "!=",
  "<=",
  ">=",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "&=",
  "|=",
  "^=",
  "+",
  "-",
  "*",
  "/",
  "%",
  "&",
  "|",
  "^",
  "~",
  "<",
  ">",
  "=",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ",",
  ":",
  ";",
  ".",
] as const;
