/** Owns the report as JUnit XML, for build servers. */

import { renderDiagnostic } from "../diagnostics/mod.ts";
import type { CaseReport, Difference, SuiteReport, TestReport } from "./report.ts";

const ESCAPES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\t": "&#9;",
};
const ESCAPED_REGEXP = /[&<>"\n\t]/g;
/** What XML 1.0 cannot hold in any form. */
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const FORBIDDEN_REGEXP = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** The report as one XML document: a `testsuite` a suite, a `testcase` a case. */
export function junitText({ passed, failed, suites }: TestReport): string {
  const broken = suites.filter(isBroken).length;
  const attributes = attributesText({ tests: passed + failed + broken, failures: failed, errors: broken });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="eventboat"${attributes}>`,
    ...suites.flatMap(suiteLines),
    "</testsuites>",
    "",
  ].join("\n");
}

/** A suite without cases could not be read: build servers count what has a case. */
function isBroken({ cases }: SuiteReport): boolean {
  return cases.length === 0;
}

function suiteLines(suite: SuiteReport): readonly string[] {
  const { file, name, cases } = suite;
  const failures = cases.filter(({ ok }) => !ok).length;
  const broken = isBroken(suite);
  const time = secondsText(cases.reduce((sum, { ms }) => sum + ms, 0));
  const attributes = attributesText({
    name: name === "" ? file : name,
    file,
    tests: cases.length + (broken ? 1 : 0),
    failures,
    errors: broken ? 1 : 0,
    time,
  });
  return [
    `  <testsuite${attributes}>`,
    ...(broken ? brokenLines(suite) : cases.flatMap((one) => caseLines(suite, one))),
    "  </testsuite>",
  ];
}

function brokenLines({ file, diagnostics = [] }: SuiteReport): readonly string[] {
  const message = diagnostics[0]?.message ?? "the suite cannot be read";
  return [
    `    <testcase${attributesText({ name: "the suite can be read", classname: file })}>`,
    `      <error${attributesText({ message })}>${escaped(diagnostics.map(renderDiagnostic).join("\n"))}</error>`,
    "    </testcase>",
  ];
}

function caseLines({ name: suite, file, diagnostics }: SuiteReport, { name, ok, ms, differences }: CaseReport) {
  const attributes = attributesText({ name, classname: suite, file, time: secondsText(ms) });
  if (ok) return [`    <testcase${attributes}/>`];
  const [first] = differences;
  const findings = (diagnostics ?? []).map(renderDiagnostic);
  const text = [...differences.map(differenceText), ...findings].join("\n");
  const message = first === undefined ? "" : `${placeText(first)}: expected ${first.expected}, found ${first.found}`;
  return [
    `    <testcase${attributes}>`,
    `      <failure${attributesText({ message })}>${escaped(text)}</failure>`,
    "    </testcase>",
  ];
}

function differenceText(difference: Difference): string {
  const { expected, found, note } = difference;
  const end = note === undefined ? "" : `\n  note: ${note}`;
  return `${placeText(difference)}\n  expected: ${expected}\n  found: ${found}${end}`;
}

function placeText({ where, path }: Difference): string {
  return path === undefined ? where : `${where}: ${path}`;
}

function attributesText(attributes: { readonly [name: string]: string | number }): string {
  return Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`).join("");
}

function secondsText(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function escaped(text: string): string {
  return text.toWellFormed().replace(FORBIDDEN_REGEXP, "\ufffd").replace(ESCAPED_REGEXP, (one) => ESCAPES[one] ?? one);
}
