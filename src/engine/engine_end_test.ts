import assert from "node:assert/strict";
import { HeldClock } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { Sink, Source } from "../plugin/mod.ts";
import { type Fault, FaultyBackend, hostStore, MemoryBackend, MemoryDisk } from "../store/mod.ts";
import { type PlanFixture, planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource, stopped, transformOf } from "../../tests/suites/plugin_fixtures.ts";
import { until } from "../../tests/suites/until.ts";
import { Engine, type EngineOptions, type Outcome } from "./mod.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

interface Life {
  readonly engine: Engine;
  readonly stop: () => void;
}

/** One life of a pipeline; `use` is done with it while it runs. */
async function live(
  fixture: PlanFixture,
  use: (life: Life) => void | Promise<void> = () => {},
  given: { readonly disk?: MemoryDisk; readonly faults?: readonly Fault[]; readonly options?: Partial<EngineOptions> } =
    {},
): Promise<Outcome> {
  const { disk = new MemoryDisk(), faults = [], options = {} } = given;
  const store = await hostStore(new FaultyBackend(new MemoryBackend(disk), faults));
  const stop = new AbortController();
  const engine = new Engine(planFixture(fixture), store, { backoffBaseMs: 1, deadLetterRetryMs: 1, ...options });
  const running = engine.run(stop.signal);
  await use({ engine, stop: () => stop.abort() });
  const outcome = await running;
  await store.close();
  return outcome;
}

const deaf = (): Sink => ({ write: () => new Promise(() => {}), close() {} });

Deno.test("Engine: a source that fails with an abort of its own has failed", async () => {
  const source = new ListSource([]);
  source.run = () => Promise.reject(new DOMException("the request was aborted", "AbortError"));
  const outcome = await live({ nodes: { in: { source }, out: { sink: new CollectingSink(), from: ["in"] } } });
  assert.deepEqual([outcome.status, outcome.failure?.code], ["failed", "source_failed"]);
});

Deno.test("Engine: a stop that comes when all is committed does not undo that the run completed", async () => {
  const stop = new AbortController();
  const sink = new CollectingSink();
  sink.close = () => stop.abort();
  const store = await hostStore(new MemoryBackend());
  const plan = planFixture({ nodes: { in: { source: new ListSource(numbers(3)) }, out: { sink, from: ["in"] } } });
  const outcome = await new Engine(plan, store, {}).run(stop.signal);
  await store.close();
  assert.equal(stop.signal.aborted, true);
  assert.equal(outcome.status, "completed");
});

Deno.test("Engine: a stop ends the wait for a sink that never opens", async () => {
  const sink = new CollectingSink() as Sink;
  const opening = Promise.withResolvers<void>();
  sink.open = () => (opening.resolve(), new Promise<void>(() => {}));
  let closed = false;
  sink.close = () => void (closed = true);
  const outcome = await live(
    { nodes: { in: { source: new ListSource([]) }, out: { sink, from: ["in"] } } },
    async ({ stop }) => {
      await opening.promise;
      stop();
    },
  );
  assert.equal(outcome.status, "interrupted");
  assert.equal(closed, true);
});

Deno.test("Engine: what committed is written down although a sink and a source hang past every limit", async () => {
  const disk = new MemoryDisk();
  const good = new CollectingSink();
  const source = new ListSource(numbers(6), { batch: 3 });
  const run = source.run.bind(source);
  // It does not hear its signal either.
  source.run = (emit, signal) => run(emit, signal).then(() => new Promise(() => {}));
  const outcome = await live(
    {
      drainTimeoutMs: 10,
      nodes: {
        in: { source },
        good: { sink: good, from: ["in"] },
        deaf: { sink: deaf(), from: [{ from: "in", when: ({ payload }) => (payload as { n: number }).n >= 3 }] },
      },
    },
    async ({ engine, stop }) => {
      await until(() => good.values.length === 6 && engine.counts().frontier === 3);
      stop();
    },
    { disk, options: { checkpointIdleMs: 1_000_000, sourceCommitIntervalMs: 1_000_000 } },
  );
  assert.equal(outcome.status, "interrupted");
  assert.equal(disk.checkpoint, 3);
  assert.equal(new TextDecoder().decode(disk.states.get("in")), "3");
});

