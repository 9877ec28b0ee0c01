import assert from "node:assert/strict";
import { equalsInConstantTime } from "./constant_time.ts";

Deno.test("equalsInConstantTime: is true for equal texts only", () => {
  for (const text of ["", "a", "secret", "gr\u00fc\u00dfe"]) assert.ok(equalsInConstantTime(text, text));
  for (const [given, secret] of [["", "a"], ["a", ""], ["a", "aa"], ["aa", "a"], ["b", "a"], ["abab", "ab"]] as const) {
    assert.ok(!equalsInConstantTime(given, secret));
  }
});
