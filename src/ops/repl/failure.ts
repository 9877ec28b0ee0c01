/** Owns how a script or expression that fails is told: what, where, and everything wrong with its text at once. */

import type { LanguageIssue, ScriptError } from "../../languages/mod.ts";

/** One thing wrong with a text. Lines and columns (code points) count from 1. */
export interface ReplIssue {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly hint?: string;
}

/** Why there is no result. */
export interface ReplFailure {
  /** It does not compile, it used up its steps or its cost, or it failed while it ran. */
  readonly kind: "compile" | "steps" | "budget" | "runtime";
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** Of a script that failed while it ran: one frame a line, outermost first. */
  readonly backtrace?: string;
  /** Of a text that does not compile: everything wrong with it. `message` and place are those of the first. */
  readonly issues?: readonly ReplIssue[];
}

/** The failure of a text that does not compile. */
export function compileFailure(source: string, issues: readonly LanguageIssue[]): ReplFailure {
  const placed = issues.map(({ message, offset, hint }): ReplIssue => ({
    message,
    ...placeIn(source, offset),
    ...(hint === undefined ? {} : { hint }),
  }));
  const { message, line, column } = placed[0] ?? { message: "it does not compile", line: 1, column: 1 };
  return { kind: "compile", message, line, column, issues: placed };
}

/** The failure of a script that ran. */
export function scriptFailure({ kind, message, line, column, backtrace }: ScriptError): ReplFailure {
  return { kind, message, line, column, backtrace };
}

/** The line and column, counted from 1, of an offset in UTF-16 units. Columns count code points. */
export function placeIn(source: string, offset: number): { readonly line: number; readonly column: number } {
  const before = source.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: [...before.slice(lineStart)].length + 1 };
}
