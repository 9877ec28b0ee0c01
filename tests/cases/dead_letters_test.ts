/** Cases of dead letters, through the whole program. */

import assert from "node:assert/strict";
import { programTest, RunningProgram, runProgram, type Subject } from "../e2e/program.ts";

const NAME = "letters";

function writePipeline(folder: string, wrong: string): void {
  Deno.writeTextFileSync(
    `${folder}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: ${NAME} }
edge_defaults: { delivery: { retries: 0 } }
sources:
  in: { file: { path: in.ndjson, poll_every_ms: 20 } }
transforms:
  check: { depends_on: in, script: "fail('${wrong}')" }
sinks:
  out: { depends_on: check, drop: {} }
`,
  );
}

function append(folder: string, text: string): void {
  Deno.writeTextFileSync(`${folder}/in.ndjson`, text, { append: true });
}

async function stats(subject: Subject, cwd: string): Promise<Record<string, number> | undefined> {
  const { code, stdout } = await runProgram(subject, ["store", "stats", NAME, "--json"], { cwd });
  return code === 0 ? JSON.parse(stdout) : undefined;
}

programTest("case Q02: after a reload failures still become dead letters", async (subject, cwd) => {
  writePipeline(cwd, "first");
  append(cwd, '{"n":1}\n');
  let said = "";
  await using program = new RunningProgram(subject, ["run", "--watch", "--config", "pipeline.yaml"], {
    cwd,
    heard: (text) => void (said += text),
  });
  const letters = (count: number) => async () => (await stats(subject, cwd))?.["deadLetters"] === count || undefined;
  await program.until("the first dead letter", letters(1));
  writePipeline(cwd, "second");
  await program.until("it restarted", () => said.includes("the pipeline restarts") ? true : undefined);
  append(cwd, '{"n":2}\n');
  await program.until("the second dead letter", letters(2));
  program.kill("SIGTERM");
  const { code, stderr } = await program.finished();
  assert.equal(code, 0, stderr);
});

programTest("case Q03: dead letters are whole whenever they are looked at", async (subject, cwd) => {
  const lines = 1_500;
  writePipeline(cwd, "never right");
  append(cwd, Array.from({ length: lines }, (_, n) => `{"n":${n}}\n`).join(""));
  await using program = new RunningProgram(subject, ["run", "--config", "pipeline.yaml"], { cwd });
  let before = 0;
  let looks = 0;
  await program.until("every dead letter", async () => {
    const found = await stats(subject, cwd);
    if (found === undefined) return undefined;
    const { deadLetters = 0, checkpoint = 0 } = found;
    assert.ok(deadLetters >= before && deadLetters >= checkpoint, JSON.stringify(found));
    const { code, stdout } = await runProgram(subject, ["store", "check", NAME], { cwd });
    assert.equal(code, 0, stdout);
    before = deadLetters;
    looks++;
    return deadLetters === lines ? true : undefined;
  });
  assert.ok(looks > 0);
});

programTest("dead letters: one that is nested without measure is listed, shown and explained", async (subject, cwd) => {
  const levels = 20_000;
  writePipeline(cwd, "never right");
  const message = `${"[".repeat(levels)}"secret"${"]".repeat(levels)}`;
  append(cwd, `${message}\n`);
  const file = `${cwd}/pipeline.yaml`;
  const text = await Deno.readTextFile(file);
  const asBatch = text.replace("poll_every_ms: 20", "on_eof: stop").replace(
    "sources:",
    "run: { mode: batch }\nsources:",
  );
  await Deno.writeTextFile(file, asBatch);
  const ask = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runProgram(subject, [...args, "--config", file, "--json"], { cwd });
    assert.equal(code, args[0] === "run" ? 1 : 0, stderr);
    return JSON.parse(stdout);
  };
  await ask("run");
  // Without anything to mask, it is shown as the text that came in.
  assert.equal((await ask("dlq", "show", "1")).text, message);
  await Deno.writeTextFile(file, `${asBatch}telemetry: { redact: ["payload.**.password"] }\n`);
  assert.equal((await ask("dlq", "list")).count, 1);
  const shown = JSON.stringify(await ask("dlq", "show", "1"));
  assert.ok(shown.includes("***") && !shown.includes("secret"));
  await Deno.writeTextFile(`${cwd}/sample.json`, message);
  assert.ok(!JSON.stringify(await ask("explain", "--message", "sample.json")).includes("secret"));
});
