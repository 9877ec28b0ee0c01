/** Tests the fitting of lines to a terminal. */

import assert from "node:assert/strict";
import { wrapped } from "./line_width.ts";

Deno.test("wrapped: long lines go on deeper, others and those of a pipe stay", () => {
  const text = "short\n  a line that is longer than thirty columns are, twice as long\n";
  assert.equal(wrapped(text, undefined), text);
  assert.equal(wrapped(text, 100), text);
  assert.equal(
    wrapped(text, 30),
    "short\n  a line that is longer than\n    thirty columns are, twice\n    as long\n",
  );
});

Deno.test("wrapped: what hangs stands under its column, a word that is too long is not broken", () => {
  assert.equal(wrapped("name      one two three four five", 30, 10), "name      one two three four\n          five");
  const word = "x".repeat(40);
  assert.equal(wrapped(`a ${word} b`, 30), `a ${word}\n  b`);
  assert.equal(wrapped(word, 30), word);
  assert.equal(wrapped("a b c", 3), "a b c");
});
