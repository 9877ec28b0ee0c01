/** Owns how findings are printed for people; programs get the same objects as JSON. */

import type { Diagnostic } from "./diagnostic.ts";

const CONTROL_REGEXP = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** How many findings of each severity there are. */
export interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
}

/** Counts findings by severity. */
export function countFindings(diagnostics: readonly Diagnostic[]): FindingCounts {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
  return { errors, warnings: diagnostics.length - errors };
}

/** One finding as `severity[code] file:line:column: message` (for `io_read` the file alone), its hint on a line of its own. No newline at the end. */
export function renderDiagnostic(diagnostic: Diagnostic): string {
  const { severity, code, message, hint } = diagnostic;
  const head = `${severity}[${code}] ${placeText(diagnostic)}: ${oneLine(message)}`;
  return hint === undefined ? head : `${head}\n  hint: ${oneLine(hint)}`;
}

/** One finding as `file:line:column: message (hint)`, to stand within a sentence. */
export function renderDiagnosticInline(diagnostic: Diagnostic): string {
  const { message, hint } = diagnostic;
  const head = `${placeText(diagnostic)}: ${oneLine(message)}`;
  return hint === undefined ? head : `${head} (${oneLine(hint)})`;
}

/** All findings of a file and, as the last line, how many there are. Ends in a newline. */
export function renderDiagnostics(file: string, diagnostics: readonly Diagnostic[]): string {
  const { errors, warnings } = countFindings(diagnostics);
  const lines = diagnostics.map(renderDiagnostic);
  return [...lines, `${oneLine(file)}: ${errors} error(s), ${warnings} warning(s)`, ""].join("\n");
}

/** Where a finding stands. A file that cannot be read has no lines to point at. */
function placeText({ code, file, line, column }: Diagnostic): string {
  return code === "io_read" ? oneLine(file) : `${oneLine(file)}:${line}:${column}`;
}

/** A finding may quote what a file holds: a control character there must not reach a terminal. */
function oneLine(text: string): string {
  return text.replace(CONTROL_REGEXP, (control) => {
    if (control === "\n") return "\\n";
    if (control === "\t") return "\\t";
    return `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
