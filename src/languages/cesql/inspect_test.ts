import assert from "node:assert/strict";
import { inspectCesql } from "./inspect.ts";

function inspect(source: string, payload: unknown = { total: 15 }) {
  return inspectCesql(source, { payload, meta: { source: "shop", large: "x".repeat(1000) } });
}

Deno.test("inspectCesql: a value comes with its type", () => {
  const values = [
    ["source = 'shop'", "Boolean", true],
    ["data.total", "Integer", 15],
    ["UPPER(source)", "String", "SHOP"],
  ] as const;
  for (const [source, type, value] of values) assert.deepEqual(inspect(source), { kind: "value", type, value }, source);
});

Deno.test("inspectCesql: a failure tells its place, everything wrong with a text is told at once", () => {
  const failed = inspect("TRUE AND nobody = 1");
  assert.ok(failed.kind === "failed");
  assert.equal(failed.offset, "TRUE AND ".length);
  const invalid = inspect("NOPE(1) = NEVER(2)");
  assert.ok(invalid.kind === "invalid");
  assert.equal(invalid.issues.length, 2);
});
