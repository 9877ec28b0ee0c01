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
  const { text, quotedFields, offsetOf } = rewritten(source, tokens);
  try {
    const parsed = parse(text);
    const positions = Object.entries(parsed.sourceInfo?.positions ?? {}).map(([id, at]) => [id, offsetOf(at)]);
    return { expr: parsed.expr, positions: Object.fromEntries(positions), quotedFields };
  } catch (caught) {
    // The check before takes every text that the library takes, so that this is not seen: its words are all there is.
    return { issues: [{ message: reasonOf(caught), offset: offsetOf(failureOffset(caught)) }] };
  }
}

/** Where the parser failed; its errors say so in a field that their type does not show. */
function failureOffset(caught: unknown): number {
  if (!(caught instanceof Error) || !("location" in caught)) return 0;
  const { location } = caught as { readonly location?: { readonly start?: { readonly offset?: number } } };
  return location?.start?.offset ?? 0;
}

/** A text as the library's parser can read it. */
interface Rewritten {
  readonly text: string;
  readonly quotedFields: CelParse["quotedFields"];
  /** Where in the source stands what the text has at an offset. */
  readonly offsetOf: (at: number) => number;
}

/**
 * The library's parser does not know back-quotes, fails at a comment that follows another, and takes time that grows with
 * the square of a run of blanks. So it gets the tokens with one blank where there was anything between two, and for each
 * name in back-quotes an identifier of the same length that the text does not use.
 */
function rewritten(source: string, tokens: readonly CelToken[]): Rewritten {
  const quotedFields = new Map<string, string>();
  const standIns = new Map<string, string>();
  const taken = new Set(tokens.map((token) => token.text));
  const pieces: string[] = [];
  // Where each token begins in the new text.
  const starts: number[] = [];
  let [length, end] = [0, 0];
  for (const token of tokens) {
    const isApart = token.start > end;
    let piece = source.slice(token.start, token.end);
    if (token.kind === "quoted") {
      piece = standIns.get(token.text) ?? freeName(token.text.length, taken);
      taken.add(piece);
      standIns.set(token.text, piece);
      quotedFields.set(piece, token.text.slice(1, -1));
    }
    pieces.push(isApart ? ` ${piece}` : piece);
    starts.push(length + (isApart ? 1 : 0));
    length += piece.length + (isApart ? 1 : 0);
    end = token.end;
  }
  return { text: pieces.join(""), quotedFields, offsetOf: (at) => offsetBehind(at, starts, tokens) };
}

/** The offset in the source that lies as far behind the beginning of a token as `at` does in the new text. */
function offsetBehind(at: number, starts: readonly number[], tokens: readonly CelToken[]): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return (tokens[low]?.start ?? 0) + Math.max(0, at - (starts[low] ?? 0));
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
