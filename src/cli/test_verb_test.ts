import assert from "node:assert/strict";
import { inFolder } from "../../tests/suites/contract_folder.ts";
import { builtins } from "../plugins/mod.ts";
import { runCli } from "./run_cli.ts";

const FILES = {
  "pipeline.yaml": `apiVersion: eventboat/v1
kind: Pipeline
metadata: {name: copy}
sources:
  in: {file: {path: in.ndjson}}
sinks:
  out: {depends_on: in, file: {path: out.ndjson}}
`,
  "tests/s.yaml": `suite: copies
pipeline: ../pipeline.yaml
cases:
  - {name: one, inject: {at: in, messages: [{n: 1}]}, expect: {capture: {at: out, messages: [{payload.n: 1}]}}}
  - {name: two, inject: {at: in, messages: [{n: 1}]}, expect: {capture: {at: out, messages: [{payload.n: 2}]}}}
`,
};

/** Calls the program on a terminal of its own and gives what it wrote. */
async function call(args: readonly string[], errIsTerminal = false) {
  let [stdout, stderr] = ["", ""];
  const entry = new URL("../pipeline_isolate.ts", import.meta.url);
  const code = await runCli({
    args,
    loadPlugins: () => Promise.resolve(builtins()),
    entries: { pipeline: entry, store: entry },
    terminal: {
      out: (text) => void (stdout += text),
      err: (text) => void (stderr += text),
      errIsTerminal,
      errColumns: () => 80,
      outColumns: () => undefined,
      env: () => undefined,
      onStop: () => () => {},
      exit: () => assert.fail("nothing asks for an end at once"),
    },
  });
  return { code, stdout, stderr };
}

Deno.test("test verb: the text names suites, cases and differences, and stderr stays empty", () =>
  inFolder(FILES, async (folder) => {
    const { code, stdout, stderr } = await call(["test", folder]);
    assert.deepEqual([code, stderr], [1, ""]);
    assert.match(stdout, /^copies \(.*tests\/s\.yaml\)\n {2}ok {6}one \(\d+ ms\)\n {2}FAILED {2}two \(\d+ ms\)\n/);
    assert.match(stdout, /\n1 passed, 1 failed in 1 suite \(1 file without a suite skipped\)\n$/);
  }));

Deno.test("test verb: --json is exactly the report", () =>
  inFolder(FILES, async (folder) => {
    const { code, stdout } = await call(["test", folder, "--json"]);
    const report = JSON.parse(stdout);
    for (const one of report.suites[0].cases) one.ms = 0;
    assert.equal(code, 1);
    assert.deepEqual(report, {
      passed: 1,
      failed: 1,
      suites: [{
        file: `${folder}/tests/s.yaml`,
        name: "copies",
        cases: [
          { name: "one", ok: true, ms: 0, differences: [] },
          {
            name: "two",
            ok: false,
            ms: 0,
            differences: [{ where: 'sink "out", message 1', path: "payload.n", expected: "2", found: "1" }],
          },
        ],
      }],
    });
  }));

Deno.test("test verb: a terminal shows how far it has come, and is left clean", () =>
  inFolder(FILES, async (folder) => {
    const { stderr } = await call(["test", folder], true);
    assert.match(stderr, /1 of 2 cases, 0 failed: copies/);
    assert.match(stderr, /2 of 2 cases, 1 failed: copies/);
    assert.ok(stderr.endsWith("\r\x1b[2K"));
  }));

Deno.test("test verb: what cannot be read weighs more than what fails", () =>
  inFolder({ ...FILES, "tests/t.yaml": "suite: [\n" }, async (folder) => {
    const { code, stdout } = await call(["test", folder, "--json"]);
    assert.equal(code, 2);
    const { passed, failed, suites } = JSON.parse(stdout);
    assert.deepEqual([passed, failed, suites[1].cases, suites[1].diagnostics[0].code], [1, 1, [], "yaml_parse"]);
  }));

Deno.test("test verb: no path and no suite are wrong usage", () =>
  inFolder({ "a.yaml": "b: 1\n" }, async (folder) => {
    assert.equal((await call(["test"])).code, 2);
    const none = await call(["test", folder]);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /^usage: no contract suite found at /);
  }));

Deno.test("test verb: --junit writes a report, and says where it cannot", () =>
  inFolder({ ...FILES, occupied: "" }, async (folder) => {
    assert.equal((await call(["test", folder, "--junit", `${folder}/new/report.xml`])).code, 1);
    assert.match(Deno.readTextFileSync(`${folder}/new/report.xml`), /<testsuites /);
    const { code, stderr } = await call(["test", folder, "--junit", `${folder}/occupied/report.xml`]);
    assert.equal(code, 1);
    assert.match(stderr, /^error\[io\] cannot write the report /);
  }));

Deno.test("plugin schema --suite: the JSON Schema of suites", async () => {
  const { code, stdout } = await call(["plugin", "schema", "--suite"]);
  assert.deepEqual([code, JSON.parse(stdout).title], [0, "Eventboat contract suite"]);
  assert.equal((await call(["plugin", "schema", "--suite", "--document"])).code, 2);
});
