import assert from "node:assert/strict";
import { programTest, runProgram } from "./program.ts";

const TEMPLATES = ["file", "webhook", "kafka", "sql", "collector"];
/** Cases that the suites of the templates hold together, at the least. */
const CASES_MIN = 20;

programTest("init: every template verifies strictly and passes its own suite at once", async (subject, cwd) => {
  const listed = await runProgram(subject, ["init", "--list", "--json"], { cwd });
  const names = JSON.parse(listed.stdout).templates.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, TEMPLATES);
  await Promise.all(TEMPLATES.map(async (template) => {
    // A pipeline may be called what YAML takes for a number; and a suite says by itself what its pipeline needs.
    const begun = await runProgram(subject, ["init", template, "--template", template, "--name", "1e5", "--json"], {
      cwd,
    });
    assert.equal(begun.code, 0, begun.stderr);
    const { files, ...rest } = JSON.parse(begun.stdout);
    assert.deepEqual(rest, { template, name: "1e5", dir: template });
    assert.deepEqual(files, filesBelow(`${cwd}/${template}`, "").sort(byPlace(files)));
    const args = ["verify", "--config", `${template}/pipeline.yaml`, "--strict", "--json"];
    const verdict = JSON.parse((await runProgram(subject, args, { cwd })).stdout);
    assert.deepEqual([verdict.ok, verdict.diagnostics], [true, []], template);
  }));
  const tested = await runProgram(subject, ["test", ".", "--json"], { cwd, env: { LISTEN: "no address" } });
  const { passed, failed, suites } = JSON.parse(tested.stdout);
  assert.equal(tested.code, 0, tested.stdout);
  assert.deepEqual([failed, suites.length], [0, TEMPLATES.length]);
  assert.ok(passed >= CASES_MIN, `${passed} cases`);
});

programTest("init: nothing is written where a file is in the way, and force is asked for", async (subject, cwd) => {
  Deno.writeTextFileSync(`${cwd}/orders.ndjson`, "mine");
  const refused = await runProgram(subject, ["init", "--json"], { cwd });
  assert.equal(refused.code, 1);
  assert.equal(JSON.parse(refused.stdout).error.code, "io");
  assert.deepEqual(filesBelow(cwd, ""), ["orders.ndjson"]);
  assert.equal((await runProgram(subject, ["init", "--force", "--name", "forced"], { cwd })).code, 0);
  assert.match(Deno.readTextFileSync(`${cwd}/pipeline.yaml`), /^ {2}name: forced$/m);
  assert.notEqual(Deno.readTextFileSync(`${cwd}/orders.ndjson`), "mine");
  const { stdout } = await runProgram(subject, ["init", "--", "-it's"], { cwd });
  assert.ok(stdout.includes("cd -- '-it'\\''s'\n"), stdout);
  for (const wrong of [["--template", "flie"], ["--name", "a/b"], ["--list", "x"]]) {
    assert.equal((await runProgram(subject, ["init", ...wrong], { cwd })).code, 2, wrong.join(" "));
  }
});

function filesBelow(folder: string, below: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(`${folder}/${name}`, `${below}${name}/`) : [below + name]
  );
}

function byPlace(order: readonly string[]): (a: string, b: string) => number {
  return (a, b) => order.indexOf(a) - order.indexOf(b);
}
