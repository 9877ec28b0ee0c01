import assert from "node:assert/strict";
import { foundText } from "./found_text.ts";

Deno.test("foundText: tells numbers with all their digits, and never what a text says", () => {
  const values = [null, undefined, [1], {}, "", "hunter2", false, -0.5, 12345678901234567890n];
  assert.deepEqual(values.map(foundText), [
    "nothing (null)",
    "nothing (null)",
    "a list",
    "a mapping",
    "an empty text",
    "text",
    "false",
    "the number -0.5",
    "the number 12345678901234567890",
  ]);
});
