import assert from "node:assert/strict";
import { discreetText } from "./disclosure.ts";

Deno.test("discreetText: of a text the environment has a share in nothing is quoted, of any other all", () => {
  const document = { substituted: ["/sinks/out/depends_on/in/when", "/sinks/b/depends_on/in/when/expr"] };
  const quoted = (...path: string[]) => discreetText(document, { path, value: "payload.key == 'k3y'" });
  assert.equal(quoted("sinks", "other", "depends_on", "in", "when"), "payload.key == 'k3y'");
  assert.ok(!quoted("sinks", "out", "depends_on", "in", "when").includes("k3y"));
  assert.ok(!quoted("sinks", "b", "depends_on", "in", "when").includes("k3y"));
  assert.ok(!quoted("sinks", "b", "depends_on", "in", "when", "expr").includes("k3y"));
});
