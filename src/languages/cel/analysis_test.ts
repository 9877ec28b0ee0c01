/** Owns the tests of what is told of an expression without evaluating it. */

import assert from "node:assert/strict";
import { compileCel } from "./compile.ts";
import type { CelExpression } from "./expression.ts";

function compiled(source: string): CelExpression {
  const result = compileCel(source);
  assert.ok(result.ok, source);
  return result.program;
}

Deno.test("CelExpression.reads: every path once, up to where an element is chosen", () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    [`payload.region == "eu" && meta.route == "x" && payload.region != ""`, ["payload.region", "meta.route"]],
    ["payload['a'].b + payload['c-d'].e", ["payload.a.b", `payload["c-d"].e`]],
    ["payload.items[0].id == payload[meta.key].x", ["payload.items", "payload", "meta.key"]],
    ["has(payload.a.b)", ["payload.a.b"]],
    ["payload.items.exists(x, x.id == constants.id)", ["payload.items", "constants.id"]],
    ["size(payload) > 1", ["payload"]],
    ["1 < 2", []],
  ];
  for (const [source, reads] of table) assert.deepEqual(compiled(source).reads, reads, source);
});

Deno.test("CelExpression.intArithmetic: a number of the message against an int literal", () => {
  assert.deepEqual(compiled("payload.n + 1 > 2").intArithmetic, [{ offset: 12, suggestion: "1.0" }]);
  assert.deepEqual(compiled("3 * payload['n'] == 1").intArithmetic, [{ offset: 0, suggestion: "3.0" }]);
  assert.deepEqual(compiled("payload.n % 2 == 0").intArithmetic, [{ offset: 12, suggestion: "int(payload.n) % 2" }]);
  assert.deepEqual(compiled("(payload.a * payload.b) - 1 > 0.0").intArithmetic.length, 1);
  assert.deepEqual(compiled("payload.items.all(x, x.price * 2 < 10)").intArithmetic.length, 1);
});

Deno.test("CelExpression.intArithmetic: nothing where types fit or only compare", () => {
  for (
    const source of [
      "payload.n + 1.0 > 2",
      "payload.n > 1",
      "int(payload.n) + 1 > 2",
      "size(payload.a) + 1 > 2",
      "1 + 1 == 2",
    ]
  ) {
    assert.deepEqual(compiled(source).intArithmetic, [], source);
  }
});

Deno.test("CelExpression.literal: only for true and false as they stand", () => {
  assert.equal(compiled("true").literal, true);
  assert.equal(compiled("(false)").literal, false);
  assert.equal(compiled("payload.a").literal, undefined);
  assert.equal(compiled("'true'").literal, undefined);
});

Deno.test("CelExpression.equalities: what must hold for the expression to be true", () => {
  const table: readonly (readonly [string, CelExpression["equalities"]])[] = [
    [`payload.a == "x" && 1 == meta.b`, [{ path: "payload.a", value: "x" }, { path: "meta.b", value: 1 }]],
    [`payload.a == "x" && (payload.b == 1 || payload.c == 2)`, [{ path: "payload.a", value: "x" }]],
    ["payload.on && !payload.off", [{ path: "payload.on", value: true }, { path: "payload.off", value: false }]],
    ["payload.a == 1.5 || payload.b == 2", []],
    ["payload.a != 1", []],
    ["payload.items[0] == 1 && has(payload.a)", []],
    ["!(payload.a == 1)", []],
  ];
  for (const [source, equalities] of table) assert.deepEqual(compiled(source).equalities, equalities, source);
});
