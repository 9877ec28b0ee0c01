/** Owns the Starlark conformance tests: expressions and calls, with the value or the failure they give. */

import assert from "node:assert/strict";
import { compileStarlark } from "../../src/languages/mod.ts";
import { conformanceSuite, judgeCases } from "./shared_data.ts";

interface ExpressionCase {
  readonly id: string;
  readonly source: string;
  readonly ok: boolean;
  readonly repr: string | null;
  readonly type: string | null;
}

interface ExpressionTable {
  readonly prelude: string;
  readonly cases: readonly ExpressionCase[];
}

/** What an expression shows as and its type, or undefined when it does not compile or fails. */
function outcome(prelude: string, expression: string): readonly [repr: unknown, type: unknown] | undefined {
  const compiled = compileStarlark(`${prelude}\nresult = (${expression})\npayload = [repr(result), type(result)]\n`);
  if (!compiled.ok) return undefined;
  try {
    const { payload } = compiled.program.bind({ constants: {}, parameters: {} })({ payload: {}, meta: {} });
    return payload as [unknown, unknown];
  } catch (error) {
    if (error instanceof Error && error.name === "ScriptError") return undefined;
    throw error;
  }
}

conformanceSuite("starlark", (data) => {
  Deno.test("conformance starlark: expressions and calls give their value, or fail", () => {
    const { prelude, cases } = data.json<ExpressionTable>("expressions.json");
    return judgeCases({
      cases,
      id: ({ id }) => id,
      check: ({ source, ok, repr, type }) => {
        assert.deepEqual(outcome(prelude, source), ok ? [repr, type] : undefined);
      },
      exceptions: {},
    });
  });
});
