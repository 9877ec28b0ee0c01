/** Dead letters through the whole program: looked at, replayed, deleted; alone and beside a running pipeline. */

import assert from "node:assert/strict";
import { type Finished, jsonLines, programTest, RunningProgram, runProgram, type Subject } from "./program.ts";

const NAME = "letters";
const COUNT = 20;

interface Shape {
  /** What the script does; nothing fails where it is left out. */
  readonly script?: string;
  readonly mode?: "batch" | "continuous";
  readonly node?: string;
}

function writePipeline(
  folder: string,
  { script = "payload.seen = True", mode = "batch", node = "check" }: Shape,
): void {
  Deno.writeTextFileSync(
    `${folder}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: ${NAME} }
run: { mode: ${mode} }
telemetry: { redact: [payload.card] }
edge_defaults: { delivery: { retries: 0 } }
sources:
  in: { file: { path: in.ndjson, on_eof: ${mode === "batch" ? "stop" : "tail"} } }
transforms:
  ${node}: { depends_on: in, script: "${script}" }
sinks:
  out: { depends_on: ${node}, file: { path: out.ndjson } }
`,
  );
}

const FAILING = "fail('no card ' + payload.card)";

function writeInput(folder: string): void {
  const lines = Array.from({ length: COUNT }, (_, n) => `{"n":${n},"card":"4111-${n}"}\n`);
  Deno.writeTextFileSync(`${folder}/in.ndjson`, lines.join(""));
}

/** A folder whose pipeline has left `COUNT` dead letters. */
async function fill(subject: Subject, cwd: string): Promise<void> {
  writeInput(cwd);
  writePipeline(cwd, { script: FAILING });
  const { code, stderr } = await runProgram(subject, ["run", "--config", "pipeline.yaml"], { cwd });
  assert.equal(code, 1, stderr);
}

function runner(subject: Subject, cwd: string) {
  return (...args: string[]): Promise<Finished> =>
    runProgram(subject, [...args, "--config", "pipeline.yaml"], { cwd, env: { NO_COLOR: "1" } });
}

/** What the verbs print as JSON, as far as it is looked at. */
interface Answer {
  readonly letters: readonly {
    readonly id: number;
    readonly attempts: number;
    readonly class: string;
    readonly edge: string;
  }[];
  readonly count: number;
  readonly more: boolean;
  readonly total: number;
  readonly counts: unknown;
  readonly payload: unknown;
  readonly reason: string;
  readonly status: string;
  readonly missing?: unknown;
  readonly replay: {
    readonly replayed: number;
    readonly deleted: number;
    readonly more: boolean;
    readonly missing?: unknown;
  };
  readonly messages: readonly unknown[];
}

async function json(finished: Promise<Finished>, code = 0): Promise<Answer> {
  const { code: found, stdout, stderr } = await finished;
  assert.equal(found, code, stderr);
  return JSON.parse(stdout);
}

const numbers = (cwd: string) => jsonLines(`${cwd}/out.ndjson`).map(({ n }) => Number(n)).sort((a, b) => a - b);

programTest("dlq, replay: ids and runs that are named and not there are told", async (subject, cwd) => {
  await fill(subject, cwd);
  const run = runner(subject, cwd);
  const some = await json(run("dlq", "list", "--ids", "20-22", "--json"));
  assert.deepEqual([some.count, some.missing], [1, { ids: [21, 22] }]);
  const none = await run("dlq", "export", "--ids", "77");
  assert.deepEqual([none.code, none.stdout, none.stderr], [0, "", "note: no dead letter has the id 77\n"]);
  const refused = await run("replay", "--dlq", "--ids", "77");
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /pipeline letters has no dead letter 77/);
  const other = await json(run("replay", "--job", "nightly", "--dry-run", "--json"));
  assert.deepEqual([other.messages, other.missing], [[], { run: "nightly" }]);
  writePipeline(cwd, {});
  const { replay } = await json(run("replay", "--dlq", "--ids", "20,21", "--json"));
  assert.deepEqual([replay.replayed, replay.missing], [1, { ids: [21] }]);
});

programTest("dlq: letters are listed, counted, shown and exported, masked everywhere", async (subject, cwd) => {
  await fill(subject, cwd);
  const run = runner(subject, cwd);
  const { letters, more } = await json(run("dlq", "list", "--limit", "5", "--json"));
  const [first] = letters;
  assert.deepEqual([letters.length, more, first?.class, first?.edge], [5, true, "runtime", "in->check"]);
  const count = await json(run("dlq", "count", "--json"));
  assert.deepEqual([count.total, count.counts], [COUNT, [{ node: "check", class: "runtime", count: COUNT }]]);
  const shown = await json(run("dlq", "show", String(first?.id), "--json"));
  assert.deepEqual([shown.payload, shown.reason], [{ n: 0, card: "***" }, "script: fail: no card ***"]);
  const exported = await run("dlq", "export", "--where", "payload.n >= 15", "--to", "letters.ndjson");
  assert.equal(exported.code, 0, exported.stderr);
  assert.deepEqual(jsonLines(`${cwd}/letters.ndjson`).map(({ payload }) => payload).slice(0, 1), [{
    n: 15,
    card: "***",
  }]);
  assert.equal((await run("dlq", "export", "--to", "letters.ndjson")).code, 1);
  for (const args of [["dlq", "list"], ["dlq", "show", "1"], ["dlq", "export"], ["replay", "--dlq", "--dry-run"]]) {
    const { stdout, stderr } = await run(...args);
    assert.ok(stdout.length > 0 && !`${stdout}${stderr}`.includes("4111"), args.join(" "));
  }
});

