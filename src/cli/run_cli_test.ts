import assert from "node:assert/strict";
import { builtins } from "../plugins/mod.ts";
import { runCli } from "./run_cli.ts";

const ENTRIES = {
  pipeline: new URL("../pipeline_isolate.ts", import.meta.url),
  store: new URL("../store_isolate.ts", import.meta.url),
};

/** Calls the program in this process and gives what it wrote. */
async function call(...args: string[]) {
  let [stdout, stderr] = ["", ""];
  const code = await runCli({
    args,
    loadPlugins: () => Promise.resolve(builtins()),
    entries: ENTRIES,
    terminal: {
      out: (text) => void (stdout += text),
      err: (text) => void (stderr += text),
      errIsTerminal: false,
      errColumns: () => 80,
      outColumns: () => undefined,
      env: () => undefined,
      onStop: () => () => {},
      exit: () => assert.fail("nothing asks for an end at once"),
    },
  });
  return { code, stdout, stderr };
}

/** Runs `body` in a folder with these files. */
async function inFolder(files: Record<string, string>, body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "eventboat-cli-" });
  try {
    for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${name}`, text);
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const PIPELINE = `apiVersion: eventboat/v1
kind: Pipeline
metadata: {name: copy}
run: {mode: batch}
constants: {spare: 1}
sources:
  ingest: {file: {path: in.ndjson, on_eof: stop}}
sinks:
  out: {depends_on: [ingest], file: {path: out.ndjson}}
`;

const FILES = { "p.yaml": PIPELINE, "in.ndjson": '{"n":1}\n{"n":2}\n' };

Deno.test("runCli: verify prints findings and counts, warnings fail only under --strict", () =>
  inFolder(FILES, async (folder) => {
    const config = `${folder}/p.yaml`;
    const lax = await call("verify", "--config", config);
    assert.equal(lax.code, 0);
    assert.match(
      lax.stdout,
      /^warning\[lint_constant_unused\] .*p\.yaml:5:13: .*\n {2}hint: .*\n.*0 error\(s\), 1 warning\(s\)\n$/,
    );
    const strict = await call("verify", "--config", config, "--strict");
    assert.deepEqual([strict.code, lax.stderr], [1, ""]);
    assert.match(strict.stderr, /--strict/);
  }));

Deno.test("runCli: verify --json prints one document with the verdict and the permissions", () =>
  inFolder(FILES, async (folder) => {
    const { code, stdout, stderr } = await call("--json", "verify", "--config", `${folder}/p.yaml`);
    assert.deepEqual([code, stderr], [0, ""]);
    const answer = JSON.parse(stdout);
    assert.deepEqual(Object.keys(answer), ["ok", "file", "errors", "warnings", "diagnostics", "permissions"]);
    assert.deepEqual([answer.ok, answer.errors, answer.warnings], [true, 0, 1]);
    assert.equal(answer.diagnostics[0].code, "lint_constant_unused");
    assert.ok(answer.permissions.read.includes(`${folder}/in.ndjson`));
  }));

Deno.test("runCli: verify --fix rewrites older spellings and judges what it wrote", () => {
  const old = PIPELINE.replace("eventboat/v1", "eventboat/v3").replace("depends_on", "from") + "# a comment\n";
  return inFolder({ ...FILES, "p.yaml": old }, async (folder) => {
    const config = `${folder}/p.yaml`;
    assert.equal((await call("verify", "--config", config)).code, 1);
    const { code, stdout } = await call("verify", "--config", config, "--fix");
    assert.equal(code, 0);
    assert.match(stdout, /fixed .*:1:13: eventboat\/v3 is now eventboat\/v1\nfixed .*:9:9: from is now depends_on\n/);
    assert.equal(await Deno.readTextFile(config), PIPELINE + "# a comment\n");
  });
});

Deno.test("runCli: run refuses what does not verify, with the findings on stderr, and starts nothing", () =>
  inFolder({ ...FILES, "p.yaml": PIPELINE.replace("[ingest]", "[ingets]") }, async (folder) => {
    const text = await call("run", "--config", `${folder}/p.yaml`, "--data-dir", `${folder}/data`);
    assert.deepEqual([text.code, text.stdout], [1, ""]);
    assert.match(text.stderr, /error\[topo_missing_ref\]/);
    const json = await call("run", "--json", "--config", `${folder}/p.yaml`, "--data-dir", `${folder}/data`);
    assert.equal(JSON.parse(json.stdout).ok, false);
    assert.throws(() => Deno.statSync(`${folder}/data`), Deno.errors.NotFound);
  }));

Deno.test("runCli: run tells what is wrong with the Runtime document", () =>
  inFolder(
    { ...FILES, "r.yaml": "apiVersion: eventboat/v1\nkind: Runtime\nstorage: {data_dri: x}\n" },
    async (folder) => {
      const { code, stderr } = await call("run", "--config", `${folder}/p.yaml`, "--runtime", `${folder}/r.yaml`);
      assert.equal(code, 1);
      assert.match(stderr, /error\[runtime_unknown_key\] .*r\.yaml:3:11/);
      const verdict = await call("verify", "--config", `${folder}/p.yaml`, "--runtime", `${folder}/r.yaml`);
      assert.equal(verdict.code, 1);
      assert.match(verdict.stdout, /error\[runtime_unknown_key\] .*r\.yaml:3:11[^]*1 error\(s\), 1 warning\(s\)\n$/);
    },
  ));

Deno.test("runCli: a job pipeline cannot be run yet, which is no wrong usage", () =>
  inFolder(
    { ...FILES, "p.yaml": PIPELINE.replace("mode: batch", "mode: job, retention: {history: 9d}") },
    async (folder) => {
      const { code, stderr } = await call("run", "--config", `${folder}/p.yaml`, "--ephemeral");
      assert.equal(code, 1);
      assert.match(stderr, /^error\[config_invalid\] .*copy.*job.*\n {2}hint: /m);
    },
  ));

Deno.test("runCli: wrong usage is 2, one line on stderr, and nothing on stdout without --json", async () => {
  const { code, stdout, stderr } = await call("verify");
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /^usage: [^\n]+\n$/);
  const json = await call("--json", "plugin", "schema", "nonsense");
  assert.equal(json.code, 2);
  assert.equal(JSON.parse(json.stdout).error.code, "usage");
  assert.match(json.stderr, /^usage: [^\n]+\n$/);
});

Deno.test("runCli: help and version answer with 0", async () => {
  for (const args of [[], ["help"], ["version"], ["verify", "--help"]]) {
    const { code, stdout, stderr } = await call(...args);
    assert.deepEqual([code, stderr], [0, ""], args.join(" "));
    assert.notEqual(stdout, "");
  }
  assert.equal(typeof JSON.parse((await call("--json")).stdout).help, "string");
  assert.equal(typeof JSON.parse((await call("version", "--json")).stdout).version, "string");
});

Deno.test("runCli: plugin catalog and plugin schema", async () => {
  const { plugins } = JSON.parse((await call("plugin", "catalog", "--json")).stdout);
  assert.ok(plugins.some((plugin: { kind: string; name: string }) => plugin.kind === "sink" && plugin.name === "file"));
  const sink = JSON.parse((await call("plugin", "schema", "file", "--kind", "sink")).stdout);
  assert.equal(sink.type, "object");
  assert.equal(JSON.parse((await call("plugin", "schema", "file")).stdout).anyOf.length, 2);
  assert.equal(JSON.parse((await call("plugin", "schema", "--document")).stdout).title, "Eventboat pipeline");
  await inFolder({}, async (folder) => {
    const { stdout } = await call("plugin", "schema", "--all", "--dir", `${folder}/schemas`, "--json");
    const { files } = JSON.parse(stdout);
    assert.equal(files.length, plugins.length);
    for (const file of files) JSON.parse(await Deno.readTextFile(file));
  });
});

Deno.test("runCli: store verbs say when there is no store, and refuse a name that is a path", () =>
  inFolder(FILES, async (folder) => {
    const none = await call("store", "stats", "--config", `${folder}/p.yaml`, "--data-dir", folder, "--json");
    assert.equal(none.code, 1);
    assert.equal(JSON.parse(none.stdout).error.code, "store_open");
    assert.equal((await call("store", "check", "../etc", "--data-dir", folder)).code, 2);
    const named = await call("store", "stats", "p.yaml", "--data-dir", folder);
    assert.match(named.stderr, /^error\[store_open\] .*\n {2}hint: did you mean --config p\.yaml\?\n$/);
  }));
