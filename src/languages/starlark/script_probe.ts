/** Owns the running of scripts in tests. */

import assert from "node:assert/strict";
import type { Environment } from "../scope.ts";
import { compileStarlark } from "./compile.ts";
import { ScriptError, type ScriptOptions, type ScriptResult } from "./program.ts";

/** What a script runs against. */
export interface ProbeOptions extends ScriptOptions {
  readonly payload?: unknown;
  readonly meta?: { readonly [key: string]: string | number | boolean };
  readonly constants?: Environment["constants"];
}

/** Runs a script that compiles. @throws {ScriptError} */
export function runScript(source: string, options: ProbeOptions = {}): ScriptResult {
  const compiled = compileStarlark(source);
  assert.ok(compiled.ok, compiled.ok ? "" : compiled.issues.map((issue) => issue.message).join("\n"));
  const { payload = {}, meta = {}, constants = {} } = options;
  return compiled.program.bind({ constants, parameters: {} }, options)({ payload, meta });
}

/** The error of a script that compiles and fails. */
export function failureOf(source: string, options: ProbeOptions = {}): ScriptError {
  try {
    runScript(source, options);
  } catch (error) {
    assert.ok(error instanceof ScriptError, String(error));
    return error;
  }
  return assert.fail(`no failure: ${source}`);
}

/** Messages of what is wrong with a script, with the text they point at. */
export function issuesOf(source: string): readonly string[] {
  const compiled = compileStarlark(source);
  if (compiled.ok) return [];
  return compiled.issues.map(({ message, offset, length = 0 }) => {
    return `${JSON.stringify(source.slice(offset, offset + length))}: ${message}`;
  });
}

/** Checks what expressions show as. */
export function assertValues(expected: { readonly [expression: string]: string }, payload: unknown = {}): void {
  for (const [expression, repr] of Object.entries(expected)) {
    const result = runScript(`payload = repr(${expression})`, { payload });
    assert.equal(result.payload, repr, expression);
  }
}

/** Checks that expressions do not compile or fail as they run. */
export function assertFailures(expressions: readonly string[]): void {
  for (const expression of expressions) {
    const compiled = compileStarlark(`payload = repr(${expression})`);
    if (!compiled.ok) continue;
    const run = compiled.program.bind({ constants: {}, parameters: {} });
    assert.throws(() => run({ payload: {}, meta: {} }), ScriptError, expression);
  }
}
