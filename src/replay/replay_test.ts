import assert from "node:assert/strict";
import { Engine, type Outcome } from "../engine/mod.ts";
import { SinkError } from "../plugin/mod.ts";
import { type DeadLetter, type Fault, FaultyBackend, hostStore, MemoryBackend, MemoryDisk } from "../store/mod.ts";
import { planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource } from "../../tests/suites/plugin_fixtures.ts";
import { previewReplay, Replay, type ReplayReport, type ReplayRequest } from "./mod.ts";

const COUNT = 40;

/** Refuses the messages whose number `fails` tells. */
function sinkOf(fails: (n: number) => boolean): CollectingSink {
  return new CollectingSink((batch) => {
    for (let i = 0; i < batch.size; i++) {
      const { n } = batch.message(i).payload as { readonly n: number };
      if (fails(n)) throw new SinkError("never", { retryable: false });
    }
  });
}

function planOf(sink: CollectingSink, name = "out") {
  const values = Array.from({ length: COUNT }, (_, n) => ({ n }));
  return planFixture({
    nodes: { in: { source: new ListSource(values) }, [name]: { sink, from: ["in"], batch: { size: 7, timeoutMs: 1 } } },
  });
}

interface Replayed {
  readonly outcome: Outcome;
  readonly report: ReplayReport;
  readonly letters: readonly DeadLetter[];
  readonly replay: Replay;
}

/** Runs a pipeline whose sink fails for everything. */
async function fill(disk: MemoryDisk, runId?: string): Promise<readonly DeadLetter[]> {
  const store = await hostStore(new MemoryBackend(disk));
  const options = runId === undefined ? {} : { runId };
  await new Engine(planOf(sinkOf(() => true)), store, options).run(new AbortController().signal);
  const letters = await store.readDeadLetters({ limit: 1000 });
  await store.close();
  return letters;
}

async function replay(
  disk: MemoryDisk,
  request: Partial<ReplayRequest>,
  { sink = new CollectingSink(), name = "out", faults = [] }: {
    readonly sink?: CollectingSink;
    readonly name?: string;
    readonly faults?: readonly Fault[];
  } = {},
): Promise<Replayed> {
  const store = await hostStore(new FaultyBackend(new MemoryBackend(disk), faults));
  try {
    const plan = planOf(sink, name);
    const engine = new Engine(plan, store, {});
    const whole: ReplayRequest = { what: { kind: "letters", delete: false }, limit: 1000, ...request };
    const feed = new Replay({ engine, store, plan, durability: "power" }, whole);
    const outcome = await engine.run(new AbortController().signal, undefined, feed);
    return { outcome, report: feed.report(), letters: await store.readDeadLetters({ limit: 1000 }), replay: feed };
  } finally {
    await store.close();
  }
}

const deleting = { kind: "letters", delete: true } as const;
const ids = (letters: readonly DeadLetter[]) => letters.map(({ id }) => id);

Deno.test("Replay: half of the letters, chosen by a condition, leaves the other half untouched", async () => {
  const disk = new MemoryDisk();
  const before = await fill(disk);
  const sink = new CollectingSink();
  const { outcome, report, letters } = await replay(disk, { what: deleting, where: "int(payload.n) % 2 == 0" }, {
    sink,
  });
  assert.equal(outcome.status, "completed");
  assert.deepEqual(report, { replayed: COUNT / 2, deleted: COUNT / 2, more: false, unjudged: 0 });
  assert.deepEqual(letters, before.filter((_, n) => n % 2 === 1));
  assert.deepEqual(sink.values, Array.from({ length: COUNT / 2 }, (_, i) => ({ n: i * 2 })));
});

Deno.test("Replay: what fails again is not deleted and keeps its id, however often", async () => {
  const disk = new MemoryDisk();
  const before = await fill(disk);
  for (let round = 0; round < 100; round++) {
    const sink = sinkOf((n) => n % 3 === 0);
    const { outcome, letters } = await replay(disk, { what: deleting }, { sink });
    assert.equal(outcome.status, "partial");
    assert.deepEqual(ids(letters), ids(before).filter((_, n) => n % 3 === 0));
  }
});

Deno.test("Replay: without delete every letter stays; the limit holds, and says that there is more", async () => {
  const disk = new MemoryDisk();
  const before = await fill(disk);
  const { report, letters } = await replay(disk, { limit: 10 });
  assert.deepEqual(report, { replayed: 10, deleted: 0, more: true, unjudged: 0 });
  assert.deepEqual(letters, before);
  assert.equal((await replay(disk, { limit: COUNT })).report.more, false);
});

Deno.test("Replay: letters are chosen by id, time, run, class and node", async () => {
  const disk = new MemoryDisk();
  const before = await fill(disk, "r1");
  const count = async (request: Partial<ReplayRequest>) => (await replay(disk, request)).report.replayed;
  assert.equal(await count({ what: { kind: "letters", delete: false, ids: [3, 1, 3, 999] } }), 2);
  assert.equal(await count({ what: { kind: "letters", delete: false, runId: "r1" } }), COUNT);
  assert.equal(await count({ what: { kind: "letters", delete: false, runId: "r2" } }), 0);
  assert.equal(await count({ sinceMs: (before.at(-1)?.timeMs ?? 0) + 1 }), 0);
  assert.equal(await count({ where: 'letter.class == "delivery" && letter.node == "out"' }), COUNT);
  assert.equal(await count({ where: 'letter.class == "decode"' }), 0);
});

