import assert from "node:assert/strict";
import { DIAGNOSTIC_CODES } from "./codes.ts";

Deno.test("DIAGNOSTIC_CODES: every code says in one sentence what raises it", () => {
  for (const [code, { summary }] of Object.entries(DIAGNOSTIC_CODES)) {
    assert.match(summary, /^[A-Z`].*\.$/, code);
  }
});
