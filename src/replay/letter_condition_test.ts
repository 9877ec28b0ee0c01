/** Tests the conditions that choose dead letters. */

import assert from "node:assert/strict";
import { compileLetterCondition } from "./letter_condition.ts";

Deno.test("compileLetterCondition: a field that letters do not have is refused, with its place and the nearest one", () => {
  assert.throws(() => compileLetterCondition('payload.a == 1 || letter.nod == "x"'), {
    code: "usage",
    message: /letter has no field "nod" \(at character 19\)$/,
    hint: 'did you mean "node"?',
  });
  assert.throws(() => compileLetterCondition('letter["clas"] == "x"'), {
    code: "usage",
    hint: 'did you mean "class"?',
  });
});

Deno.test("compileLetterCondition: each field is read, and other bindings are not judged", () => {
  const fields = "id seq reason class node edge time attempts run_id source codec message_id backtrace".split(" ");
  const text = fields.map((field) => `letter.${field} != "x"`).join(" && ");
  assert.deepEqual(compileLetterCondition(`payload.nod == meta.nod && ${text}`).pushdown, {});
  assert.doesNotThrow(() => compileLetterCondition('letter.backtrace != null && "node" in letter'));
});
