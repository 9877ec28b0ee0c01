/** Owns the tests of comparisons with what is written out: they give what the general ones give. */

import assert from "node:assert/strict";
import { ScriptError } from "../program.ts";
import { runScript } from "../script_probe.ts";

const OPERATORS = ["==", "!=", "<", ">", "<=", ">="];
const WRITTEN = ["0", "1", "-1", "2.0", "-2.5", "9007199254740991", "5e-324", "1 << 70"]
  .concat(["'x'", "None", "True", "b'x'"]);
const VALUES = [...WRITTEN, "float('nan')", "float('inf')", "float('-inf')", "False", "-0.0", "0 * -1", "1.0"]
  .concat([
    "[]",
    "{}",
    "len",
    "set([1])",
    "payload.one",
    "payload.half",
    "payload.text",
    "payload.none",
    "payload.list",
  ]);
const PAYLOAD = { one: 1, half: 0.5, text: "x", none: null, list: [1] };

/** What a script makes of its message, or says. */
function outcome(source: string): unknown {
  try {
    return runScript(source, { payload: PAYLOAD }).payload;
  } catch (error) {
    assert.ok(error instanceof ScriptError, source);
    return [error.kind, error.message, error.line];
  }
}

Deno.test("comparison: with a literal on either side it is the one of two variables, for values of all kinds", () => {
  for (const operator of OPERATORS) {
    for (const written of WRITTEN) {
      for (const value of VALUES) {
        const general = (a: string, b: string) => outcome(`payload = (lambda a, b: a ${operator} b)(${a}, ${b})`);
        const known = (a: string, b: string) => outcome(`payload = (${a}) ${operator} (${b})`);
        assert.deepEqual(known(value, written), general(value, written), `${value} ${operator} ${written}`);
        assert.deepEqual(known(written, value), general(written, value), `${written} ${operator} ${value}`);
      }
    }
  }
});

Deno.test("comparison: a failure is at the operator", () => {
  for (const [source, column] of [["x = 1\ny = payload.text < 1", 18], ["x = 1\ny = 1 < payload.text", 7]] as const) {
    assert.throws(() => runScript(source, { payload: PAYLOAD }), { line: 2, column });
  }
});

Deno.test("conditions: bools that are known to be ones and values that are none, in every place of and, or and not", () => {
  const source = `
yes = payload.one == 1
no = not yes
mixed = no or payload.text
payload = [
    yes and payload.list, no and payload.list, yes or 1, no or 0, mixed, mixed and yes,
    "y" if yes and (mixed or no) else "n", "y" if no or not mixed else "n", True and None, False or "",
    [x for x in [0, 1, "", "a", None] if x or no],
]
`;
  const expected = [[1], false, true, 0, "x", true, "y", "n", null, "", [1, "a"]];
  assert.deepEqual(outcome(source), expected);
});

Deno.test("a name that is bound more than once, or in a branch, is no known bool", () => {
  const source = `
def f(x):
    x = x == 1
    x = "text"
    return [x and 2, not x]
if payload.one == 2:
    maybe = payload.one == 1
else:
    other = "text"
def g(n):
    out = []
    for i in range(n):
        if i > 0:
            out.append(last and "t")
        last = i or ""
    return out
payload = [f(1), other and 3, g(3)]
`;
  assert.deepEqual(outcome(source), [[2, false], 3, ["", "t"]]);
});

Deno.test("numbers written out: exact, whole floats too", () => {
  const source = `payload = [repr(x) for x in [1.0, -1.0, -0.0, 0.5, -0.5, -1, -0, 1e300, 5e-324, 9007199254740993]]`;
  assert.deepEqual(
    outcome(source),
    ["1.0", "-1.0", "-0.0", "0.5", "-0.5", "-1", "0", "1e+300", "5e-324", "9007199254740993"],
  );
});
