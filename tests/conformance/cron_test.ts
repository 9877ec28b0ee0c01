/** Owns the cron conformance tests: what is an expression, and when it is next due. */

import assert from "node:assert/strict";
import { parseCron } from "../../src/base/mod.ts";
import { conformanceSuite, judgeCases } from "./shared_data.ts";

interface NextCase {
  readonly id: string;
  readonly expr: string;
  readonly tz: string;
  readonly from: string;
  readonly agreement: string;
  readonly next: readonly string[];
}

interface ValidityCase {
  readonly id: string;
  readonly expr: string;
  readonly verdict: string;
}

conformanceSuite("cron", (data) => {
  Deno.test("conformance cron: next runs that all agree on", () =>
    judgeCases({
      cases: data.json<NextCase[]>("next.json").filter(({ agreement }) => agreement === "all"),
      id: ({ id }) => id,
      check: ({ expr, tz, from, next }) => {
        const parsed = parseCron(expr, tz);
        assert.ok(parsed.ok);
        let atMs: number | undefined = Date.parse(from);
        const found = next.map(() => {
          atMs = atMs === undefined ? undefined : parsed.schedule.next(atMs);
          return atMs === undefined ? "never" : new Date(atMs).toISOString().replace(".000Z", "Z");
        });
        assert.deepEqual(found, next);
      },
      exceptions: {},
    }));

  Deno.test("conformance cron: expressions that all take or all refuse", () =>
    judgeCases({
      cases: data.json<ValidityCase[]>("validity.json").filter(({ verdict }) => verdict !== "differs"),
      id: ({ id }) => id,
      check: ({ expr, verdict }) => assert.equal(parseCron(expr, "UTC").ok, verdict === "valid"),
      exceptions: {},
    }));
});
