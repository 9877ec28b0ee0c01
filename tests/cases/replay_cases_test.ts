/** Cases of replays, through the whole engine and a store on disk. */

import assert from "node:assert/strict";
import { SeededDraw } from "../../scripts/seeded_draw.ts";
import { Engine } from "../../src/engine/mod.ts";
import { SinkError } from "../../src/plugin/mod.ts";
import { Replay, type ReplayReport, type ReplayRequest } from "../../src/replay/mod.ts";
import { type DeadLetter, hostStore, SqliteBackend, type StoreStats } from "../../src/store/mod.ts";
import { planFixture } from "../suites/plan_fixture.ts";
import { CollectingSink, ListSource } from "../suites/plugin_fixtures.ts";

const COUNT = 60;
const ROUNDS = 100;
const DRAWS = 15;

const refusing = () =>
  new CollectingSink(() => {
    throw new SinkError("never", { retryable: false });
  });

function planOf(sink: CollectingSink) {
  const values = Array.from({ length: COUNT }, (_, n) => ({ n }));
  return planFixture({ nodes: { in: { source: new ListSource(values) }, out: { sink, from: ["in"] } } });
}

interface Life {
  readonly letters: readonly DeadLetter[];
  readonly stats: StoreStats;
  readonly report?: ReplayReport;
}

/** One life of the pipeline over a store's file: its own run, or a replay. */
async function life(path: string, sink: CollectingSink, request?: ReplayRequest): Promise<Life> {
  const store = await hostStore(new SqliteBackend(path, { durability: "process", reserveBytes: 0 }));
  try {
    const plan = planOf(sink);
    const engine = new Engine(plan, store, {});
    const replay = request && new Replay({ engine, store, plan, durability: "process" }, request);
    await engine.run(new AbortController().signal, undefined, replay);
    const [letters, stats] = [await store.readDeadLetters({ limit: 1000 }), await store.stats()];
    return { letters, stats, ...(replay === undefined ? {} : { report: replay.report() }) };
  } finally {
    await store.close();
  }
}

async function inFolder(fn: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await fn(`${folder}/letters.db`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("case Q01: a hundred replays into the same failing sink leave as many dead letters as there were", async () => {
  await inFolder(async (path) => {
    const { letters: before } = await life(path, refusing());
    let last: Life | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      last = await life(path, refusing(), { what: { kind: "letters", delete: true }, limit: 1000 });
      assert.deepEqual([last.stats.deadLetters, last.report?.deleted], [COUNT, 0]);
    }
    const identity = ({ id, messageId, node, edge, bytes }: DeadLetter) => ({ id, messageId, node, edge, bytes });
    assert.deepEqual(last?.letters.map(identity), before.map(identity));
    assert.ok(last?.letters.every(({ attempts }) => attempts > ROUNDS));
  });
});

Deno.test("Replay: whatever part a condition chooses, the rest of the letters stays as it was", async () => {
  const draw = new SeededDraw(20260301);
  for (let i = 0; i < DRAWS; i++) {
    await inFolder(async (path) => {
      const { letters: before } = await life(path, refusing());
      const [divisor, rest] = [draw.integer(2, 7), draw.integer(0, 3)];
      const isChosen = (n: number) => n % divisor === rest;
      const sink = new CollectingSink();
      const where = `int(payload.n) % ${divisor} == ${rest}`;
      const { letters } = await life(path, sink, { what: { kind: "letters", delete: true }, where, limit: 1000 });
      assert.deepEqual(letters, before.filter((_, n) => !isChosen(n)));
      assert.deepEqual(sink.values, before.flatMap((_, n) => isChosen(n) ? [{ n }] : []));
    });
  }
});
