/** Owns the form in which tests say what a document is to be told: markers in the document itself, and its cure. */

import assert from "node:assert/strict";
import { fakeRegistry } from "./fake_plugins.ts";
import { type Verdict, verifyText } from "./verify_file.ts";

/** One document and what is to be found in it. */
export interface BuildCase {
  readonly name: string;
  /**
   * The document below its head. A line may end in `#! code:column`, several joined by blanks: what is to be found on
   * that line. Nothing else may be found.
   */
  readonly yaml: string;
  /** What is to be found where no comment can stand, as `code:line:column`; lines count from the first of `yaml`. */
  readonly also?: readonly string[];
  /** What to replace by what so that nothing is found any more. */
  readonly cure: readonly (readonly [before: string, after: string])[];
}

const HEAD = "apiVersion: eventboat/v1\nkind: Pipeline\nmetadata: {name: p}\n";
const HEAD_LINES = 3;
/** What `ticker.json` holds. */
const MANIFEST = JSON.stringify({
  kind: "source",
  name: "ticker",
  version: 1,
  capabilities: [],
  config_schema: { type: "object", properties: { symbol: { type: "string" } }, additionalProperties: false },
});
const MARKER_REGEXP = /#! (.*)$/;

/** Verifies the text below a head that is the same for all. */
export function verdictOf(yaml: string, strict = false): Verdict {
  return verifyText({
    file: "p.yaml",
    text: HEAD + yaml,
    directory: "/pipelines",
    env: (name) => name === "NAME" ? "from-env" : name === "COUNT" ? "7" : undefined,
    readFile: (path) => {
      if (path !== "/pipelines/ticker.json") throw new Deno.errors.NotFound();
      return new TextEncoder().encode(MANIFEST);
    },
  }, { registry: fakeRegistry(), strict });
}

/** Asserts that a case's document is told what it marks, there and nowhere else, and that its cure cures. */
export function checkCase({ yaml, also = [], cure }: BuildCase): void {
  const expected = [...markedFindings(yaml), ...also.map(shiftLine)].sort();
  const verdict = verdictOf(yaml);
  const found = verdict.diagnostics.map(({ code, line, column }) => `${code}:${line}:${column}`).sort();
  assert.deepEqual(found, expected);
  for (const { message, file } of verdict.diagnostics) {
    assert.equal(file, "p.yaml");
    assert.notEqual(message, "");
  }
  let cured = yaml;
  for (const [before, after] of cure) {
    assert.ok(cured.includes(before), `the cure finds ${JSON.stringify(before)}`);
    cured = cured.replaceAll(before, after);
  }
  assert.deepEqual(verdictOf(cured).diagnostics, []);
}

/** The codes that cases mark. */
export function codesOf(cases: readonly BuildCase[]): ReadonlySet<string> {
  const findings = cases.flatMap(({ yaml, also = [] }) => [...markedFindings(yaml), ...also]);
  return new Set(findings.map((finding) => finding.split(":")[0] ?? ""));
}

function markedFindings(yaml: string): string[] {
  return yaml.split("\n").flatMap((line, index) => {
    const marks = MARKER_REGEXP.exec(line)?.[1]?.trim().split(/\s+/) ?? [];
    return marks.map((mark) => mark.replace(":", `:${index + 1 + HEAD_LINES}:`));
  });
}

function shiftLine(finding: string): string {
  const [code, line, column] = finding.split(":");
  return `${code}:${Number(line) + HEAD_LINES}:${column}`;
}
