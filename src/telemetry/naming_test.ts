import assert from "node:assert/strict";
import { safeName } from "./naming.ts";

Deno.test("safeName: a plain name stays as it is", () => {
  for (const name of ["a", "_x", "messages_in_total", "A9"]) assert.equal(safeName(name), name);
});

Deno.test("safeName: odd names become plain ones, each its own", () => {
  const odd = ["a.b", "a-b", "a_b", "a b", "1x", "x1", "", "größe", "日本", "\ud83e\udd17", "U__a_2e_b", "U__", "a._b"];
  const safe = odd.map(safeName);
  assert.equal(new Set(safe).size, odd.length);
  for (const name of safe) assert.match(name, /^[a-zA-Z_][a-zA-Z0-9_]*$/);
  assert.equal(safeName("a.b"), "U__a_2e_b");
});
