import assert from "node:assert/strict";
import { hostStore, MemoryBackend, MemoryDisk } from "../store/mod.ts";
import { type PlanFixture, planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource, transformOf } from "../../tests/suites/plugin_fixtures.ts";
import { until } from "../../tests/suites/until.ts";
import { Engine, type EngineOptions } from "./mod.ts";

const encoder = new TextEncoder();
const bytes = (value: unknown) => encoder.encode(JSON.stringify(value));

/** One life of a pipeline over a disk that outlives it. */
async function live(
  disk: MemoryDisk,
  fixture: PlanFixture,
  use: (engine: Engine, stop: AbortController) => Promise<void>,
) {
  const store = await hostStore(new MemoryBackend(disk));
  const stop = new AbortController();
  const options: Partial<EngineOptions> = { backoffBaseMs: 1, checkpointIdleMs: 1 };
  const engine = new Engine(planFixture(fixture), store, options);
  const running = engine.run(stop.signal);
  await use(engine, stop);
  const outcome = await running;
  await store.close();
  return outcome;
}

const hang = () =>
  new CollectingSink((_, signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
  );
const numbers = Array.from({ length: 30 }, (_, n) => ({ n }));

Deno.test("Recovery: what was uncommitted comes back once, marked as replay, with its identity", async () => {
  const disk = new MemoryDisk();
  const ids: string[] = [];
  const note = transformOf((message) => (ids.push(message.id), message));
  const nodes = (sink: CollectingSink, source: ListSource) => ({
    in: { source },
    note: { transform: note, from: ["in"] },
    out: { sink, from: ["note"] },
  });
  await live(disk, { drainTimeoutMs: 10, nodes: nodes(hang(), new ListSource(numbers)) }, async (_engine, stop) => {
    await until(() => ids.length === 30);
    stop.abort();
  });
  const sink = new CollectingSink();
  const outcome = await live(disk, { nodes: nodes(sink, new ListSource([])) }, () => Promise.resolve());
  assert.equal(outcome.counts.replayed, 30);
  assert.deepEqual(sink.values, numbers);
  assert.deepEqual(ids.slice(0, 30), ids.slice(30));
  assert.equal(sink.messages[0]?.meta["is_replay"], true);
  assert.equal(sink.messages[0]?.meta["original_message_id"], ids[0]);
});

Deno.test("Recovery: a backlog larger than max_in_flight comes back in slices that fit", async () => {
  const disk = new MemoryDisk();
  await live(disk, {
    drainTimeoutMs: 10,
    nodes: { in: { source: new ListSource(numbers) }, out: { sink: hang(), from: ["in"] } },
  }, async (engine, stop) => {
    await until(() => engine.counts().messagesIn === 30);
    stop.abort();
  });
  const sink = new CollectingSink();
  await live(
    disk,
    { maxInFlight: 4, nodes: { in: { source: new ListSource([]) }, out: { sink, from: ["in"] } } },
    () => Promise.resolve(),
  );
  assert.deepEqual(sink.values, numbers);
});

Deno.test("Recovery: messages of a node that is gone are committed at once", async () => {
  const disk = new MemoryDisk();
  await live(disk, {
    drainTimeoutMs: 10,
    nodes: { in: { source: new ListSource(numbers) }, out: { sink: hang(), from: ["in"] } },
  }, async (engine, stop) => {
    await until(() => engine.counts().messagesIn === 30);
    stop.abort();
  });
  const outcome = await live(disk, {
    nodes: { other: { source: new ListSource([]) }, out: { sink: new CollectingSink(), from: ["other"] } },
  }, () => Promise.resolve());
  assert.equal(outcome.status, "completed");
  assert.equal(outcome.counts.checkpoint, 30);
});

Deno.test("Engine.inject: enters an internal node, keeps its id, is durable and replayed into that node", async () => {
  const disk = new MemoryDisk();
  const seen: string[] = [];
  const nodes = (sink: CollectingSink) => ({
    in: { source: new ListSource([], { stays: true }) },
    note: { transform: transformOf((message) => (seen.push(message.id), message)), from: ["in"] },
    out: { sink, from: ["note"] },
  });
  await live(disk, { drainTimeoutMs: 10, nodes: nodes(hang()) }, async (engine, stop) => {
    await engine.inject("note", [{ bytes: bytes({ n: 1 }), codec: "json", meta: { message_id: "mine" } }]);
    await until(() => seen.length === 1);
    stop.abort();
  });
  const sink = new CollectingSink();
  await live(disk, { nodes: nodes(sink) }, async (_, stop) => {
    await until(() => sink.values.length === 1);
    stop.abort();
  });
  assert.deepEqual(seen, ["mine", "mine"]);
  assert.equal(sink.messages[0]?.meta["injected_at"], "note");
});

Deno.test("Engine.inject: at a source goes out of it; an unknown node is refused as usage", async () => {
  const sink = new CollectingSink();
  await live(new MemoryDisk(), {
    nodes: { in: { source: new ListSource([], { stays: true }) }, out: { sink, from: ["in"] } },
  }, async (engine, stop) => {
    await engine.inject("in", [{ bytes: bytes({ n: 7 }), codec: "json" }]);
    await assert.rejects(engine.inject("nowhere", []), { code: "usage" });
    await until(() => sink.values.length === 1);
    stop.abort();
  });
  assert.deepEqual(sink.values, [{ n: 7 }]);
});

Deno.test("Recovery: a name that now belongs to a node of another kind is a node that is gone", async () => {
  const disk = new MemoryDisk();
  const nodes = (sink: CollectingSink) => ({
    in: { source: new ListSource(numbers, { stays: true }) },
    note: { transform: transformOf((message) => message), from: ["in"] },
    out: { sink, from: ["note"] },
  });
  await live(disk, { drainTimeoutMs: 10, nodes: nodes(hang()) }, async (engine, stop) => {
    await engine.inject("note", [{ bytes: bytes({ n: 99 }), codec: "json" }]);
    await until(() => engine.counts().messagesIn === 31);
    stop.abort();
  });
  const sink = new CollectingSink();
  const outcome = await live(disk, {
    nodes: {
      note: { source: new ListSource([]) },
      in: { transform: transformOf((message) => message), from: ["note"] },
      out: { sink, from: ["in"] },
    },
  }, () => Promise.resolve());
  assert.equal(outcome.status, "completed");
  assert.deepEqual(sink.values, []);
  assert.equal(outcome.counts.checkpoint, 31);
});

Deno.test("Recovery: numbers that were refused over many lives do not stop the next one", async () => {
  const disk = new MemoryDisk();
  const nodes = (source: ListSource) => ({ in: { source }, out: { sink: hang(), from: ["in"] } });
  await live(disk, { maxInFlight: 4, drainTimeoutMs: 5, nodes: nodes(new ListSource([1])) }, async (engine, stop) => {
    await until(() => engine.counts().messagesIn === 1);
    stop.abort();
  });
  // What lives with a full disk leave behind: a message that is stuck, and numbers that nobody will ever have.
  disk.lastVoid = 1_000_000;
  const source = new ListSource([2], { stays: true });
  const outcome = await live(
    disk,
    { maxInFlight: 4, drainTimeoutMs: 5, nodes: nodes(source) },
    async (engine, stop) => {
      await until(() => engine.counts().messagesIn === 1);
      assert.equal(engine.counts().frontierLag, 1_000_001);
      stop.abort();
    },
  );
  assert.equal(outcome.status, "interrupted");
  const sink = new CollectingSink();
  const last = await live(
    disk,
    { nodes: { in: { source: new ListSource([]) }, out: { sink, from: ["in"] } } },
    () => Promise.resolve(),
  );
  assert.deepEqual(sink.values, [1, 2]);
  assert.equal(last.counts.checkpoint, 1_000_001);
});
