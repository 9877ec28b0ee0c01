/** Replays with --delete whose process is killed in the middle: no letter is gone whose message has not arrived. */

import assert from "node:assert/strict";
import { jsonLines, programTest, RunningProgram, runProgram } from "../e2e/program.ts";
import { sizeOf } from "./size_of.ts";

const LETTERS = 6_000;
const KILLS = 4;
/** What the shell's convention makes of SIGKILL. */
const KILLED = 137;
/** A life ends after it has written between these many bytes more. */
const LIFE_BYTES = { min: 500, max: 8_000 };

function pipeline(script: string): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: killed }
run: { mode: batch }
limits: { max_in_flight: 100 }
edge_defaults: { delivery: { retries: 0 } }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
transforms:
  work: { depends_on: in, script: "${script}" }
sinks:
  out: { depends_on: work, file: { path: out.ndjson } }
`;
}

programTest("replay: SIGKILLs in the middle of a replay with --delete lose no letter", async (subject, cwd) => {
  const [config, output] = [`${cwd}/pipeline.yaml`, `${cwd}/out.ndjson`];
  Deno.writeTextFileSync(`${cwd}/in.ndjson`, Array.from({ length: LETTERS }, (_, n) => `{"n":${n}}\n`).join(""));
  Deno.writeTextFileSync(config, pipeline("fail('not yet')"));
  assert.equal((await runProgram(subject, ["run", "--config", config], { cwd })).code, 1);
  // Every third fails again: its letter is held while the others go.
  Deno.writeTextFileSync(config, pipeline("fail('again') if int(payload.n) % 3 == 0 else None"));
  const args = ["replay", "--dlq", "--delete", "--limit", "1000000", "--config", config];
  const letters = async () => {
    const { code, stdout, stderr } = await runProgram(subject, ["dlq", "export", "--config", config], { cwd });
    assert.equal(code, 0, stderr);
    const lines = stdout.split("\n").filter((line) => line !== "");
    return lines.map((line) => (JSON.parse(line) as { readonly payload: { readonly n: number } }).payload.n);
  };
  let kills = 0;
  for (let life = 0; life < KILLS; life++) {
    await using replay = new RunningProgram(subject, args, { cwd });
    const before = sizeOf(output);
    const bytes = LIFE_BYTES.min + Math.random() * (LIFE_BYTES.max - LIFE_BYTES.min);
    await replay.until("it wrote", () => sizeOf(output) > before + bytes ? true : undefined);
    replay.kill("SIGKILL");
    if ((await replay.finished()).code === KILLED) kills++;
    const kept = await letters();
    const found = new Set([...jsonLines(output).map(({ n }) => Number(n)), ...kept]);
    assert.equal(found.size, LETTERS, "every message has arrived or still has its letter");
    assert.equal(new Set(kept).size, kept.length, "no message has two letters");
  }
  assert.ok(kills > 0);
  const { code, stderr } = await runProgram(subject, args, { cwd });
  assert.equal(code, 1, stderr);
  const kept = await letters();
  assert.deepEqual(kept.sort((a, b) => a - b), Array.from({ length: Math.ceil(LETTERS / 3) }, (_, i) => i * 3));
});
