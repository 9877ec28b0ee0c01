/** A lane of a transform dies, gets stuck, or goes down with its whole process. */

import assert from "node:assert/strict";
import { SqliteBackend, StoreLock, storePath } from "../../src/store/mod.ts";
import { jsonLines, programTest, RunningProgram, runProgram } from "../e2e/program.ts";
import { DIE, PASS, SPIN } from "../e2e/intruder/intruder_plugin.ts";
import { intruderProgram } from "../e2e/intruder/intruder_program.ts";
import { sizeOf } from "./size_of.ts";

const LINES = 400;
const CULPRITS: ReadonlySet<number> = new Set([3, 4, 300]);

const KILLED_LINES = 20_000;
const KILLS = 3;
/** A life ends after it has written about this many lines. */
const LIFE_LINES = 2_000;
/** Bytes of an output line, about. */
const LINE_BYTES = 24;

/** Most messages of a run go through; a few do something to their lane. */
function writeLines(folder: string, attempt: string, culprits: ReadonlySet<number>): void {
  const lines = Array.from({ length: LINES }, (_, n) => ({ n, attempt: culprits.has(n) ? attempt : PASS }));
  Deno.writeTextFileSync(`${folder}/in.ndjson`, lines.map((line) => JSON.stringify(line)).join("\n"));
}

function intruderPipeline(folder: string, retries: number): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: lanes }
run: { mode: batch }
edge_defaults: { delivery: { retries: ${retries}, timeout_ms: 300 } }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
transforms:
  probe: { depends_on: in, workers: 2, intruder: { folder: "${folder}" } }
sinks:
  out: { depends_on: probe, file: { path: out.ndjson } }
`;
}

/** Dead letters as sequence, node and class. */
async function lettersOf(folder: string): Promise<readonly unknown[]> {
  const path = storePath(`${folder}/data`, "lanes");
  using _lock = await StoreLock.take(path);
  const store = new SqliteBackend(path, { durability: "process" });
  try {
    return store.readDeadLetters({ limit: 100 }).map((letter) => [letter.seq, letter.node, letter.class]).sort();
  } finally {
    store.close();
  }
}

for (
  const [what, attempt, culprits, kind, isolation] of [
    ["dies", DIE, CULPRITS, "other", "isolate"],
    ["gets stuck", SPIN, new Set([300]), "timeout", "isolate"],
    ["dies, its pipeline in a process of its own,", DIE, CULPRITS, "other", "process"],
  ] as const
) {
  programTest(`lanes: one that ${what} costs the message that did it, and no other`, async (subject, folder) => {
    const program = await intruderProgram(subject, folder);
    writeLines(folder, attempt, culprits);
    await Deno.writeTextFile(`${folder}/pipeline.yaml`, intruderPipeline(folder, attempt === DIE ? 1 : 0));
    await Deno.writeTextFile(
      `${folder}/runtime.yaml`,
      `apiVersion: eventboat/v1\nkind: Runtime\nisolation: ${isolation}\n`,
    );
    const args = ["run", "--json", "--config", "pipeline.yaml", "--runtime", "runtime.yaml", "--data-dir", "data"];
    const { code, stdout, stderr } = await runProgram(program, args, { cwd: folder });
    assert.equal(code, 1, stderr);
    assert.equal(JSON.parse(stdout).status, "partial", stderr);
    const arrived = jsonLines(`${folder}/out.ndjson`).map((line) => Number(line["n"])).sort((a, b) => a - b);
    assert.deepEqual(arrived, [...Array(LINES).keys()].filter((n) => !culprits.has(n)));
    assert.deepEqual(await lettersOf(folder), [...culprits].map((n) => [n + 1, "probe", kind]).sort());
    assert.match(stderr, /a lane was lost and is replaced/);
  });
}

function scriptPipeline(folder: string): string {
  return `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: killed }
run: { mode: batch }
limits: { max_in_flight: 1000 }
sources:
  numbers:
    file: { path: ${folder}/in.ndjson, on_eof: stop }
transforms:
  work:
    depends_on: [numbers]
    workers: 2
    script: |
      payload.seen = len([n for n in range(300)]) == 300
sinks:
  out:
    depends_on: [work]
    file: { path: ${folder}/out.ndjson }
`;
}

programTest("lanes: SIGKILLs in the middle lose no line and tear none", async (subject, folder) => {
  await Deno.writeTextFile(`${folder}/pipeline.yaml`, scriptPipeline(folder));
  await Deno.writeTextFile(
    `${folder}/in.ndjson`,
    Array.from({ length: KILLED_LINES }, (_, n) => `{"n":${n}}\n`).join(""),
  );
  const args = ["run", "--json", "--config", `${folder}/pipeline.yaml`, "--data-dir", `${folder}/data`];
  for (let kill = 0; kill < KILLS; kill++) {
    await using life = new RunningProgram(subject, args, { cwd: folder });
    const before = sizeOf(`${folder}/out.ndjson`);
    const grown = () => sizeOf(`${folder}/out.ndjson`) > before + LIFE_LINES * LINE_BYTES ? true : undefined;
    await life.until("its output grew", grown);
    life.kill("SIGKILL");
    await life.finished();
  }
  await using last = new RunningProgram(subject, args, { cwd: folder });
  const { code, stdout, stderr } = await last.finished();
  assert.equal(code, 0, stderr);
  assert.ok(JSON.parse(stdout).counts.replayed > 0, "the last life replayed nothing");
  const seen = new Set(jsonLines(`${folder}/out.ndjson`).map((line) => (assert.equal(line["seen"], true), line["n"])));
  assert.equal(seen.size, KILLED_LINES);
});