Deno.test("Replay: a condition that cannot be evaluated chooses nothing, and is counted; one that does not compile is refused", async () => {
  const disk = new MemoryDisk();
  await fill(disk);
  const { report } = await replay(disk, { where: "payload.missing > 1" });
  assert.deepEqual(report, { replayed: 0, deleted: 0, more: false, unjudged: COUNT });
  const { outcome } = await replay(disk, { where: "payload. > 1" });
  assert.deepEqual([outcome.status, outcome.failure?.code], ["failed", "usage"]);
});

Deno.test("Replay: letters of a node that is gone are refused before any is replayed, unless another is named", async () => {
  const disk = new MemoryDisk();
  await fill(disk);
  const sink = new CollectingSink();
  const { outcome, report } = await replay(disk, {}, { sink, name: "renamed" });
  assert.deepEqual([outcome.status, outcome.failure?.code, report.replayed, sink.values.length], [
    "failed",
    "usage",
    0,
    0,
  ]);
  assert.equal((await replay(disk, { at: "nowhere" })).outcome.failure?.code, "usage");
  for (const at of ["renamed", "in"]) {
    const again = new CollectingSink();
    assert.equal((await replay(disk, { at }, { sink: again, name: "renamed" })).outcome.status, "completed");
    assert.equal(again.values.length, COUNT);
  }
});

Deno.test("Replay: letters that cannot be deleted stay, and that is told", async () => {
  const disk = new MemoryDisk();
  const before = await fill(disk);
  const faults: readonly Fault[] = [{ operation: "discardDeadLetters", nth: 1, times: 99, kind: "full" }];
  const { replay: feed, letters } = await replay(disk, { what: deleting }, { faults });
  assert.equal(feed.deleteError?.code, "store_full");
  assert.deepEqual(letters, before);
});

Deno.test("Replay: a window of the spool comes out of its source again, and what it brings in does not prolong it", async () => {
  const disk = new MemoryDisk();
  await fill(disk);
  const sink = new CollectingSink();
  const { report } = await replay(disk, { what: { kind: "spool", from: 11 } }, { sink });
  assert.equal(report.replayed, COUNT - 10);
  assert.deepEqual(sink.values[0], { n: 10 });
  assert.equal(sink.messages[0]?.meta["is_replay"], true);
  const some = await replay(disk, { what: { kind: "spool", from: 1, to: 20 }, where: "payload.n >= 15", limit: 3 });
  assert.deepEqual(some.report, { replayed: 3, deleted: 0, more: true, unjudged: 0 });
});

Deno.test("Replay: a window that begins below what is kept, or beyond it, is refused and says where it is", async () => {
  const disk = new MemoryDisk();
  await fill(disk);
  disk.segments = disk.segments.filter(({ first }) => first > 20);
  const { outcome } = await replay(disk, { what: { kind: "spool", from: 5 } });
  assert.deepEqual([outcome.status, outcome.failure?.code], ["failed", "usage"]);
  assert.match(outcome.failure?.message ?? "", /begins at sequence 21/);
  assert.equal((await replay(disk, { what: { kind: "spool", from: 9999 } })).outcome.failure?.code, "usage");
});

Deno.test("previewReplay: tells what would enter where, and nothing is changed", async () => {
  const disk = new MemoryDisk();
  const before = await fill(disk);
  const store = await hostStore(new MemoryBackend(disk));
  const parts = { source: store, plan: planOf(new CollectingSink()) };
  const walked: string[] = [];
  const expected = { sinks: ["out"], filtered: 0, failures: [], not_executed: [] };
  const walk = ({ at, bytes }: { readonly at: string; readonly bytes: Uint8Array }) => {
    walked.push(`${at} ${new TextDecoder().decode(bytes)}`);
    return Promise.resolve(expected);
  };
  const letters = await previewReplay(
    { ...parts, walk },
    { what: deleting, limit: 2, at: "in" },
  );
  const { id, seq, messageId: message_id, reason } = before[0]!; // There are many.
  const place = { node: "in", node_kind: "source", edges: ["in->out"] };
  const first = { id, seq, message_id, ...place, class: "delivery", reason, expected };
  assert.deepEqual([letters.messages[0], letters.messages.length, letters.more], [first, 2, true]);
  assert.deepEqual(walked, ['in {"n":0}', 'in {"n":1}']);
  const window = await previewReplay(parts, { what: { kind: "spool", from: COUNT }, limit: 9 });
  assert.deepEqual(window.messages.map((each) => [each.seq, each.node]), [[COUNT, "in"]]);
  assert.deepEqual(await store.readDeadLetters({ limit: 1000 }), before);
  await store.close();
});
