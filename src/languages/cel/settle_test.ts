/** Owns the tests of results of evaluations as plain data. */

import assert from "node:assert/strict";
import { EventboatError } from "../../diagnostics/mod.ts";
import { compileCel } from "./compile.ts";
import { inspectCel } from "./inspect.ts";

const ENVIRONMENT = { constants: {}, parameters: {} };
const LIST = Array.from({ length: 2000 }, (_, index) => index);
const SCOPE = { payload: { list: LIST, map: { list: LIST }, text: "x".repeat(100_000) }, meta: {} };

function run(source: string): unknown {
  const compiled = compileCel(source);
  assert.ok(compiled.ok);
  return compiled.program.bind(ENVIRONMENT)(SCOPE);
}

Deno.test("settleCel: a result that shows as more than an evaluation may cost is refused, however few lists it holds", () => {
  const results = [
    "[1]" + ".map(x, [x, x])".repeat(60),
    "[1]" + ".map(x, {'a': x, 'b': x})".repeat(60),
    "[payload.text]" + ".map(x, [x, x])".repeat(12),
    "payload.list.map(x, payload.list)",
    "payload.list.map(x, payload.map)",
  ];
  for (const source of results) {
    assert.throws(() => run(source), (error) => error instanceof EventboatError && error.code === "budget", source);
    assert.equal(inspectCel(source, ENVIRONMENT, SCOPE).kind, "budget", source);
  }
});

Deno.test("settleCel: what shows as no more than that is given, and a message's own values are not copied", () => {
  assert.deepEqual(run("[1]" + ".map(x, [x, x])".repeat(2)), [[[1, 1], [1, 1]]]);
  assert.equal((run("payload.list.map(x, [x, x])") as unknown[]).length, LIST.length);
  assert.equal(run("payload.map"), SCOPE.payload.map);
  assert.equal((run("[payload.map]") as unknown[])[0], SCOPE.payload.map);
});
