import assert from "node:assert/strict";
import { testContext } from "../../../plugin/mod.ts";
import { sqlSource } from "./mod.ts";

const BLOCK = { driver: "postgres", dsn: "postgres://u:p@h/d", query: "select * from t" };

/** The paths of everything wrong with a block that fits its schema. */
function issues(block: object): readonly string[] {
  const parsed = sqlSource.definition.parse({ ...BLOCK, ...block });
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return (sqlSource.check?.(parsed.value, testContext()) ?? []).map(({ path, offset }) =>
    [...path, ...(offset === undefined ? [] : [offset])].join(".")
  );
}

Deno.test("sqlSource.check: placeholders and args belong together", () => {
  assert.deepEqual(issues({ query: "select :a", args: { a: 1 } }), []);
  assert.deepEqual(issues({ query: "select :a, :b", args: { b: true, c: "x" } }), ["query", "args.c"]);
  assert.deepEqual(issues({ query: "select 1; select $1" }), ["query.8"]);
  assert.deepEqual(issues({ query: "-- nothing" }), ["query"]);
});

Deno.test("sqlSource.check: the key begins with the cursor and names no column twice", () => {
  assert.deepEqual(issues({ cursor: { column: "at" }, pagination: { key: ["at", "id"] } }), []);
  assert.deepEqual(issues({ cursor: { column: "at" }, pagination: { key: "id" } }), ["pagination.key"]);
  assert.deepEqual(issues({ pagination: { key: ["id", "id"] } }), ["pagination.key"]);
  assert.deepEqual(issues({ driver: "sqlite", dsn: "a.db", cursor: { column: "at", lag: "1s" } }), ["cursor.lag"]);
  assert.deepEqual(issues({ dsn: "nonsense" }), ["dsn"]);
});

Deno.test("sqlSource.needs: the host of the address and nothing else", () => {
  const needs = (block: object) => {
    const parsed = sqlSource.definition.parse({ ...BLOCK, ...block });
    assert.ok(parsed.ok);
    return sqlSource.needs?.(parsed.value, testContext());
  };
  assert.deepEqual(needs({}), { net: ["h:5432"] });
  assert.deepEqual(needs({ dsn: "nonsense" }), {});
});
