import assert from "node:assert/strict";
import { dirname } from "node:path";
import { readText, testFolder } from "../suites/contract_folder.ts";

const FENCE_REGEXP = /^```\w+ (\S+)\n([\s\S]*?)^```$/gm;
const REPORT_REGEXP = /^```text\n(order-branching \([\s\S]*?)^```$/m;
const DURATION_REGEXP = /\(\d+ ms\)/g;

const page = readText("docs/testing.md");
const files = Object.fromEntries([...page.matchAll(FENCE_REGEXP)].map(([, name = "", body = ""]) => [name, body]));

Deno.test("docs/testing.md: the suite it shows passes", async () => {
  assert.ok(Object.keys(files).some((name) => dirname(name) === "tests"));
  const { report, text } = await testFolder(files);
  assert.deepEqual([report.passed, report.failed], [4, 0], text);
});

Deno.test("docs/testing.md: the report it shows is what the suite says of a dearer limit", async () => {
  const suite = files["tests/orders.yaml"] ?? "";
  const first = suite.slice(0, suite.indexOf("\n\n"));
  const dearer = first.replace("    inject:", "    constants: { vip_from: 99999 }\n    inject:");
  const { text } = await testFolder({ ...files, "tests/orders.yaml": dearer });
  const [, shown = ""] = REPORT_REGEXP.exec(page) ?? [];
  const plain = (report: string) =>
    report.replaceAll(DURATION_REGEXP, "(2 ms)").replace(" (1 file without a suite skipped)", "");
  assert.equal(plain(text), shown);
});
