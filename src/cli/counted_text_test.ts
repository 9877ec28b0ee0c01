/** Tests numbers of things in words. */

import assert from "node:assert/strict";
import { countedText } from "./counted_text.ts";

Deno.test("countedText: one thing is no plural", () => {
  assert.equal(countedText(1, "dead letter"), "1 dead letter");
  assert.equal(countedText(0, "dead letter"), "0 dead letters");
  assert.equal(countedText(2, "segment"), "2 segments");
});