programTest("replay: fails again in its own record, then half of the letters, then the rest", async (subject, cwd) => {
  await fill(subject, cwd);
  const run = runner(subject, cwd);
  for (let round = 0; round < 3; round++) {
    const { replay, status } = await json(run("replay", "--dlq", "--delete", "--json"), 1);
    assert.deepEqual([status, replay.replayed, replay.deleted], ["partial", COUNT, 0]);
  }
  const { letters } = await json(run("dlq", "list", "--json"));
  assert.deepEqual(letters.map(({ id, attempts }) => [id, attempts]).slice(0, 2), [[1, 4], [
    2,
    4,
  ]]);
  assert.equal(letters.length, COUNT);
  writePipeline(cwd, {});
  const half = await json(run("replay", "--dlq", "--delete", "--where", "payload.n < 10", "--json"));
  assert.deepEqual([half.status, half.replay.deleted], ["completed", 10]);
  assert.deepEqual((await json(run("dlq", "list", "--json"))).letters, letters.slice(10));
  assert.equal((await run("replay", "--dlq", "--delete", "--ids", "11-12,13", "--at", "out")).code, 0);
  assert.equal((await run("replay", "--dlq", "--delete")).code, 0);
  assert.deepEqual(numbers(cwd), Array.from({ length: COUNT }, (_, n) => n));
  // What was replayed into the sink has passed no script.
  assert.deepEqual(jsonLines(`${cwd}/out.ndjson`).filter(({ seen }) => seen === undefined).map(({ n }) => n), [
    10,
    11,
    12,
  ]);
  assert.equal((await json(run("dlq", "count", "--json"))).total, 0);
});

programTest("replay: a window of the spool, and what it refuses", async (subject, cwd) => {
  await fill(subject, cwd);
  writePipeline(cwd, {});
  const run = runner(subject, cwd);
  const { replay } = await json(run("replay", "--spool", "--from", "3", "--to", "6", "--json"));
  assert.equal(replay.replayed, 4);
  assert.deepEqual(numbers(cwd), [2, 3, 4, 5]);
  const refused = [
    [["--spool", "--from", "9999"], 1],
    [["--dlq", "--at", "nowhere"], 2],
    [["--dlq", "--delete", "--ephemeral"], 2],
    [["--dlq", "--data-dir", "elsewhere"], 1],
  ] as const;
  for (const [args, code] of refused) {
    const finished = await run("replay", ...args);
    assert.equal(finished.code, code, `${args.join(" ")}: ${finished.stderr}`);
  }
  writePipeline(cwd, { node: "renamed" });
  const gone = await run("replay", "--dlq");
  assert.equal(gone.code, 1);
  assert.match(gone.stderr, /does not have: check \(20\)[\s\S]*--at/);
  assert.equal((await run("replay", "--dlq", "--at", "renamed")).code, 0);
});

programTest("replay: beside a running pipeline only what leaves its store alone", async (subject, cwd) => {
  await fill(subject, cwd);
  writePipeline(cwd, { mode: "continuous" });
  const run = runner(subject, cwd);
  const args = ["run", "--config", "pipeline.yaml"];
  await using running = new RunningProgram(subject, args, { cwd });
  await running.until("it started", () => running.said.includes("pipeline starts") ? true : undefined);
  const refused = await run("replay", "--dlq", "--json");
  assert.equal(refused.code, 1);
  const { error } = JSON.parse(refused.stdout);
  assert.equal(error.code, "store_locked");
  assert.match(error.hint, /\/admin\/replay[\s\S]*dlq_replay/);
  assert.equal((await json(run("dlq", "list", "--json"))).count, COUNT);
  assert.equal((await json(run("replay", "--dlq", "--dry-run", "--json"))).messages.length, COUNT);
  assert.deepEqual(numbers(cwd), []);
  // A file has one writer, too.
  Deno.writeTextFileSync(`${cwd}/aside.yaml`, "sinks: { out: { file: { path: aside.ndjson } } }\n");
  const ephemeral = ["--ephemeral", "--overlay", "aside.yaml", "--limit", "7"];
  const { status, replay } = await json(run("replay", "--dlq", ...ephemeral, "--json"));
  assert.deepEqual([status, replay.replayed, replay.more], ["completed", 7, true]);
  assert.deepEqual(jsonLines(`${cwd}/aside.ndjson`).map(({ n }) => n), [0, 1, 2, 3, 4, 5, 6]);
  assert.equal((await json(run("dlq", "count", "--json"))).total, COUNT);
  running.kill("SIGTERM");
  assert.equal((await running.finished()).code, 0);
});

programTest("replay: in a process of its own, and in the main isolate", async (subject, cwd) => {
  await fill(subject, cwd);
  writePipeline(cwd, {});
  const run = runner(subject, cwd);
  for (const [isolation, ids] of [["process", "1-5"], ["inline", "6-9"]]) {
    Deno.writeTextFileSync(
      `${cwd}/eventboat.yaml`,
      `apiVersion: eventboat/v1\nkind: Runtime\nisolation: ${isolation}\n`,
    );
    const { status, replay } = await json(run("replay", "--dlq", "--delete", "--ids", ids ?? "", "--json"));
    assert.deepEqual([status, replay.deleted], ["completed", isolation === "process" ? 5 : 4]);
  }
});
