import assert from "node:assert/strict";
import { type StarlarkLines, starlarkLines } from "./line_end.ts";

const CASES: readonly (readonly [title: string, expected: StarlarkLines, sources: readonly string[]])[] = [
  ["statements of one line", "whole", ["", "x = 1", "payload.a", "# x (", "f(1); g(2)", '"""a"""', "pass # \\"]],
  ["brackets in strings and comments", "whole", ['"("', "x = 1 # [", "'''{'''"]],
  ["what is wrong whatever comes next", "whole", [")", "(]", '"abc', "x = = 1", "  x = 1", '"\\q"', '"""\\q"""']],
  ["brackets that wait", "open", ["f(", "x = [1,", "{1: (2)", "f(1,\n\n2", "(\nx = 1"]],
  ["long strings that wait", "open", ['x = """a', "'''", 'r"""a\n\nb', "b'''a\\'''", 'f("""']],
  ["a backslash at the end", "open", ["x = 1 + \\", "if x \\", "x = \\"]],
  ["blocks", "block", [
    "def f():",
    "if x: y = 1",
    "for a in b:\n  pass",
    "\n# x\ndef f():\n  return 1",
    "if x:\n  y\nelse:",
  ]],
];

for (const [title, expected, sources] of CASES) {
  Deno.test(`starlarkLines: ${title}: ${expected}`, () => {
    for (const source of sources) assert.equal(starlarkLines(source), expected, JSON.stringify(source));
  });
}
