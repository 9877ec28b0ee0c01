import assert from "node:assert/strict";
import { testContext } from "../../../plugin/mod.ts";
import { CellError, cellValue } from "./cell_value.ts";
import { sqlSink } from "./mod.ts";

const BLOCK = { driver: "postgres", dsn: "postgres://u:p@h/d" };

/** The codes and paths of everything wrong with a block that fits its schema. */
function issues(block: object): readonly string[] {
  const parsed = sqlSink.definition.parse({ ...BLOCK, ...block });
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return (sqlSink.check?.(parsed.value, testContext()) ?? []).map(({ code, path }) =>
    [...(code === undefined ? [] : [code]), ...path].join(".")
  );
}

Deno.test("sqlSink.check: a table or a statement, each with what belongs to it", () => {
  assert.deepEqual(issues({ table: "t" }), []);
  assert.deepEqual(issues({ table: "s.t", mode: "upsert", key: ["a", "b"] }), []);
  assert.deepEqual(issues({ statement: "insert into t values (:a)", bindings: { a: "payload.a" } }), []);
  assert.deepEqual(issues({}), [""]);
  assert.deepEqual(issues({ table: "t", statement: "select 1" }), [""]);
  assert.deepEqual(issues({ table: "t", mode: "upsert" }), ["mode"]);
  assert.deepEqual(issues({ table: "t", key: "id" }), ["key"]);
  assert.deepEqual(issues({ table: "t", bindings: { a: "1" } }), ["bindings"]);
  assert.deepEqual(issues({ statement: "select :a, :b", bindings: { a: "payload.", c: "1" } }), [
    "statement",
    "bindings.c",
    "expr_cel_compile.bindings.a",
  ]);
});

Deno.test("sqlSink.constantsRead: what its expressions read", () => {
  const parsed = sqlSink.definition.parse({
    ...BLOCK,
    statement: "select :a, :b",
    bindings: { a: "constants.shop", b: "parameters.day" },
  });
  assert.ok(parsed.ok);
  assert.deepEqual(sqlSink.constantsRead?.(parsed.value), ["shop"]);
  assert.deepEqual(sqlSink.parametersRead?.(parsed.value), ["day"]);
});

Deno.test("cellValue: a payload's values as a column's", () => {
  assert.equal(cellValue({ a: 9007199254740993n }, "json", "postgres"), '{"a":9007199254740993}');
  assert.equal(cellValue("x", "json", "postgres"), '"x"');
  assert.deepEqual(cellValue("AP8=", "bytes", "mysql"), Uint8Array.of(0, 255));
  assert.equal(cellValue([1, [null], "a"], "array", "postgres"), '{"1",{NULL},"a"}');
  assert.equal(cellValue([1], "plain", "mysql"), "[1]");
  assert.equal(cellValue(undefined, "plain", "mysql"), null);
  for (
    const [text, expected] of [
      ["2026-03-01T00:30:00.123456+01:00", "2026-02-28 23:30:00.123456"],
      ["2026-03-01T00:30:00Z", "2026-03-01 00:30:00"],
      ["2026-03-01T00:30:00-0330", "2026-03-01 04:00:00"],
      ["2026-03-01 00:30:00", "2026-03-01 00:30:00"],
      ["soon", "soon"],
    ] as const
  ) assert.equal(cellValue(text, "moment", "mysql"), expected);
});

Deno.test("cellValue: what a column cannot hold is refused", () => {
  const refused = (...args: Parameters<typeof cellValue>) => assert.throws(() => cellValue(...args), CellError);
  refused("a\0b", "plain", "postgres");
  refused("\ud800", "plain", "sqlite");
  refused(Number.NaN, "plain", "mysql");
  refused("not base64!", "bytes", "sqlite");
  refused(7, "bytes", "sqlite");
  assert.equal(cellValue(Number.NaN, "plain", "postgres"), Number.NaN);
});
