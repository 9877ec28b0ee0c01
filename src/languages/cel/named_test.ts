import assert from "node:assert/strict";
import { compileNamedCondition, type NamedCondition } from "./named.ts";

function compiled(text: string, names: readonly string[] = ["letter", "payload"]): NamedCondition {
  const result = compileNamedCondition(text, names);
  assert.ok(result.ok);
  return result.program;
}

Deno.test("compileNamedCondition: names are bound, and what is read and must be equal is told", () => {
  const condition = compiled('letter.class == "decode" && letter.attempts > 2');
  assert.equal(condition.holds({ letter: { class: "decode", attempts: 3 }, payload: null }), true);
  assert.equal(condition.holds({ letter: { class: "decode", attempts: 2 }, payload: null }), false);
  assert.deepEqual([...condition.reads].sort(), ["letter.attempts", "letter.class"]);
  assert.deepEqual(condition.equalities, [{ path: "letter.class", value: "decode" }]);
});

Deno.test("compileNamedCondition: other names do not compile, a failure and a value that is no bool are errors", () => {
  assert.equal(compileNamedCondition("constants.x == 1", ["letter"]).ok, false);
  assert.throws(() => compiled("payload.n > 1").holds({ letter: {}, payload: {} }), { code: "expression" });
  assert.throws(() => compiled("letter.n").holds({ letter: { n: 1 }, payload: null }), { code: "expression" });
});
