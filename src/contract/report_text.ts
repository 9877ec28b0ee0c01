/** Owns the report as text, for people. */

import { renderDiagnostic } from "../diagnostics/mod.ts";
import type { CaseReport, Difference, SuiteReport, TestReport } from "./report.ts";

/** What the text tells beside the report. */
export interface ReportTextOptions {
  /** YAML files that are no suites. */
  readonly skipped: number;
  /** Golden files that were written. */
  readonly written: readonly string[];
}

/** Columns of the words in front of what was expected and found. */
const LABEL_COLUMNS = 10;
const CONTROL_REGEXP = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** Every suite with its cases, every difference, and how many there are. */
export function reportText(report: TestReport, { skipped, written }: ReportTextOptions): string {
  const { passed, failed, suites } = report;
  const broken = suites.filter(({ cases }) => cases.length === 0).length;
  const read = suites.length - broken;
  const totals = [
    ...(read === 0 && broken > 0 ? [] : [`${passed} passed, ${failed} failed in ${suitesText(read)}`]),
    ...(broken === 0 ? [] : [`${filesText(broken)} could not be read as ${broken === 1 ? "a suite" : "suites"}`]),
  ].join(", ");
  const left = skipped === 0 ? "" : ` (${filesText(skipped)} without a suite skipped)`;
  return [
    ...suites.map(suiteText),
    ...written.map((file) => `wrote ${oneLine(file)}\n`),
    `${totals}${left}\n`,
  ].join("");
}

function suitesText(count: number): string {
  return count === 1 ? "1 suite" : `${count} suites`;
}

function filesText(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

function suiteText({ file, name, cases, diagnostics }: SuiteReport): string {
  const title = name === "" ? oneLine(file) : `${oneLine(name)} (${oneLine(file)})`;
  const findings = (diagnostics ?? []).map((one) => `${indented(renderDiagnostic(one), 2)}\n`);
  // Cases that did not run have nothing to tell that the findings do not.
  const lines = diagnostics === undefined ? cases.map(caseText) : notRunLines(cases);
  return [`${title}\n`, ...findings, ...lines].join("");
}

function notRunLines({ length }: readonly CaseReport[]): readonly string[] {
  if (length === 0) return [];
  return [`  FAILED  ${length === 1 ? "its case" : `its ${length} cases`} did not run\n`];
}

function caseText({ name, ok, ms, differences }: CaseReport): string {
  const head = `  ${ok ? "ok    " : "FAILED"}  ${oneLine(name)} (${ms} ms)\n`;
  return head + differences.map(differenceText).join("");
}

function differenceText({ where, path, expected, found, note }: Difference): string {
  const at = path === undefined ? where : `${where}: ${path}`;
  const lines = [
    oneLine(at),
    `  ${"expected".padEnd(LABEL_COLUMNS)}${oneLine(expected)}`,
    `  ${"found".padEnd(LABEL_COLUMNS)}${oneLine(found)}`,
    ...(note === undefined ? [] : [`  ${"note".padEnd(LABEL_COLUMNS)}${oneLine(note)}`]),
  ];
  return `${indented(lines.join("\n"), 10)}\n`;
}

function indented(text: string, columns: number): string {
  return text.split("\n").map((line) => `${" ".repeat(columns)}${line}`).join("\n");
}

/** What a message holds must not reach a terminal as a control. */
function oneLine(text: string): string {
  return text.replace(CONTROL_REGEXP, (control) => {
    if (control === "\n") return "\\n";
    if (control === "\t") return "\\t";
    return `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