Deno.test("Engine: a node's failure ends the drain, there is nothing left to wait for", async () => {
  const clock = new HeldClock();
  const store = await hostStore(new MemoryBackend());
  const stop = new AbortController();
  const source = new ListSource(numbers(3), { stays: true });
  const plan = planFixture({ drainTimeoutMs: 60_000, nodes: { in: { source }, out: { sink: deaf(), from: ["in"] } } });
  const engine = new Engine(plan, store, { clock });
  let outcome: Outcome | undefined;
  const running = engine.run(stop.signal).then((ended) => outcome = ended);
  await until(() => engine.counts().nodes["out"]?.in === 3);
  stop.abort();
  await clock.advance(1_000);
  store.connectionLost(new EventboatError("isolate_died", "the store's isolate died"));
  await clock.advance(10_000);
  await until(() => outcome !== undefined);
  await running;
  await store.close();
  assert.deepEqual([outcome?.status, outcome?.failure?.code], ["failed", "isolate_died"]);
});

Deno.test("Engine: closes what was made when a node cannot start, and never runs it", async () => {
  const calls: string[] = [];
  const source: Source = new ListSource([]);
  source.init = () => void calls.push("init");
  source.close = () => void calls.push("close source");
  const good = new CollectingSink();
  good.close = () => void calls.push("close good");
  const bad = new CollectingSink() as Sink;
  bad.open = () => Promise.reject(new Error("no"));
  bad.close = () => void calls.push("close bad");
  const outcome = await live({
    nodes: { in: { source }, good: { sink: good, from: ["in"] }, bad: { sink: bad, from: ["in"] } },
  });
  assert.deepEqual([outcome.status, outcome.failure?.node], ["failed", "bad"]);
  assert.deepEqual(calls, ["close bad", "close good", "close source"]);
});

Deno.test("Engine: a second life commits what a first left, whatever the first was killed in", async () => {
  const disk = new MemoryDisk();
  await live(
    { drainTimeoutMs: 5, nodes: { in: { source: new ListSource(numbers(4)) }, out: { sink: deaf(), from: ["in"] } } },
    async ({ engine, stop }) => {
      await until(() => engine.counts().messagesIn === 4);
      stop();
    },
    { disk },
  );
  const ended = new ListSource([]);
  const sink = new CollectingSink(() => new Promise((resolve) => setTimeout(resolve, 2)));
  const outcome = await live(
    {
      nodes: {
        in: { source: ended },
        t: { transform: transformOf((m) => m), from: ["in"] },
        out: { sink, from: ["t"] },
      },
    },
    () => {},
    { disk },
  );
  assert.equal(outcome.status, "completed");
  assert.equal(outcome.counts.replayed, 4);
  assert.deepEqual(sink.values, numbers(4));
});

Deno.test("Engine: a stop while the replay waits for a stuck sink ends in time, and the next life replays", async () => {
  const disk = new MemoryDisk();
  const nodes = (sink: Sink) => ({ in: { source: new ListSource([]) }, out: { sink, from: ["in"] } });
  await live(
    { drainTimeoutMs: 5, nodes: { ...nodes(deaf()), in: { source: new ListSource(numbers(30)) } } },
    async ({ engine, stop }) => {
      await until(() => engine.counts().messagesIn === 30);
      stop();
    },
    { disk },
  );
  const stuck = await live(
    { drainTimeoutMs: 5, maxInFlight: 4, nodes: nodes(deaf()) },
    async ({ engine, stop }) => {
      await until(() => engine.counts().replayed === 4);
      stop();
    },
    { disk },
  );
  assert.equal(stuck.status, "interrupted");
  const sink = new CollectingSink((_, signal) => Promise.race([Promise.resolve(), stopped(signal)]));
  const outcome = await live({ maxInFlight: 4, nodes: nodes(sink) }, () => {}, { disk });
  assert.equal(outcome.counts.replayed, 30);
  assert.deepEqual(sink.values, numbers(30));
});
