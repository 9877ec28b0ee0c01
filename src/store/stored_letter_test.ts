import assert from "node:assert/strict";
import type { MetaValue } from "../message/mod.ts";
import { loadLetter, storeLetter } from "./stored_letter.ts";
import { testLetter } from "./test_segments.ts";

/** Arrays in arrays, with a bigint in the innermost: printing goes down level by level. */
function nested(levels: number): MetaValue {
  let value: MetaValue = [1n];
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

Deno.test("storeLetter: metadata that cannot be printed is left out by name, and the letter is written", () => {
  const meta = { source: "in", deep: nested(200_000), exact: 2n ** 60n };
  const letter = loadLetter({ ...storeLetter(testLetter(1, { meta })), id: 1 });
  assert.deepEqual({ ...letter.meta, deep: undefined }, { source: "in", deep: undefined, exact: 2n ** 60n });
  assert.match(String(letter.meta["deep"]), /^left out of the dead letter: /);
});

Deno.test("storeLetter: all other metadata comes back as it was", () => {
  const meta = { source: "in", list: [1, "a", null, { b: true }], exact: 2n ** 60n };
  assert.deepEqual(loadLetter({ ...storeLetter(testLetter(1, { meta })), id: 1 }).meta, meta);
});
