import assert from "node:assert/strict";
import { jsonLines, programTest, RunningProgram, runProgram } from "./program.ts";

const TAIL = `apiVersion: eventboat/v1
kind: Pipeline
metadata: {name: follow}
sources:
  ingest: {file: {path: in.ndjson, on_eof: tail, poll_every_ms: 10}}
sinks:
  out: {depends_on: [ingest], file: {path: first.ndjson}}
`;

const BATCH = `apiVersion: eventboat/v1
kind: Pipeline
metadata: {name: once}
run: {mode: batch}
sources:
  ingest: {file: {path: in.ndjson, on_eof: stop}}
sinks:
  out: {depends_on: [ingest], file: {path: out.ndjson}}
`;

function write(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) Deno.writeTextFileSync(`${folder}/${name}`, text);
}

/** The n of every line of a file, once so many are there. */
function counted(path: string, lines: number): number[] | undefined {
  const found = jsonLines(path).map((line) => Number(line["n"]));
  return found.length >= lines ? found : undefined;
}

programTest("run: a batch ends by itself, its outcome is the one thing on stdout", async (subject, cwd) => {
  write(cwd, { "p.yaml": BATCH, "in.ndjson": '{"n":1}\n{"n":2}\n' });
  const text = await runProgram(subject, ["run", "--config", "p.yaml", "--data-dir", "data"], { cwd });
  assert.equal(text.code, 0, text.stderr);
  assert.match(text.stdout, /^once: completed after [0-9.]+ s: in 2, committed 2, dead 0\n$/);
  const json = await runProgram(subject, ["--json", "run", "--config", "p.yaml", "--ephemeral"], { cwd });
  assert.equal(json.code, 0, json.stderr);
  const answer = JSON.parse(json.stdout);
  assert.deepEqual([answer.pipeline, answer.mode, answer.status, answer.counts.committed], [
    "once",
    "batch",
    "completed",
    2,
  ]);
  for (const line of json.stderr.trim().split("\n")) assert.equal(typeof JSON.parse(line).message, "string");
});

programTest("run: a batch with a dead letter is partial and ends with 1", async (subject, cwd) => {
  write(cwd, { "p.yaml": BATCH, "in.ndjson": '{"n":1}\n{not json\n' });
  const { code, stdout } = await runProgram(subject, ["run", "--config", "p.yaml", "--data-dir", "data"], { cwd });
  assert.equal(code, 1);
  assert.match(stdout, /^once: partial .*dead 1 \(ingest decode 1\)\n$/);
  const stats = await runProgram(subject, ["store", "stats", "once", "--data-dir", "data", "--json"], { cwd });
  assert.equal(JSON.parse(stats.stdout).deadLetters, 1);
});

programTest("run: a signal drains a continuous pipeline, which ends with 0", async (subject, cwd) => {
  write(cwd, { "p.yaml": TAIL, "in.ndjson": '{"n":1}\n' });
  await using program = new RunningProgram(subject, ["run", "--config", "p.yaml", "--data-dir", "data"], { cwd });
  await program.until("the line arrived", () => counted(`${cwd}/first.ndjson`, 1));
  program.kill("SIGTERM");
  const { code, stdout, stderr } = await program.finished();
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^follow: interrupted after /);
});

programTest("run: a store that another process writes is refused with its code", async (subject, cwd) => {
  write(cwd, { "p.yaml": TAIL, "in.ndjson": '{"n":1}\n' });
  await using program = new RunningProgram(subject, ["run", "--config", "p.yaml", "--data-dir", "data"], { cwd });
  await program.until("the line arrived", () => counted(`${cwd}/first.ndjson`, 1));
  const second = await runProgram(subject, ["run", "--config", "p.yaml", "--data-dir", "data", "--json"], { cwd });
  assert.equal(second.code, 1);
  const { error } = JSON.parse(second.stdout);
  assert.equal(error.code, "store_locked");
  assert.match(error.hint, /Stop process \d+, .*--data-dir.*admin API/);
  assert.doesNotMatch(second.stderr, /pipeline starts/);
});

programTest("run --watch: a wrong file leaves the run alone, a right one takes its place", async (subject, cwd) => {
  const overlay = "sinks: {out: {file: {path: second.ndjson}}}\n";
  write(cwd, { "p.yaml": TAIL, "o.yaml": "{}\n", "in.ndjson": '{"n":1}\n' });
  const args = ["run", "--config", "p.yaml", "--overlay", "o.yaml", "--data-dir", "data", "--watch"];
  let said = "";
  await using program = new RunningProgram(subject, args, { cwd, heard: (text) => void (said += text) });
  await program.until("the first line arrived", () => counted(`${cwd}/first.ndjson`, 1));
  write(cwd, { "o.yaml": "sinks: {out: {depends_on: [nobody]}}\n" });
  await program.until("the finding was told", () => said.includes("topo_missing_ref") ? true : undefined);
  Deno.writeTextFileSync(`${cwd}/in.ndjson`, '{"n":2}\n', { append: true });
  await program.until("the second line arrived", () => counted(`${cwd}/first.ndjson`, 2));
  write(cwd, { "o.yaml": overlay });
  Deno.writeTextFileSync(`${cwd}/in.ndjson`, '{"n":3}\n', { append: true });
  await program.until("a line arrived at the new sink", () => {
    Deno.writeTextFileSync(`${cwd}/in.ndjson`, '{"n":4}\n', { append: true });
    return counted(`${cwd}/second.ndjson`, 1);
  });
  program.kill("SIGINT");
  const { code, stdout, stderr } = await program.finished();
  assert.equal(code, 0, stderr);
  // The run that was replaced ends in a line of its own, the last one is the answer.
  assert.match(said, /^follow: interrupted after /m);
  assert.match(stdout, /^follow: interrupted after /);
});
