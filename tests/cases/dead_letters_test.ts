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
