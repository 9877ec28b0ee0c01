import assert from "node:assert/strict";
import { DiagnosticBag } from "./bag.ts";

const at = (line: number, column: number, file = "a.yaml") => ({ file, line, column });

Deno.test("DiagnosticBag: lists findings in document order, files in the order of their first mention", () => {
  const bag = new DiagnosticBag();
  bag.report("cfg_kind", at(9, 1), "kind");
  bag.report("cfg_overlay", at(1, 1, "b.yaml"), "overlay");
  bag.report("cfg_node_type", at(2, 7), "later column");
  bag.report("cfg_node_type", at(2, 3), "first");
  assert.deepEqual(bag.list().map((found) => [found.file, found.line, found.column]), [
    ["a.yaml", 2, 3],
    ["a.yaml", 2, 7],
    ["a.yaml", 9, 1],
    ["b.yaml", 1, 1],
  ]);
});

Deno.test("DiagnosticBag: takes the severity from the catalogue, and warnings are no errors", () => {
  const bag = new DiagnosticBag();
  bag.report("lint_constant_unused", at(1, 1), "unused", { hint: "remove it", node: "n" });
  assert.equal(bag.hasErrors, false);
  assert.deepEqual(bag.list(), [{
    severity: "warning",
    code: "lint_constant_unused",
    file: "a.yaml",
    line: 1,
    column: 1,
    message: "unused",
    hint: "remove it",
    node: "n",
  }]);
  bag.report("cfg_kind", at(1, 1), "kind");
  assert.equal(bag.hasErrors, true);
});

Deno.test("DiagnosticBag: keeps one finding of the same mistake at the same place", () => {
  const bag = new DiagnosticBag();
  bag.report("cfg_kind", at(1, 1), "kind");
  bag.report("cfg_kind", at(1, 1), "kind");
  bag.add(bag.list());
  assert.equal(bag.list().length, 1);
  bag.report("cfg_kind", at(1, 2), "kind");
  assert.equal(bag.list().length, 2);
});

Deno.test("DiagnosticBag: keeps a thousand findings, and knows of errors beyond them", () => {
  const bag = new DiagnosticBag();
  for (let line = 1; line <= 1000; line++) bag.report("lint_constant_unused", at(line, 1), "unused");
  assert.equal(bag.hasErrors, false);
  bag.report("cfg_kind", at(1, 1), "kind");
  assert.equal(bag.hasErrors, true);
  assert.equal(bag.list().length, 1000);
});
