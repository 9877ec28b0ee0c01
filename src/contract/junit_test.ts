import assert from "node:assert/strict";
import { junitText } from "./junit.ts";
import type { SuiteReport } from "./report.ts";
import { testReport } from "./report.ts";

const difference = {
  where: 'sink "out", message 1',
  path: "payload.n",
  expected: '"<a>"',
  found: "\u0007&",
  note: "so",
};
const suite: SuiteReport = {
  file: "tests/s.yaml",
  name: 'a "suite"',
  cases: [{ name: "good", ok: true, ms: 12, differences: [] }, {
    name: "bad",
    ok: false,
    ms: 3,
    differences: [difference],
  }],
};
const broken: SuiteReport = {
  file: "tests/b.yaml",
  name: "",
  cases: [],
  diagnostics: [{
    severity: "error",
    code: "yaml_parse",
    file: "tests/b.yaml",
    line: 2,
    column: 1,
    message: "no <YAML>",
  }],
};

Deno.test("junitText: suites, cases, failures and what could not be read, escaped", () => {
  assert.equal(
    junitText(testReport([suite, broken])),
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="eventboat" tests="3" failures="1" errors="1">
  <testsuite name="a &quot;suite&quot;" file="tests/s.yaml" tests="2" failures="1" errors="0" time="0.015">
    <testcase name="good" classname="a &quot;suite&quot;" file="tests/s.yaml" time="0.012"/>
    <testcase name="bad" classname="a &quot;suite&quot;" file="tests/s.yaml" time="0.003">
      <failure message="sink &quot;out&quot;, message 1: payload.n: expected &quot;&lt;a&gt;&quot;, found \ufffd&amp;">` +
      `sink &quot;out&quot;, message 1: payload.n&#10;  expected: &quot;&lt;a&gt;&quot;&#10;  found: \ufffd&amp;&#10;  note: so</failure>
    </testcase>
  </testsuite>
  <testsuite name="tests/b.yaml" file="tests/b.yaml" tests="1" failures="0" errors="1" time="0.000">
    <testcase name="the suite can be read" classname="tests/b.yaml">
      <error message="no &lt;YAML&gt;">error[yaml_parse] tests/b.yaml:2:1: no &lt;YAML&gt;</error>
    </testcase>
  </testsuite>
</testsuites>
`,
  );
});
