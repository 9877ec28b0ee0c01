/**
 * Owns the tests that are written in the language itself: the files in `programs/`. Lines of `---` part a file into
 * chunks, each a script of its own. A comment `### pattern` says that its line fails, in compiling or running, with a
 * message that the pattern matches; a chunk without one succeeds.
 */

import assert from "node:assert/strict";
import { compileStarlarkWith } from "./compile.ts";
import { Assertions } from "./program_assertions.ts";
import { ScriptError } from "./program.ts";
import { Positions } from "./syntax/positions.ts";

const FOLDER = new URL("./programs/", import.meta.url);
const EXPECTATION_REGEXP = /### (.+)$/;
/** Steps of one chunk: many cases stand in each. */
const CHUNK_STEPS_MAX = 1_000_000;
/** At least so many assertions are in all files: a file that is not read would go unnoticed otherwise. */
const ASSERTIONS_MIN = 1000;

interface Finding {
  readonly line: number;
  readonly message: string;
}

/** Every failure of a chunk: all that do not compile, or the one that ends its run. */
function findingsOf(source: string, assertions: Assertions): readonly Finding[] {
  const compiled = compileStarlarkWith(source, assertions.names());
  if (!compiled.ok) {
    const positions = new Positions(source);
    return compiled.issues.map(({ message, offset }) => ({ line: positions.at(offset).line, message }));
  }
  try {
    compiled.program.bind({ constants: {}, parameters: {} }, { stepsMax: CHUNK_STEPS_MAX })({ payload: {}, meta: {} });
    return [];
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    return [{ line: error.line, message: error.message }];
  }
}

/** What of a chunk is not as it says. `firstLine` is the chunk's place in its file. */
function problemsOf(source: string, firstLine: number, assertions: Assertions): readonly string[] {
  const expected = new Map<number, RegExp>();
  for (const [index, text] of source.split("\n").entries()) {
    const pattern = EXPECTATION_REGEXP.exec(text)?.[1];
    if (pattern !== undefined) expected.set(index + 1, new RegExp(pattern));
  }
  const failuresBefore = assertions.failures.length;
  const findings = findingsOf(source, assertions);
  const problems = findings.filter(({ line }) => !expected.has(line)).map(({ line, message }) => {
    return `line ${firstLine + line - 1}: ${message}`;
  });
  for (const [line, pattern] of expected) {
    assertions.count++;
    const found = findings.filter((finding) => finding.line === line).map(({ message }) => message);
    if (!found.some((message) => pattern.test(message))) {
      problems.push(`line ${firstLine + line - 1}: got ${JSON.stringify(found)}, want ${pattern}`);
    }
  }
  const failures = assertions.failures.slice(failuresBefore).map((text) => `chunk at line ${firstLine}: ${text}`);
  return [...problems, ...failures];
}

const totals = new Assertions();

function judgeFile(name: string): void {
  const problems: string[] = [];
  let line = 1;
  for (const chunk of Deno.readTextFileSync(new URL(name, FOLDER)).split(/^---\n/m)) {
    problems.push(...problemsOf(chunk, line, totals));
    line += chunk.split("\n").length;
  }
  assert.deepEqual(problems, []);
}

const FILES = [...Deno.readDirSync(FOLDER)].map((entry) => entry.name).filter((name) => name.endsWith(".star")).sort();

for (const name of FILES) Deno.test(`programs: ${name}`, () => judgeFile(name));

Deno.test("programs: none is left out", () => {
  assert.ok(totals.count >= ASSERTIONS_MIN, `only ${totals.count} assertions were judged`);
});
