import assert from "node:assert/strict";
import { StatementLines } from "./statement_lines.ts";

function gather(text: string, blankLineEnds: boolean): string[] {
  const lines = new StatementLines({ blankLineEnds });
  return [...text.split("\n").flatMap((line) => lines.add(line)), ...lines.end()];
}

Deno.test("StatementLines: a line that is whole is a statement, blank ones are none", () => {
  for (const typed of [true, false]) {
    assert.deepEqual(gather("x = 1\n\n  \nx; y\n# note", typed), ["x = 1\n", "x; y\n", "# note\n"]);
  }
});

Deno.test("StatementLines: brackets, long strings and backslashes go on, blank lines in them too", () => {
  const open = 'f(1,\n\n2)\n"""a\n\nb"""\nx = 1 + \\\n2';
  for (const typed of [true, false]) {
    assert.deepEqual(gather(open, typed), ["f(1,\n\n2)\n", '"""a\n\nb"""\n', "x = 1 + \\\n2\n"]);
  }
});

Deno.test("StatementLines: a block ends at a line that is no part of it", () => {
  const block = "def f():\n  return 1\n# note\nf()\nif x:\n  a\nelif y:\n  b\nelse:\n  c\nd";
  for (const typed of [true, false]) {
    assert.deepEqual(gather(block, typed), [
      "def f():\n  return 1\n# note\n",
      "f()\n",
      "if x:\n  a\nelif y:\n  b\nelse:\n  c\n",
      "d\n",
    ]);
  }
});

Deno.test("StatementLines: a blank line ends a block that is typed, and none that is piped", () => {
  const block = "def f():\n  a\n\n  return a\nf()";
  assert.deepEqual(gather(block, true), ["def f():\n  a\n", "  return a\n", "f()\n"]);
  assert.deepEqual(gather(block, false), ["def f():\n  a\n\n  return a\n", "f()\n"]);
});

Deno.test("StatementLines: what waits can be dropped", () => {
  const lines = new StatementLines({ blankLineEnds: true });
  lines.add("f(");
  assert.equal(lines.isOpen, true);
  lines.drop();
  assert.deepEqual([lines.isOpen, lines.add("x")], [false, ["x\n"]]);
});
