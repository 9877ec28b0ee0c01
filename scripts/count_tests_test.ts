import assert from "node:assert/strict";
import { countTests } from "./count_tests.ts";

const REPORT = `<testsuites tests="5">
  <testcase name="passes" line="1"></testcase>
  <testcase name="closed at once" line="1"/>
  <testcase name="a &gt; b" line="2"><failure message="no">Error &lt;skipped</failure></testcase>
  <testcase name="waits" line="3"><skipped/></testcase>
  <testcase name="passes &gt; its step" line="4"></testcase>
</testsuites>`;

Deno.test("countTests: tells passed, failed and skipped apart and leaves steps to their tests", () => {
  assert.deepEqual(countTests(REPORT), { passed: 2, failed: ["a &gt; b"], skipped: ["waits"] });
});

Deno.test("countTests: an empty report holds nothing", () => {
  assert.deepEqual(countTests(""), { passed: 0, failed: [], skipped: [] });
});
