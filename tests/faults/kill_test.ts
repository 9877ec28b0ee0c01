/** 200,000 numbered lines through a process that is killed at 25 random moments. */

import assert from "node:assert/strict";
import { programTest, RunningProgram } from "../e2e/program.ts";
import { sizeOf } from "./size_of.ts";

const LINES = 200_000;
const KILLS = 25;
const MAX_IN_FLIGHT = 1_000;
/** A life ends after it has written between these many lines: 25 lives cannot reach the last line. */
const LIFE_LINES = { min: 1_000, max: 6_000 };
/** Bytes of an output line, about. */
const LINE_BYTES = 24;
/** What the shell's convention makes of SIGKILL. */
const KILLED = 137;
const LINE_REGEXP = /^\{"n":(\d+),"seen":true\}$/;

function pipeline(folder: string): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: killed }
run: { mode: batch }
limits: { max_in_flight: ${MAX_IN_FLIGHT} }
sources:
  numbers:
    file: { path: ${folder}/in.ndjson, on_eof: stop }
transforms:
  work:
    depends_on: [numbers]
    script: |
      payload.seen = len([n for n in range(300)]) == 300
sinks:
  out:
    depends_on: [work]
    file: { path: ${folder}/out.ndjson }
`;
}

programTest("run: 25 SIGKILLs lose no line, tear none, repeat no more than was in flight", async (subject, folder) => {
  await Deno.writeTextFile(`${folder}/pipeline.yaml`, pipeline(folder));
  const numbers = Array.from({ length: LINES }, (_, n) => `{"n":${n}}\n`);
  await Deno.writeTextFile(`${folder}/in.ndjson`, numbers.join(""));
  const args = ["run", "--json", "--config", `${folder}/pipeline.yaml`, "--data-dir", `${folder}/data`];
  for (let kill = 0; kill < KILLS; kill++) {
    await using life = new RunningProgram(subject, args, { cwd: folder });
    const before = sizeOf(`${folder}/out.ndjson`);
    const lines = LIFE_LINES.min + Math.random() * (LIFE_LINES.max - LIFE_LINES.min);
    const grown = () => sizeOf(`${folder}/out.ndjson`) > before + lines * LINE_BYTES ? true : undefined;
    await life.until("its output grew", grown);
    life.kill("SIGKILL");
    assert.equal((await life.finished()).code, KILLED);
  }
  await using last = new RunningProgram(subject, args, { cwd: folder });
  const { code, stdout, stderr } = await last.finished();
  assert.equal(code, 0, stderr);
  assert.ok(JSON.parse(stdout).counts.replayed > 0, "the last life replayed nothing");
  checkOutput(await Deno.readTextFile(`${folder}/out.ndjson`));
});

function checkOutput(text: string): void {
  const lines = text.trimEnd().split("\n");
  const seen = new Uint8Array(LINES);
  for (const line of lines) {
    const number = LINE_REGEXP.exec(line)?.[1];
    assert.ok(number !== undefined, `a torn line: ${line}`);
    seen[Number(number)] = 1;
  }
  assert.equal(seen.indexOf(0), -1, "a number is missing");
  const repeats = lines.length - LINES;
  console.log(`${repeats} repeats after ${KILLS} kills`);
  // A message in flight at a kill may arrive twice more: from the spool, and from the source's last state on.
  assert.ok(repeats <= KILLS * MAX_IN_FLIGHT * 2, `${repeats} repeats after ${KILLS} kills`);
}
