/** Cases of the durable spool, through the whole program: kills, damage, backlogs, outages, single messages. */

import assert from "node:assert/strict";
import { idBase, systemClock, systemRandom } from "../../src/base/mod.ts";
import { hostStore, SqliteBackend, StoreLock, storePath } from "../../src/store/mod.ts";
import { freePort, jsonLines, programTest, RunningProgram, runProgram } from "../e2e/program.ts";
import { NumberSink } from "../faults/number_sink.ts";
import { RequestLoad } from "../faults/request_load.ts";

const NAME = "spooled";
const RUN = ["run", "--json", "--config", "pipeline.yaml"];
/** Twice what a pipeline may need. */
const BACKLOG_BYTES = 800 * 1024 * 1024;
/** Retries for as long as it takes, ten a second. */
const PATIENT = "delivery: { retries: 1000000, backoff: constant }";

interface Nodes {
  readonly source: string;
  readonly sink: string;
  readonly mode?: "batch" | "continuous";
  readonly maxInFlight?: number;
}

function write(folder: string, { source, sink, mode = "continuous", maxInFlight = 10_000 }: Nodes): void {
  Deno.writeTextFileSync(
    `${folder}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: ${NAME} }
run: { mode: ${mode} }
limits: { max_in_flight: ${maxInFlight}, drain_timeout: 1s }
sources:
  in: ${source}
sinks:
  out: { depends_on: [in: { ${PATIENT} }], ${sink} }
`,
  );
}

const FILE_SOURCE = "{ file: { path: in.ndjson, poll_every_ms: 20 } }";
const BATCH_SOURCE = "{ file: { path: in.ndjson, on_eof: stop } }";

function httpSink(sink: NumberSink): string {
  return `http: { url: "${sink.url}", body: ndjson }`;
}

function writeLines(folder: string, count: number): readonly number[] {
  const numbers = Array.from({ length: count }, (_, n) => n);
  Deno.writeTextFileSync(`${folder}/in.ndjson`, numbers.map((n) => `{"n":${n}}\n`).join(""));
  return numbers;
}

programTest(
  "case R06: every request that was accepted has its effect, however often it is killed",
  async (subject, cwd) => {
    const port = freePort();
    write(cwd, { source: `{ http_server: { listen: "127.0.0.1:${port}" } }`, sink: "file: { path: out.ndjson }" });
    const accepted: number[] = [];
    for (let life = 1; life <= 5; life++) {
      await using program = new RunningProgram(subject, RUN, { cwd });
      const load = new RequestLoad({ url: `http://127.0.0.1:${port}/`, clients: 6, first: life * 1_000_000 });
      try {
        const enough = 100 + Math.random() * 400;
        await program.until("it accepted some", () => load.accepted.length > enough ? true : undefined);
      } finally {
        if (life < 5) program.kill("SIGKILL");
        await load.stop();
      }
      accepted.push(...load.accepted);
      if (life < 5) continue;
      const out = () => new Set(jsonLines(`${cwd}/out.ndjson`).map((line) => Number(line["n"])));
      await program.until("everything accepted had its effect", () => {
        const there = out();
        return accepted.every((n) => there.has(n)) ? true : undefined;
      });
    }
  },
);

/** Ways in which a reset of the machine may leave the store's log. */
const DAMAGES: { readonly [what: string]: (bytes: number) => number } = {
  "inside its last frame": (bytes) => bytes - 100,
  "in its middle": (bytes) => Math.floor(bytes / 2) - 7,
  "inside its header": () => 20,
};

for (const [what, cut] of Object.entries(DAMAGES)) {
  programTest(`case D03: with a log cut ${what} it starts, and stops when asked`, async (subject, cwd) => {
    await using sink = new NumberSink();
    const numbers = writeLines(cwd, 3_000);
    write(cwd, { source: FILE_SOURCE, sink: httpSink(sink) });
    const path = storePath(`${cwd}/data`, NAME);
    {
      await using program = new RunningProgram(subject, RUN, { cwd });
      await program.until("messages are stored", async () => {
        const { code, stdout } = await runProgram(subject, ["store", "stats", NAME, "--json"], { cwd });
        return code === 0 && JSON.parse(stdout).messages === numbers.length ? true : undefined;
      });
      program.kill("SIGKILL");
      await program.finished();
    }
    Deno.truncateSync(`${path}-wal`, cut(Deno.statSync(`${path}-wal`).size));
    {
      const { refused } = sink;
      await using program = new RunningProgram(subject, RUN, { cwd });
      await program.until("it tries to deliver", () => sink.refused > refused ? true : undefined);
      const beganMs = performance.now();
      program.kill("SIGTERM");
      const { code, stderr } = await program.finished();
      assert.equal(code, 0, stderr);
      assert.ok(performance.now() - beganMs < 5_000, "it did not stop when asked");
    }
    // What the cut took the source has kept: nothing of it was committed.
    sink.takes = true;
    await using program = new RunningProgram(subject, RUN, { cwd });
    await program.until("everything arrived", () => sink.lacks(numbers) ? undefined : true);
  });
}

