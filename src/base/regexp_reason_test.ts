import assert from "node:assert/strict";
import { regexpReason } from "./regexp_reason.ts";

Deno.test("regexpReason: says why a pattern is refused and does not repeat it", () => {
  for (const pattern of ["([", "a(?<x>b/: c", "(?<hunter2>a)(?<hunter2>b)"]) {
    try {
      new RegExp(pattern, "u");
      assert.fail(pattern);
    } catch (caught) {
      const reason = regexpReason(caught);
      assert.match(reason, /^[a-z]/);
      assert.equal(reason.includes(pattern) || reason.includes("expression: /"), false, reason);
    }
  }
});
