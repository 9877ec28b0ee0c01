import assert from "node:assert/strict";
import { foundText, foundValue } from "./found_text.ts";

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

Deno.test("foundValue: quotes a text, shortened, without the credentials of a URL", () => {
  assert.equal(foundValue('a "b"'), '"a \\"b\\""');
  assert.equal(foundValue("ftp://me:hunter2@host/x"), '"ftp://...@host/x"');
  assert.equal(foundValue("x".repeat(100)), `"${"x".repeat(60)}..."`);
  assert.deepEqual([foundValue(""), foundValue(5)], ["an empty text", "the number 5"]);
});
