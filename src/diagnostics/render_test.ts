import assert from "node:assert/strict";
import type { Diagnostic } from "./diagnostic.ts";
import { countFindings, renderDiagnostic, renderDiagnosticInline, renderDiagnostics } from "./render.ts";

const error: Diagnostic = {
  severity: "error",
  code: "topo_cycle",
  file: "p.yaml",
  line: 3,
  column: 5,
  message: "the graph has a cycle: a -> a",
  hint: "remove the edge",
};
const warning: Diagnostic = { ...error, severity: "warning", code: "lint_when_literal" };

Deno.test("renderDiagnostics: each finding with place and hint, the counts last", () => {
  assert.equal(
    renderDiagnostics("p.yaml", [error, warning]),
    "error[topo_cycle] p.yaml:3:5: the graph has a cycle: a -> a\n  hint: remove the edge\n" +
      "warning[lint_when_literal] p.yaml:3:5: the graph has a cycle: a -> a\n  hint: remove the edge\n" +
      "p.yaml: 1 error(s), 1 warning(s)\n",
  );
  assert.equal(renderDiagnostics("p.yaml", []), "p.yaml: 0 error(s), 0 warning(s)\n");
});

Deno.test("renderDiagnostic: control characters of a file never reach the terminal", () => {
  const text = renderDiagnostic({ ...warning, message: "found \u001b[31m\nred" });
  assert.equal(text.split("\n")[0], "warning[lint_when_literal] p.yaml:3:5: found \\u001b[31m\\nred");
});

Deno.test("renderDiagnosticInline: place, message and hint in one line", () => {
  assert.equal(renderDiagnosticInline(error), "p.yaml:3:5: the graph has a cycle: a -> a (remove the edge)");
  const { hint: _hint, ...bare } = error;
  assert.equal(renderDiagnosticInline({ ...bare, message: "found\nred" }), "p.yaml:3:5: found\\nred");
});

Deno.test("renderDiagnostic: a file that cannot be read is told without a place in it", () => {
  const unread: Diagnostic = { ...warning, severity: "error", code: "io_read", line: 1, column: 1, message: "no file" };
  assert.equal(renderDiagnostic(unread).split("\n")[0], "error[io_read] p.yaml: no file");
  assert.equal(renderDiagnosticInline(unread), "p.yaml: no file (remove the edge)");
});

Deno.test("countFindings: tells errors from warnings", () => {
  assert.deepEqual(countFindings([error, warning, warning]), { errors: 1, warnings: 2 });
});
