import assert from "node:assert/strict";
import { copyExample, programTest, RunningProgram, runProgram } from "./program.ts";

const PRICED = "payload.total: 79800";

programTest("test: the suites of an example pass, as text, as JSON and as JUnit", async (subject, folder) => {
  const cwd = copyExample("linear", folder);
  const text = await runProgram(subject, ["test", "."], { cwd });
  assert.equal(text.code, 0, text.stdout + text.stderr);
  assert.match(text.stdout, /^pricing \(tests\/pricing\.yaml\)\n {2}ok {6}an order gets/);
  const json = await runProgram(subject, ["test", "tests/pricing.yaml", "--json", "--junit", "out/report.xml"], {
    cwd,
  });
  const report = JSON.parse(json.stdout);
  assert.deepEqual(Object.keys(report), ["passed", "failed", "suites"]);
  assert.deepEqual(Object.keys(report.suites[0]), ["file", "name", "cases"]);
  assert.deepEqual(Object.keys(report.suites[0].cases[0]), ["name", "ok", "ms", "differences"]);
  assert.match(Deno.readTextFileSync(`${cwd}/out/report.xml`), /<testsuites name="eventboat" tests="8" failures="0"/);
});

programTest("test: nothing reaches the world and no data folder is made", async (subject, folder) => {
  const cwd = copyExample("linear", folder);
  assert.equal((await runProgram(subject, ["test", "."], { cwd })).code, 0);
  assert.deepEqual([...Deno.readDirSync(cwd)].map(({ name }) => name).sort(), [
    "README.md",
    "orders.ndjson",
    "pipeline.yaml",
    "tests",
  ]);
});

programTest("test: a failing case is 1, a suite that cannot be read is 2, and so is none", async (subject, folder) => {
  const cwd = copyExample("linear", folder);
  const suite = `${cwd}/tests/pricing.yaml`;
  const whole = Deno.readTextFileSync(suite);
  const run = () => runProgram(subject, ["test", "."], { cwd });
  Deno.writeTextFileSync(suite, whole.replace(PRICED, "payload.total: 1"));
  const failing = await run();
  assert.equal(failing.code, 1);
  assert.match(failing.stdout, /message 1: payload\.total\n {12}expected {2}1\n {12}found {5}79800\n/);
  Deno.writeTextFileSync(suite, whole.replace("fixtures/order.json", "fixtures/ordr.json"));
  const broken = await run();
  assert.equal(broken.code, 2);
  assert.match(
    broken.stdout,
    /error\[suite_file\] tests\/pricing\.yaml:\d+:\d+: .*\n {4}hint: did you mean "order\.json"\?/,
  );
  Deno.writeTextFileSync(suite, "suite: [\n");
  assert.equal((await run()).code, 2);
  Deno.removeSync(suite);
  const none = await run();
  assert.equal(none.code, 2);
  assert.match(
    none.stderr,
    /^usage: no contract suite found at "\." \(1 YAML file\(s\) have no top-level key "suite"\)\n$/,
  );
});

programTest("test --watch: tests again when a fixture changes and when a suite is new", async (subject, folder) => {
  const cwd = copyExample("linear", folder);
  let heard = "";
  await using program = new RunningProgram(subject, ["test", ".", "--watch"], {
    cwd,
    heard: (text) => heard += text,
  });
  await program.until("the first round", () => heard.includes("8 passed, 0 failed") || undefined);
  const fixture = `${cwd}/tests/fixtures/order.json`;
  Deno.writeTextFileSync(fixture, Deno.readTextFileSync(fixture).replace('"quantity":6', '"quantity":7'));
  await program.until("the second round", () => heard.includes("7 passed, 1 failed") || undefined);
  Deno.copyFileSync(`${cwd}/tests/pricing.yaml`, `${cwd}/tests/another.yaml`);
  await program.until("the round with another suite", () => heard.includes("14 passed, 2 failed") || undefined);
  program.kill("SIGTERM");
  assert.equal((await program.finished()).code, 1);
});
