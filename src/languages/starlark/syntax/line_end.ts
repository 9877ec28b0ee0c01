/** Owns the judgement whether lines typed one by one make whole statements yet. */

import { Issues } from "./issues.ts";
import { scan } from "./scanner.ts";
import type { Token, TokenKind } from "./token.ts";

/**
 * What lines of a script are: `open` inside a bracket, a string in triple quotes or behind a backslash, where the next
 * line belongs to the same statement whatever it holds; `block` for a `def`, `if` or `for`, which may go on; else `whole`.
 */
export type StarlarkLines = "open" | "block" | "whole";

const BLOCKS: ReadonlySet<TokenKind> = new Set<TokenKind>(["def", "if", "for", "while"]);
const CLOSED_BY: ReadonlyMap<TokenKind, TokenKind> = new Map([["(", ")"], ["[", "]"], ["{", "}"]]);
const CLOSING: ReadonlySet<TokenKind> = new Set(CLOSED_BY.values());
const LONG_STRING_REGEXP = /^(?:rb|br|r|b)?(?:"""|''')/;

/** Judges lines without the end of the last one. Lines with a mistake in them are `whole`: compiling says what it is. */
export function starlarkLines(source: string): StarlarkLines {
  const issues = new Issues();
  const tokens = scan(source, issues);
  const wrongFrom = new Set(issues.list().map(({ offset }) => offset));
  if (leftOpen(tokens) || tokens.some((token) => isOpenText(token, source, wrongFrom)) || goesOn(source)) return "open";
  return BLOCKS.has(tokens[0]?.kind ?? "end") ? "block" : "whole";
}

/** Whether a bracket waits for its partner; a wrong partner ends the waiting. */
function leftOpen(tokens: readonly Token[]): boolean {
  const awaited: (TokenKind | undefined)[] = [];
  for (const { kind } of tokens) {
    if (CLOSED_BY.has(kind)) awaited.push(CLOSED_BY.get(kind));
    else if (CLOSING.has(kind) && awaited.pop() !== kind) return false;
  }
  return awaited.length > 0;
}

/** Whether a token is a long string without its end: what is wrong inside of one that ends is told behind its quotes. */
function isOpenText({ kind, start, end }: Token, source: string, wrongFrom: ReadonlySet<number>): boolean {
  return kind === "literal" && end === source.length && wrongFrom.has(start) &&
    LONG_STRING_REGEXP.test(source.slice(start, end));
}

/** Whether the last line ends in a backslash that joins it to the next one: a word there stands in the same line. */
function goesOn(source: string): boolean {
  if (!source.endsWith("\\")) return false;
  const tokens = scan(`${source}\n_`, new Issues());
  const word = tokens.findIndex(({ start, kind }) => kind === "name" && start === source.length + 1);
  const before = tokens[word - 1]?.kind;
  return before !== undefined && before !== "newline" && before !== "indent" && before !== "dedent";
}
