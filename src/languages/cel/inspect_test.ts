import assert from "node:assert/strict";
import { inspectCel } from "./inspect.ts";

const ENVIRONMENT = { constants: { low: 10 }, parameters: {} };

function inspect(source: string, payload: unknown = { total: 15, big: 9007199254740993n }) {
  return inspectCel(source, ENVIRONMENT, { payload, meta: { route: "a" } });
}

Deno.test("inspectCel: a value comes with its type", () => {
  const values: readonly (readonly [source: string, type: string, value: unknown])[] = [
    ["payload.total > constants.low", "bool", true],
    ["payload.total", "double", 15],
    ["payload.big", "int", 9007199254740993n],
    ["1u", "uint", 1],
    ["meta.route", "string", "a"],
    ["b'a'", "bytes", Uint8Array.of(97)],
    ["duration('90s')", "google.protobuf.Duration", "90s"],
    ["{'a': [1, null]}", "map", { a: [1, null] }],
    ["{1: 2}", "map", new Map([[1, 2]])],
  ];
  for (const [source, type, value] of values) assert.deepEqual(inspect(source), { kind: "value", type, value }, source);
});

Deno.test("inspectCel: a failure and an issue tell their place, a costly evaluation ends", () => {
  const failed = inspect("true && payload.none > 1");
  assert.ok(failed.kind === "failed");
  assert.equal(failed.offset, "true && payload".length);
  const invalid = inspect("payload.total >");
  assert.ok(invalid.kind === "invalid" && invalid.issues.length === 1);
  const list = Array.from({ length: 2000 }, (_, index) => index);
  assert.equal(inspect("payload.all(x, payload.all(y, x + y >= 0.0))", list).kind, "budget");
});
