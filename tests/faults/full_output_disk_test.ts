/** The disk that a file sink writes to fills up: nothing is lost and no line is torn. */

import assert from "node:assert/strict";
import { jsonLines, RunningProgram, runProgram } from "../e2e/program.ts";
import { SqliteBackend, StoreLock, storePath } from "../../src/store/mod.ts";
import { faultTest } from "./machine.ts";
import { SmallDisk } from "./small_disk.ts";

const DISK_MEGABYTES = 2;
const LINES = 4_000;
const PADDING_BYTES = 1_000;
const PAGE_BYTES = 4_096;
/** How long the disk stays full: a few attempts of the sink. */
const WATCH_MS = 500;

function write(folder: string, disk: SmallDisk, delivery: string): readonly number[] {
  const padding = "x".repeat(PADDING_BYTES);
  const numbers = Array.from({ length: LINES }, (_, n) => n);
  Deno.writeTextFileSync(`${folder}/in.ndjson`, numbers.map((n) => `${JSON.stringify({ n, padding })}\n`).join(""));
  Deno.writeTextFileSync(
    `${folder}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: narrow }
run: { mode: batch }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
sinks:
  out: { depends_on: [in: { delivery: ${delivery} }], file: { path: "${disk.folder}/out.ndjson" } }
`,
  );
  return numbers;
}

/** The numbers in the output, every line of which must be whole. */
function numbersOut(disk: SmallDisk): readonly number[] {
  const path = `${disk.folder}/out.ndjson`;
  assert.ok(Deno.readTextFileSync(path).endsWith("\n"), "the output ends inside a line");
  return jsonLines(path).map((line) => Number(line["n"]));
}

async function letterNumbers(folder: string): Promise<readonly number[]> {
  const path = storePath(`${folder}/data`, "narrow");
  using _lock = await StoreLock.take(path);
  const store = new SqliteBackend(path, { durability: "process" });
  const numbers: number[] = [];
  try {
    for (let afterId = 0;;) {
      const letters = store.readDeadLetters({ afterId, limit: 1_000 });
      if (letters.length === 0) return numbers;
      for (const { id, bytes, class: kind, node, reason } of letters) {
        afterId = id;
        assert.deepEqual([kind, node], ["delivery", "out"]);
        assert.match(reason, /the disk is full/);
        numbers.push(JSON.parse(new TextDecoder().decode(bytes)).n);
      }
    }
  } finally {
    store.close();
  }
}

faultTest("full output disk: what does not fit is retried, then a dead letter", ["mount"], async (subject, folder) => {
  await using disk = await SmallDisk.mount(DISK_MEGABYTES);
  const numbers = write(folder, disk, "{ retries: 1, backoff: constant }");
  const { code, stdout, stderr } = await runProgram(subject, ["run", "--json", "--config", "pipeline.yaml"], {
    cwd: folder,
  });
  assert.equal(code, 1, stderr);
  assert.equal(JSON.parse(stdout).status, "partial", stdout);
  const out = numbersOut(disk);
  const letters = await letterNumbers(folder);
  assert.ok(out.length > 0 && letters.length > 0);
  assert.deepEqual([...out, ...letters].sort((a, b) => a - b), numbers);
});

faultTest("full output disk: with enough retries it waits for room", ["mount"], async (subject, folder) => {
  await using disk = await SmallDisk.mount(DISK_MEGABYTES);
  const numbers = write(folder, disk, "{ retries: 10000, backoff: constant }");
  await using program = new RunningProgram(subject, ["run", "--json", "--config", "pipeline.yaml"], { cwd: folder });
  await program.until("the disk was full", () => isFull(disk) ? true : undefined);
  await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  await disk.remount(`size=${DISK_MEGABYTES * 8}m`);
  const { code, stdout, stderr } = await program.finished();
  assert.equal(code, 0, stderr);
  assert.ok(JSON.parse(stdout).counts.retries > 0, "the disk was never full");
  assert.deepEqual(numbersOut(disk), numbers);
});

/** Whether a page more does not fit. */
function isFull(disk: SmallDisk): boolean {
  const path = `${disk.folder}/probe`;
  try {
    Deno.writeFileSync(path, new Uint8Array(PAGE_BYTES));
    return false;
  } catch {
    return true;
  } finally {
    Deno.removeSync(path);
  }
}
