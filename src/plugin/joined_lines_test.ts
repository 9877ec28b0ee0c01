import assert from "node:assert/strict";
import { joinedLines } from "./joined_lines.ts";

Deno.test("joinedLines: every part gets its newline, an empty one too", () => {
  const parts = ["a", "", "bc"].map((text) => new TextEncoder().encode(text));
  assert.equal(new TextDecoder().decode(joinedLines(parts)), "a\n\nbc\n");
  assert.equal(joinedLines([]).length, 0);
});
