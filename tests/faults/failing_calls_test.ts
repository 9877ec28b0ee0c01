/** System calls on the store's log and on a sink's file fail, as strace lets them: what is accepted survives it. */

import assert from "node:assert/strict";
import { freePort, jsonLines, RunningProgram, runProgram, type Subject } from "../e2e/program.ts";
import { storePath } from "../../src/store/mod.ts";
import { faultTest, straced } from "./machine.ts";
import { RequestLoad } from "./request_load.ts";

const CLIENTS = 4;
const LINES = 20_000;
/** The pipeline's name. */
const NAME = "faulty";
const RUN = ["run", "--json", "--config", "pipeline.yaml"];

function writePipeline(folder: string, source: string, mode: "batch" | "continuous"): void {
  Deno.writeTextFileSync(
    `${folder}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: ${NAME} }
run: { mode: ${mode} }
limits: { max_in_flight: 500 }
sources:
  in: ${source}
sinks:
  out: { depends_on: in, file: { path: out.ndjson } }
`,
  );
}

function writeServer(folder: string): string {
  const port = freePort();
  writePipeline(folder, `{ http_server: { listen: "127.0.0.1:${port}" } }`, "continuous");
  return `http://127.0.0.1:${port}/`;
}

function writeLines(folder: string): readonly number[] {
  const numbers = Array.from({ length: LINES }, (_, n) => n);
  Deno.writeTextFileSync(`${folder}/in.ndjson`, numbers.map((n) => `{"n":${n}}\n`).join(""));
  writePipeline(folder, "{ file: { path: in.ndjson, on_eof: stop } }", "batch");
  return numbers;
}

/** The program, for which a system call on a file fails: `call:error=..:when=..`. */
function failing(subject: Subject, folder: string, path: string, inject: string): Subject {
  const call = inject.slice(0, inject.indexOf(":"));
  return straced(subject, ["-P", path, "-e", `trace=${call}`, "-e", `inject=${inject}`], `${folder}/strace.log`);
}

/** The store's log, as the program opens it. */
function logPath(folder: string): string {
  return `${storePath(`${folder}/data`, NAME)}-wal`;
}

function assertInjected(folder: string): void {
  assert.match(Deno.readTextFileSync(`${folder}/strace.log`), /INJECTED/, "no call failed");
}

/** Which of these numbers the output lacks; fails on a torn line. */
function missing(folder: string, numbers: readonly number[]): readonly number[] {
  const there = new Set(jsonLines(`${folder}/out.ndjson`).map((line) => line["n"]));
  return numbers.filter((n) => !there.has(n));
}

/** Runs without faults until everything has arrived. */
async function arrives(subject: Subject, folder: string, numbers: readonly number[]): Promise<void> {
  await using program = new RunningProgram(subject, RUN, { cwd: folder });
  await program.until(
    "everything accepted has arrived",
    () => missing(folder, numbers).length === 0 ? true : undefined,
  );
}

faultTest("failing calls: a store without room refuses and goes on by itself", ["strace"], async (subject, folder) => {
  const url = writeServer(folder);
  const faulty = failing(subject, folder, logPath(folder), "pwrite64:error=ENOSPC:when=300..340");
  await using program = new RunningProgram(faulty, RUN, { cwd: folder });
  const load = new RequestLoad({ url, clients: CLIENTS, first: 1 });
  try {
    await program.until("it refused", () => load.refusals.length > 0 ? true : undefined);
    assert.match(load.refusals[0]?.body ?? "", /the disk is full/);
    const { length } = load.accepted;
    assert.ok(length > 0, "nothing was accepted before");
    await program.until("it accepted again", () => load.accepted.length > length + 100 ? true : undefined);
  } finally {
    await load.stop();
  }
  program.kill("SIGTERM");
  const { code, stderr } = await program.finished();
  assert.equal(code, 0, stderr);
  assertInjected(folder);
  assert.deepEqual(missing(folder, load.accepted), []);
});

faultTest("failing calls: a sync that fails ends the run, the restart decides", ["strace"], async (subject, folder) => {
  const url = writeServer(folder);
  const faulty = failing(subject, folder, logPath(folder), "fsync:error=EIO:when=60");
  await using program = new RunningProgram(faulty, RUN, { cwd: folder });
  const load = new RequestLoad({ url, clients: CLIENTS, first: 1 });
  try {
    const { code, stdout } = await program.finished();
    assert.equal(code, 1);
    const { status, failure } = JSON.parse(stdout);
    assert.deepEqual([status, failure.code], ["failed", "store_unknown"]);
  } finally {
    await load.stop();
  }
  assertInjected(folder);
  assert.ok(load.accepted.length > 0, "nothing was accepted before");
  await arrives(subject, folder, load.accepted);
});

faultTest("failing calls: a failed sync loses no line of a file source", ["strace"], async (subject, folder) => {
  const numbers = writeLines(folder);
  const faulty = failing(subject, folder, logPath(folder), "fsync:error=EIO:when=9");
  const failed = await runProgram(faulty, RUN, { cwd: folder });
  assert.equal(failed.code, 1, failed.stderr);
  assert.equal(JSON.parse(failed.stdout).failure.code, "store_unknown");
  assertInjected(folder);
  assert.ok(missing(folder, numbers).length > 0, "the failure came after the end");
  const { code, stdout, stderr } = await runProgram(subject, RUN, { cwd: folder });
  assert.equal(code, 0, stderr);
  assert.ok(JSON.parse(stdout).counts.replayed > 0, "nothing was replayed");
  assert.deepEqual(missing(folder, numbers), []);
});

faultTest("failing calls: a sink whose sync fails writes the batch anew", ["strace"], async (subject, folder) => {
  const numbers = writeLines(folder);
  const faulty = failing(subject, folder, `${folder}/out.ndjson`, "fdatasync:error=EIO:when=4..6");
  const { code, stdout, stderr } = await runProgram(faulty, RUN, { cwd: folder });
  assert.equal(code, 0, stderr);
  assertInjected(folder);
  assert.ok(JSON.parse(stdout).counts.retries > 0, stdout);
  assert.deepEqual(jsonLines(`${folder}/out.ndjson`).map((line) => line["n"]), numbers);
});
