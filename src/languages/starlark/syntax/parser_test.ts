/** Owns the tests of the grammar, and of going on behind an error. */

import assert from "node:assert/strict";
import { assertValues, issuesOf, runScript } from "../script_probe.ts";

Deno.test("parser: operators bind as tightly as they should", () => {
  assertValues({
    "1 + 2 * 3": "7",
    "(1 + 2) * 3": "9",
    "-2 * -3": "6",
    "not 1 == 2": "True",
    "1 | 6 & 3 ^ 1": "3",
    "1 << 2 + 1": "8",
    "2 - 1 - 1": "0",
    "True or False and False": "True",
    "1 if True else 2 if True else 3": "1",
    "- - 1": "1",
    "not not []": "False",
    "(1)": "1",
    "(1,)": "(1,)",
    "{'a': 1,}['a']": "1",
    "(lambda x, y=2: x + y)(1)": "3",
    "[x for x in [1, 2, 3] if x > 1 if x < 3]": "[2]",
    "[x if x else -1 for x in [0, 1]]": "[-1, 1]",
    "[[y for y in x] for x in [[1], [2]]]": "[[1], [2]]",
  });
});

Deno.test("parser: all errors of a script come at once, in order", () => {
  const source = `x = = 1
def f(:
  return 1
y = [1, 2
  ]
if y
  pass
z = f() + undefined_name
for in y: pass
import os
class = 3
`;
  assert.deepEqual(issuesOf(source), [
    '"=": got "=", want an expression',
    '"(": bracket ( is never closed',
    '":": got ":", want a parameter name',
    '"\\n": got end of line, want :',
    '"undefined_name": undefined: "undefined_name"',
    '"in": got "in", want an expression',
    '"import": "import" is a reserved word of Starlark and cannot stand here',
    '"class": "class" is a reserved word of Starlark and cannot stand here',
  ]);
});

Deno.test("parser: a bracket that is never closed is one mistake", () => {
  const told = ['"(": bracket ( is never closed'];
  for (const source of ["x = (1 +\ny = 2", "f(a, b", "def f(a,\n  return 1", "x = {1: [2, (3"]) {
    assert.deepEqual(issuesOf(source), told, source);
  }
  assert.deepEqual(issuesOf("x = (1 2)"), ['"2": got "2", want )']);
});

Deno.test("parser: an error inside a block leaves the block's other lines", () => {
  const source = "def f():\n  a = 1 +\n  b = = 2\n  return a\nf(1)\n";
  assert.deepEqual(issuesOf(source), [
    '"\\n": got end of line, want an expression',
    '"=": got "=", want an expression',
    '"f(1)": function f accepts no arguments (1 given)',
  ]);
});

Deno.test("parser: what the grammar does not have", () => {
  for (
    const source of [
      "x = 1,",
      "f(x=1, 2)",
      "f(**a, **b)",
      "f(*a, *b)",
      "f(a=1, a=2)",
      "def f(a, a): pass",
      "def f(a=1, b): pass",
      "def f(**k, a): pass",
      "def f(*): pass",
      "def f(*a, *b): pass",
      "1 = x",
      "f() = 1",
      "x + 1 = 2",
      "(a, 1) = 1, 2",
      "[a, b] += 1",
      "a if b",
      "lambda: return 1",
      "x = yield",
      "{1, 2}",
      "[for x in y]",
      "else: pass",
      "elif 1: pass",
      "x ** 2",
      "a.1",
      "a.",
      "load()",
      'load("math")',
      "f(1 2)",
      "(x for x in [])",
    ]
  ) {
    assert.ok(issuesOf(source).length > 0, source);
  }
});

Deno.test("parser: nesting has a limit, and no text overflows the stack", () => {
  const deep = 5000;
  for (
    const source of [
      "(".repeat(deep) + ")".repeat(deep),
      "[".repeat(deep),
      "-".repeat(deep) + "1",
      "not ".repeat(deep) + "1",
      "x = " + "1 + ".repeat(deep) + "1",
      "x = 1" + ".a".repeat(deep),
      "x = 1" + "[0]".repeat(deep),
      "x = " + "lambda: ".repeat(deep) + "1",
      "x = " + "1 if 1 else ".repeat(deep) + "1",
      Array.from({ length: deep }, (_, depth) => " ".repeat(depth) + "if 1:\n").join("") + " ".repeat(deep) + "pass",
      "{".repeat(deep) + "1:".repeat(deep),
    ]
  ) {
    assert.ok(issuesOf(source).length > 0, source.slice(0, 20));
  }
  const branches = "if 0: pass\n" + "elif 0: pass\n".repeat(2000);
  assert.equal(runScript(branches).payloadChanged, false);
});
