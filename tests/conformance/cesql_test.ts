/** Owns the check of CESQL against its public conformance suite. */

import assert from "node:assert/strict";
import { evaluateCesql } from "../../src/languages/mod.ts";
import type { Meta } from "../../src/message/mod.ts";
import { conformanceSuite, judgeCases } from "./shared_data.ts";

interface Outcome {
  readonly result?: string | number | boolean;
  /** Class of the error. */
  readonly error?: string;
}

interface Row extends Outcome {
  readonly id: string;
  readonly expression: string;
  /** The whole event, in place of the base event. */
  readonly event?: Meta;
  readonly eventOverrides?: Meta;
  /** The right outcome where the row itself is stale. */
  readonly sdkGo?: Outcome;
}

conformanceSuite("cesql", (data) => {
  Deno.test("conformance cesql: every row gives its value and its class of error", async () => {
    const { baseEvent, cases } = data.json<{ readonly baseEvent: Meta; readonly cases: readonly Row[] }>("tck.json");
    await judgeCases({
      cases,
      id: (row) => row.id,
      check: (row) => {
        const { data: payload, ...meta } = row.event ?? { ...baseEvent, ...row.eventOverrides };
        const { result, error } = { ...row, ...row.sdkGo };
        assert.deepEqual(outcome(row.expression, { payload, meta }), { result, error });
      },
      exceptions: {},
    });
  });
});

/** What a row gives by the way that pipelines use; text that does not compile is the suite's class `parse`. */
function outcome(expression: string, scope: { readonly payload: unknown; readonly meta: Meta }) {
  const found = evaluateCesql(expression, scope);
  if ("issues" in found) return { result: false, error: "parse" };
  return { result: found.value, error: found.error };
}
