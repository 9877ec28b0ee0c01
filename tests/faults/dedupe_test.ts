/** `dedupe` through crashes: no key is lost, and what was committed stays known. */

import assert from "node:assert/strict";
import { Engine } from "../../src/engine/mod.ts";
import {
  type Fault,
  FaultyBackend,
  hostStore,
  MemoryBackend,
  MemoryDisk,
  SqliteBackend,
  StoreLock,
  storePath,
} from "../../src/store/mod.ts";
import { Registry, SinkError } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { programTest, RunningProgram, runProgram } from "../e2e/program.ts";
import { planFixture } from "../suites/plan_fixture.ts";
import { CollectingSink, ListSource } from "../suites/plugin_fixtures.ts";
import { sizeOf } from "./size_of.ts";

/** Keys of the messages of one source: each four times, some next to each other and some far apart. */
const KEYS = 40;
const VALUES = Array.from({ length: 4 * KEYS }, (_, n) => ({ n, key: `key ${(n * 7 + (n >> 3)) % KEYS}` }));
const LIVES_MAX = 20;
const OPTIONS = { backoffBaseMs: 1, deadLetterRetryMs: 1, checkpointIdleMs: 1, spoolRetention: 10 };

/** A life of the pipeline over what former lives left; gives how it ended. `arrived` gets a message when it is written. */
async function live(disk: MemoryDisk, faults: readonly Fault[], arrived: (key: string, seq: number) => void) {
  const sink = new CollectingSink((batch) => {
    for (let i = 0; i < batch.size; i++) {
      const { n } = batch.message(i).payload as { n: number };
      if (n % 10 === 9) throw new SinkError("refused", { retryable: false });
    }
    for (let i = 0; i < batch.size; i++) {
      const message = batch.message(i);
      arrived((message.payload as { key: string }).key, message.seq);
    }
  });
  const dedupe = new Registry(builtins()).get("transform", "dedupe") ?? assert.fail();
  const parsed = dedupe.definition.parse({ key: "payload.key", window: { ttl: "1h" } });
  assert.ok(parsed.ok);
  const plan = planFixture({
    maxInFlight: 25,
    nodes: {
      in: { source: new ListSource(VALUES, { batch: 7 }) },
      once: { from: ["in"], transform: (context) => dedupe.create(parsed.value, context) },
      out: { from: ["once"], sink },
    },
  });
  const store = await hostStore(new FaultyBackend(new MemoryBackend(disk), faults), { deadlineMs: 1_000 });
  try {
    return (await new Engine(plan, store, OPTIONS).run(new AbortController().signal)).status;
  } finally {
    await store.close().catch(() => {}); // A store that was made to fail may fail to close; the disk is what counts.
  }
}

const FAULTS = (["append", "marks", "writeDeadLetters"] as const).flatMap((operation) =>
  (["refused", "unknown_lost", "unknown_kept"] as const).flatMap((kind) =>
    [1, 2, 4, 9].map((nth): Fault => ({ operation, kind, nth }))
  )
);

for (const fault of FAULTS) {
  Deno.test(`dedupe: no key is lost when ${fault.operation} ${fault.nth} is ${fault.kind} in every life`, async () => {
    const disk = new MemoryDisk();
    const committed = new Set<string>();
    const written = new Map<number, string>();
    let again = 0;
    for (let life = 0;; life++) {
      assert.ok(life < LIVES_MAX, "it does not come to its end");
      const before = disk.checkpoint;
      for (const [seq, key] of written) if (seq <= before) committed.add(key);
      const status = await live(disk, life < LIVES_MAX / 2 ? [fault] : [], (key, seq) => {
        // Committed in a former life: known in this one.
        if (committed.has(key)) again++;
        written.set(seq, key);
      });
      if (status === "partial" || status === "completed") break;
    }
    assert.equal(again, 0);
    const ended = new Set([...written.values()]);
    for (const letter of disk.letters.values()) ended.add(JSON.parse(new TextDecoder().decode(letter.bytes)).key);
    assert.equal(ended.size, KEYS);
  });
}

const LINES = 60_000;
const KILLS = 8;
const MAX_IN_FLIGHT = 1_000;
const LINE_BYTES = 24;

/** Every key comes three times: at once, a little later, and much later. */
function keyOf(line: number): number {
  return line % 3 === 0 ? line : line % 3 === 1 ? line - 1 : Math.max(0, line - 3_002);
}

programTest("dedupe: SIGKILLs lose no key, and let none pass again that was committed", async (subject, folder) => {
  const lines = Array.from({ length: LINES }, (_, n) => `{"n":${n},"key":"k${keyOf(n)}"}\n`);
  await Deno.writeTextFile(`${folder}/in.ndjson`, lines.join(""));
  await Deno.writeTextFile(
    `${folder}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: once }
run: { mode: batch }
limits: { max_in_flight: ${MAX_IN_FLIGHT} }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
transforms:
  once: { depends_on: in, dedupe: { key: payload.key, window: { ttl: 1h } } }
sinks:
  out: { depends_on: once, file: { path: out.ndjson } }
`,
  );
  const args = ["run", "--json", "--config", "pipeline.yaml"];
  const outputSize = () => sizeOf(`${folder}/out.ndjson`);
  for (let kill = 0; kill < KILLS; kill++) {
    await using life = new RunningProgram(subject, args, { cwd: folder });
    const enough = outputSize() + (500 + Math.random() * 1_500) * LINE_BYTES;
    await life.until("its output grew", () => outputSize() > enough ? true : undefined);
    life.kill("SIGKILL");
    await life.finished();
  }
  const { code, stderr } = await runProgram(subject, args, { cwd: folder });
  assert.equal(code, 0, stderr);
  const arrived = (await Deno.readTextFile(`${folder}/out.ndjson`)).trimEnd().split("\n").map((line) =>
    JSON.parse(line)
  );
  const keys = new Set(arrived.map(({ key }) => key));
  assert.equal(keys.size, new Set(lines.map((_, n) => keyOf(n))).size);
  // What was in flight at a kill comes again out of the spool; nothing else does, though the file is read again.
  assert.ok(arrived.length - keys.size <= KILLS * MAX_IN_FLIGHT, `${arrived.length - keys.size} repeats`);
  await checkStore(folder);
});

/** After the end everything is committed, so what is stored is what a plain look at the input gives. */
async function checkStore(folder: string): Promise<void> {
  const path = storePath(`${folder}/data`, "once");
  using _lock = await StoreLock.take(path);
  const store = new SqliteBackend(path, { durability: "process" });
  try {
    const parts = [...store.start.sourceStates.keys()].filter((name) => name.startsWith("once/"));
    assert.ok(parts.length >= LINES / 3 / 128, `${parts.length} parts`);
    assert.equal(store.stats().sourceStates, 1);
  } finally {
    store.close();
  }
}