/** Fills a store with messages that nobody has committed. */
async function fillStore(dataDir: string, totalBytes: number): Promise<void> {
  const path = storePath(dataDir, NAME);
  using _lock = await StoreLock.take(path);
  const store = await hostStore(new SqliteBackend(path, { durability: "process" }));
  const message = new TextEncoder().encode(JSON.stringify({ n: 1, padding: "x".repeat(1_980) }));
  const count = 1_000;
  const bytes = new Uint8Array(message.length * count);
  for (let i = 0; i < count; i++) bytes.set(message, i * message.length);
  try {
    for (let i = 0; i * bytes.length < totalBytes; i++) {
      const { kind } = await store.append({
        first: i * count + 1,
        count,
        bytes,
        ends: Uint32Array.from({ length: count }, (_, at) => (at + 1) * message.length),
        gap: 0,
        codec: "json",
        source: "in",
        idBase: idBase(systemClock.now(), systemRandom),
        meta: { source: "in" },
        columns: {},
      });
      assert.equal(kind, "durable");
    }
  } finally {
    await store.close();
  }
}

programTest("case D05: a backlog is replayed in bounded memory, however large it is", async (subject, cwd) => {
  if (Deno.build.os !== "linux") return;
  await Deno.writeTextFile(`${cwd}/in.ndjson`, "");
  write(cwd, { source: FILE_SOURCE, sink: "drop: {}" });
  await fillStore(`${cwd}/data`, BACKLOG_BYTES);
  await using program = new RunningProgram(subject, RUN, { cwd });
  await program.until("it has replayed everything", async () => {
    const { code, stdout } = await runProgram(subject, ["store", "stats", NAME, "--json"], { cwd });
    return code === 0 && JSON.parse(stdout).uncommitted === 0 ? true : undefined;
  });
  const kilobytes = Number(/VmHWM:\s+(\d+) kB/.exec(Deno.readTextFileSync(`/proc/${program.pid}/status`))?.[1]);
  assert.ok(kilobytes * 1024 < BACKLOG_BYTES * 0.7, `it held ${Math.round(kilobytes / 1024)} MB`);
});

programTest("case D06: a message that comes alone is delivered at once, also after an outage", async (subject, cwd) => {
  await using sink = new NumberSink();
  sink.takes = true;
  writeLines(cwd, 0);
  write(cwd, { source: FILE_SOURCE, sink: httpSink(sink) });
  await using program = new RunningProgram(subject, RUN, { cwd });
  for (let n = 0; n < 8; n++) {
    const beganMs = performance.now();
    const outage = n % 3 === 2;
    sink.takes = !outage;
    Deno.writeTextFileSync(`${cwd}/in.ndjson`, `{"n":${n}}\n`, { append: true });
    if (outage) await program.until("it was refused", () => sink.refused > n ? true : undefined);
    sink.takes = true;
    await program.until(`message ${n} arrived`, () => sink.taken.has(n) ? true : undefined);
    const tookMs = performance.now() - beganMs;
    // The first one waits for the program's start.
    if (n > 0) assert.ok(tookMs < 3_000, `message ${n} took ${Math.round(tookMs)} ms`);
  }
});

programTest(
  "case D10: after a long outage the oldest message arrives too, and waiting was counted",
  async (subject, cwd) => {
    await using sink = new NumberSink();
    const numbers = writeLines(cwd, 5_000);
    write(cwd, { source: BATCH_SOURCE, sink: httpSink(sink), mode: "batch", maxInFlight: 200 });
    await using program = new RunningProgram(subject, RUN, { cwd });
    await program.until("it was refused often", () => sink.refused > 10 ? true : undefined);
    sink.takes = true;
    const { code, stdout, stderr } = await program.finished();
    assert.equal(code, 0, stderr);
    const { status, counts } = JSON.parse(stdout);
    assert.deepEqual([status, counts.committed, counts.deadLettered], ["completed", numbers.length, 0]);
    assert.ok(counts.backpressureEvents > 0, stdout);
    assert.ok(!sink.lacks(numbers));
  },
);
