/** Owns the text of what a script or an expression gave. */

import { exactJson } from "../../base/mod.ts";
import type {
  DataChange,
  ExpressionOutcome,
  ReplFailure,
  ReplIssue,
  ReplOutput,
  ScriptOutcome,
} from "../../ops/mod.ts";
import { visible } from "../visible_text.ts";

/** Columns of a line of source that are shown around a mistake. */
const EXCERPT_COLUMNS_MAX = 160;
const CONTROL_REGEXP = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
/** Types whose value tells them. */
const EVIDENT_TYPES: ReadonlySet<string> = new Set([
  "bool",
  "string",
  "null_type",
  "list",
  "map",
  "Boolean",
  "Integer",
  "String",
]);

/** What a run put out, each text on lines of its own. */
export function outputText({ lines, dropped }: ReplOutput): string {
  const text = lines.map((line) => `${line.text}\n`).join("");
  return dropped === 0 ? text : `${text}(${dropped} more lines were printed, too many to be kept)\n`;
}

/** How the message changed, a line a place. */
export function outcomeText({ filtered, changes }: Pick<ScriptOutcome, "filtered" | "changes">): string {
  const lines = changes.map(changeLine);
  if (filtered) lines.unshift("the message is filtered: it goes no further");
  else if (changes.length === 0) lines.push("the message is unchanged");
  return lines.map((line) => `${line}\n`).join("");
}

/** One place that differs. */
export function changeLine(change: DataChange): string {
  const { path } = change;
  if (!("before" in change)) return `+ ${path}: ${exactJson(change.after)}`;
  if (!("after" in change)) return `- ${path}: ${exactJson(change.before)}`;
  return `~ ${path}: ${exactJson(change.before)} -> ${exactJson(change.after)}`;
}

/** Steps in words. */
export function stepsText(steps: number): string {
  return `${steps} ${steps === 1 ? "step" : "steps"}\n`;
}

/** A value, and its type where the value does not tell it. */
export function valueText({ value, type }: ExpressionOutcome): string {
  return `${exactJson(value, 2)}${EVIDENT_TYPES.has(type) ? "" : `  (${type})`}\n`;
}

/** What went wrong in a text, each finding with the line it stands in; `name` is what the text is called. */
export function failureText({ kind, issues, ...failure }: ReplFailure, source: string, name: string): string {
  const lines = source.split("\n");
  const findings: readonly ReplIssue[] = issues === undefined || issues.length === 0 ? [failure] : issues;
  const text = findings.map(({ message, line, column, hint }) => {
    const head = `error[${kind}] ${name}:${line}:${column}: ${visible(message)}`;
    const excerpt = excerptOf(lines[line - 1] ?? "", line, column);
    return [head, ...excerpt, ...(hint === undefined ? [] : [`  hint: ${visible(hint)}`])].join("\n");
  });
  return [...text, ...framesOf(failure.backtrace), ""].join("\n");
}

/** The line with a caret below the column. */
function excerptOf(line: string, number: number, column: number): string[] {
  if (line.trim() === "") return [];
  const points = [...line];
  const from = points.length <= EXCERPT_COLUMNS_MAX ? 0 : Math.max(0, column - 1 - EXCERPT_COLUMNS_MAX / 2);
  const shown = points.slice(from, from + EXCERPT_COLUMNS_MAX);
  const indent = shown.slice(0, column - 1 - from).map((point) => point === "\t" ? "\t" : " ").join("");
  const margin = String(number);
  return [
    `  ${margin} | ${shown.join("").replace(CONTROL_REGEXP, (control) => control === "\t" ? "\t" : " ")}`,
    `  ${" ".repeat(margin.length)} | ${indent}^`,
  ];
}

/** The frames of a failure inside of a function; one at the top is told by its place. */
function framesOf(backtrace: string | undefined): string[] {
  const frames = backtrace?.split("\n") ?? [];
  return frames.length < 2 ? [] : ["  backtrace, outermost first:", ...frames.map((frame) => `    ${visible(frame)}`)];
}
