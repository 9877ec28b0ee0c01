/** Owns the way from text to the library's syntax tree. */

import { parse } from "@bufbuild/cel";
import type { Expr } from "@bufbuild/cel-spec/cel/expr/syntax_pb.js";
import { reasonOf } from "../../diagnostics/mod.ts";
import type { LanguageIssue } from "../scope.ts";
import { checkCelGrammar } from "./grammar.ts";
import type { CelToken } from "./token.ts";

/** A parsed text. */
export interface CelParse {
  readonly expr: Expr | undefined;
  /** Offset of each node by its id. */
  readonly positions: { readonly [id: string]: number };
  /** Fields that stood in back-quotes, by the name that stands for them in the tree. */
  readonly quotedFields: ReadonlyMap<string, string>;
}

/** Parses an expression, or says everything that is wrong with its text. */
export function parseCel(source: string): CelParse | { readonly issues: readonly LanguageIssue[] } {
  const { issues, tokens } = checkCelGrammar(source);
  if (issues.length > 0) return { issues };
  const { text, quotedFields } = replaceQuoted(withoutComments(source, tokens), tokens);
  try {
    const parsed = parse(text);
    return { expr: parsed.expr, positions: parsed.sourceInfo?.positions ?? {}, quotedFields };
  } catch (caught) {
    // The check before takes every text that the library takes, so that this is not seen: its words are all there is.
    return { issues: [{ message: reasonOf(caught), offset: failureOffset(caught) }] };
  }
}

/** The library's parser fails at a comment that follows another: each becomes blanks, so that every offset stays right. */
function withoutComments(source: string, tokens: readonly CelToken[]): string {
  if (!source.includes("//")) return source;
  const pieces: string[] = [];
  let end = 0;
  for (const token of tokens) {
    // Between tokens stand blanks and comments only.
    pieces.push(source.slice(end, token.start).replace(COMMENT_REGEXP, blanks), source.slice(token.start, token.end));
    end = token.end;
  }
  return pieces.join("");
}

const COMMENT_REGEXP = /\/\/[^\n]*/g;

function blanks(comment: string): string {
  return " ".repeat(comment.length);
}

/** Where the parser failed; its errors say so in a field that their type does not show. */
function failureOffset(caught: unknown): number {
  if (!(caught instanceof Error) || !("location" in caught)) return 0;
  const { location } = caught as { readonly location?: { readonly start?: { readonly offset?: number } } };
  return location?.start?.offset ?? 0;
}

/**
 * The library's parser does not know back-quotes. Each name in them is replaced by an identifier of the same length that
 * the text does not use, so that every offset stays right, and put back afterwards.
 */
function replaceQuoted(source: string, tokens: readonly CelToken[]) {
  const quotedFields = new Map<string, string>();
  const standIns = new Map<string, string>();
  const taken = new Set(tokens.map((token) => token.text));
  const pieces: string[] = [];
  let end = 0;
  for (const token of tokens) {
    if (token.kind !== "quoted") continue;
    const standIn = standIns.get(token.text) ?? freeName(token.text.length, taken);
    taken.add(standIn);
    standIns.set(token.text, standIn);
    quotedFields.set(standIn, token.text.slice(1, -1));
    pieces.push(source.slice(end, token.start), standIn);
    end = token.end;
  }
  return { text: pieces.join("") + source.slice(end), quotedFields };
}

/** Numbers tried for a stand-in: with more names than this in a text, the parser's error is answer enough. */
const STAND_INS_MAX = 100_000;

function freeName(length: number, taken: ReadonlySet<string>): string {
  for (let count = 0; count < STAND_INS_MAX; count++) {
    const name = `_${count.toString(36).padStart(length - 1, "_")}`;
    if (name.length > length) break;
    if (!taken.has(name)) return name;
  }
  return "`".repeat(length);
}
