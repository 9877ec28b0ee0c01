/** The isolate of a pipeline gets stuck in a sink, or dies in one. */

import assert from "node:assert/strict";
import { jsonLines, programTest, RunningProgram, runProgram, type Subject } from "../e2e/program.ts";
import { DIE, SPIN } from "../e2e/intruder/intruder_plugin.ts";
import { intruderProgram } from "../e2e/intruder/intruder_program.ts";

const LINES = 20;
const DRAIN_MS = 1_000;
/** What a stop may take beyond the drain. */
const LAST_STEPS_MS = 1_000;
/** Time for the sink to have got its first message. */
const SETTLE_MS = 500;
/** Much less than anything that waits for an isolate that is alive. */
const DEATH_MS = 5_000;

function writeLines(folder: string, attempt: string): void {
  const lines = Array.from({ length: LINES }, (_, n) => `{"n":${n},"attempt":"${attempt}"}\n`);
  Deno.writeTextFileSync(`${folder}/in.ndjson`, lines.join(""));
}

function write(folder: string, sink: string): void {
  Deno.writeTextFileSync(
    `${folder}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: stuck }
limits: { drain_timeout: ${DRAIN_MS}ms }
sources:
  in: { file: { path: in.ndjson } }
sinks:
  out: { depends_on: in, ${sink} }
`,
  );
}

programTest("stop: a sink that blocks its isolate is given up when the drain is over", async (subject, cwd) => {
  const program = await intruderProgram(subject, cwd);
  writeLines(cwd, SPIN);
  write(cwd, `intruder: { folder: "${cwd}" }`);
  const startedMs = performance.now();
  await runProgram(program, ["version"], { cwd });
  const slackMs = performance.now() - startedMs;
  {
    await using stuck = new RunningProgram(program, ["run", "--config", "pipeline.yaml"], { cwd });
    await stuck.until("its lines are stored", async () => {
      const { code, stdout } = await runProgram(program, ["store", "stats", "stuck", "--json"], { cwd });
      return code === 0 && JSON.parse(stdout).messages === LINES ? true : undefined;
    });
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const beganMs = performance.now();
    stuck.kill("SIGTERM");
    const { code, stdout, stderr } = await stuck.finished();
    const tookMs = performance.now() - beganMs;
    assert.ok(tookMs >= DRAIN_MS && tookMs < DRAIN_MS + LAST_STEPS_MS + slackMs, `it ended after ${tookMs} ms`);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /interrupted/);
  }
  await arrives(program, cwd);
});

programTest("run: an isolate that dies ends the run at once, and the next one replays", async (subject, cwd) => {
  const program = await intruderProgram(subject, cwd);
  writeLines(cwd, DIE);
  write(cwd, `intruder: { folder: "${cwd}" }`);
  const { code, stdout, stderr } = await runProgram(program, ["run", "--json", "--config", "pipeline.yaml"], { cwd });
  assert.equal(code, 1, stderr);
  const { status, failure, durationMs } = JSON.parse(stdout);
  assert.deepEqual([status, failure.code], ["failed", "isolate_died"]);
  assert.match(failure.message, /nobody can catch this/);
  assert.ok(durationMs < DEATH_MS, `it ended after ${durationMs} ms`);
  await arrives(program, cwd);
});

/** The same store under a sink that works: everything is replayed. */
async function arrives(program: Subject, cwd: string): Promise<void> {
  write(cwd, "file: { path: out.ndjson }");
  await using next = new RunningProgram(program, ["run", "--config", "pipeline.yaml"], { cwd });
  // The source has no committed position either and sends the lines again: each arrives at least once.
  const arrived = () => new Set(jsonLines(`${cwd}/out.ndjson`).map((line) => line["n"])).size;
  await next.until("everything arrived", () => arrived() === LINES ? true : undefined);
}
