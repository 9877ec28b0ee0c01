import assert from "node:assert/strict";
import { inFolder, testFolder, testPath } from "../../tests/suites/contract_folder.ts";
import type { TransformPlugin } from "../plugin/mod.ts";
import { block, define } from "../schema/mod.ts";
import { judgeGolden } from "./golden.ts";

const PIPELINE = `apiVersion: eventboat/v1
kind: Pipeline
metadata: {name: rows}
codecs: {rows: {type: csv, header: true, columns: [{name: n, type: int}]}}
sources:
  in: {file: {path: in.ndjson}}
sinks:
  out: {depends_on: in, encoder: rows, file: {path: out.csv}}
`;
const SUITE = `suite: s
pipeline: ../pipeline.yaml
cases:
  - name: one
    inject: {at: in, messages: [{n: 1}, {n: 2}]}
    expect: {capture: {at: out, golden: golden/out.csv}}
`;
const FILES = { "pipeline.yaml": PIPELINE, "tests/s.yaml": SUITE };

const schema = block({});
/** A transform that never answers. */
const HANGING: TransformPlugin<typeof schema> = {
  kind: "transform",
  name: "hanging",
  version: 1,
  summary: "Never answers.",
  capabilities: [],
  definition: define(schema),
  create: () => ({ init() {}, apply: () => new Promise<never>(() => {}), close() {} }),
};

Deno.test("golden: what the sink would have written, its header line included", async () => {
  assert.equal((await testFolder({ ...FILES, "tests/golden/out.csv": "n\n1\n2\n" })).report.passed, 1);
  const { text } = await testFolder({ ...FILES, "tests/golden/out.csv": "n\n1\n3\n" });
  assert.match(text, /golden file "tests\/golden\/out\.csv", line 3\n {12}expected {2}"3"\n {12}found {5}"2"\n/);
});

Deno.test("golden: a file that is not there fails the case, and --update-golden writes it", () =>
  inFolder(FILES, async (folder) => {
    const missing = await testPath(folder);
    assert.match(
      missing.text,
      /expected {2}the file\n {12}found {5}no such file\n {12}note {6}write it with --update-golden/,
    );
    const updated = await testPath(folder, { updateGolden: true });
    assert.deepEqual([updated.report.passed, updated.written.length], [1, 1]);
    assert.match(updated.text, /\nwrote .*out\.csv\n/);
    assert.equal(Deno.readTextFileSync(`${folder}/tests/golden/out.csv`), "n\n1\n2\n");
    const again = await testPath(folder, { updateGolden: true });
    assert.deepEqual([again.report.passed, again.written], [1, []]);
  }));

Deno.test("golden: nothing is written of a case that did not come to its end", () =>
  inFolder({
    ...FILES,
    "pipeline.yaml": PIPELINE.replace("sinks:", "transforms:\n  work: {depends_on: in, hanging: {}}\nsinks:")
      .replace("depends_on: in, encoder", "depends_on: work, encoder"),
    "tests/golden/out.csv": "n\n7\n",
  }, async (folder) => {
    const { report, written } = await testPath(folder, { updateGolden: true, caseMsMax: 50, plugins: [HANGING] });
    assert.deepEqual([report.failed, written], [1, []]);
    assert.equal(Deno.readTextFileSync(`${folder}/tests/golden/out.csv`), "n\n7\n");
  }));

Deno.test("judgeGolden: the first line that differs, or which of the two ends first", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const judge = (expected: string, found: string) =>
    judgeGolden("sink", { shown: "g", path: "/g", bytes: bytes(expected) }, bytes(found))
      .map(({ where, expected, found }) => [where.slice(where.indexOf("line")), expected, found]);
  assert.deepEqual(judge("a\nb\n", "a\nb\n"), []);
  assert.deepEqual(judge("a\nb\n", "a\nc\nd\n"), [["line 2", '"b"', '"c"']]);
  assert.deepEqual(judge("a\nb\n", "a\n"), [["line 2", '"b"', "the end"]]);
  assert.deepEqual(judge("", "a\n"), [["line 1", "the end", '"a"']]);
});
