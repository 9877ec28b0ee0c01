import assert from "node:assert/strict";
import { PartialWriteError, type Sink, type SinkBatch, SinkError } from "../plugin/mod.ts";
import { type DeadLetter, hostStore, MemoryBackend, openMemoryStore } from "../store/mod.ts";
import { type NodeFixture, planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource, stopped } from "../../tests/suites/plugin_fixtures.ts";
import { Engine, type EngineOptions, type Outcome } from "./mod.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const ns = (batch: SinkBatch) =>
  Array.from({ length: batch.size }, (_, i) => (batch.message(i).payload as { n: number }).n);

interface Result {
  readonly outcome: Outcome;
  readonly letters: readonly DeadLetter[];
}

/** Runs ten numbers, or so many, in one batch into the sink. */
async function deliver(
  sink: Sink,
  given: {
    readonly count?: number;
    readonly node?: Partial<Extract<NodeFixture, { sink: Sink }>>;
    readonly retries?: number;
    readonly timeoutMs?: number;
    readonly options?: Partial<EngineOptions>;
  } = {},
): Promise<Result> {
  const { count = 10, node = {}, retries = 2, timeoutMs, options = {} } = given;
  const store = await openMemoryStore();
  const limit = new AbortController();
  // A pipeline that is stuck is stopped, so that a failing test ends.
  const timer = setTimeout(() => limit.abort(), 10_000);
  try {
    const edge = { from: "in", retries, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    const plan = planFixture({
      drainTimeoutMs: 10,
      maxInFlight: Math.max(10_000, count),
      nodes: { in: { source: new ListSource(numbers(count), { batch: count }) }, out: { sink, from: [edge], ...node } },
    });
    const engine = new Engine(plan, store, { backoffBaseMs: 1, deadLetterRetryMs: 1, ...options });
    const outcome = await engine.run(limit.signal);
    return { outcome, letters: await store.readDeadLetters({ limit: 1000 }) };
  } finally {
    clearTimeout(timer);
    await store.close();
  }
}

for (
  const [what, failures] of Object.entries<readonly unknown[]>({
    "an index beyond the batch": [{ index: 10, error: new SinkError("no") }],
    "a negative index": [{ index: -1, error: new SinkError("no") }],
    "half an index": [{ index: 0.5, error: new SinkError("no") }],
    "an index that is text": [{ index: "3", error: new SinkError("no") }],
    "no failure at all": [],
    "failures that are none": [undefined, 7],
  })
) {
  Deno.test(`SinkDelivery: a partial failure with ${what} is a failure of the whole batch`, async () => {
    let calls = 0;
    const sink = new CollectingSink(() => {
      if (calls++ === 0) throw partial(failures);
    });
    const { outcome } = await deliver(sink);
    assert.equal(outcome.status, "completed");
    assert.deepEqual(sink.values, numbers(10));
  });
}

Deno.test("SinkDelivery: an index that is named twice counts once, and an error of any kind is one", async () => {
  const given: number[][] = [];
  const sink = new CollectingSink((batch) => {
    given.push(ns(batch));
    if (given.length > 1) return;
    throw partial([2, 2, 5].map((index) => ({ index, error: index === 5 ? new Error("plain") : new SinkError("no") })));
  });
  const { outcome } = await deliver(sink);
  assert.equal(outcome.status, "completed");
  assert.deepEqual(given.at(1), [2, 5]);
  assert.equal(outcome.counts.nodes["out"]?.out, 10);
});

/** A partial failure as plain JavaScript may make it. */
function partial(failures: readonly unknown[]): PartialWriteError {
  const error = new PartialWriteError("some failed", []);
  return Object.assign(error, { failures });
}

Deno.test("SinkDelivery: waits for a promise of any make, and hears it fail", async () => {
  let calls = 0;
  const arrived: number[] = [];
  const sink: Sink = {
    write(batch) {
      const fails = calls++ === 0;
      const thenable = {
        then(resolve: () => void, reject: (error: Error) => void) {
          setTimeout(() => {
            if (fails) return reject(new Error("the first one fails"));
            arrived.push(...ns(batch));
            resolve();
          }, 1);
        },
      };
      return thenable as unknown as Promise<void>; // What another library may give.
    },
    close() {},
  };
  const { outcome } = await deliver(sink);
  assert.equal(outcome.status, "completed");
  assert.deepEqual(arrived, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

for (const retryAfterMs of [NaN, -5, "soon" as unknown as number]) {
  Deno.test(`SinkDelivery: a peer that asks to wait ${retryAfterMs} ms is tried again after the engine's own wait`, async () => {
    const waits: number[] = [];
    const clock: EngineOptions["clock"] = {
      now: () => Date.now(),
      monotonic: () => performance.now(),
      sleep: (ms, signal) => {
        if (ms > 999) return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
        waits.push(ms);
        return Promise.resolve();
      },
    };
    let calls = 0;
    const sink = new CollectingSink(() => {
      if (calls++ === 0) throw new SinkError("busy", { retryAfterMs });
    });
    const { outcome } = await deliver(sink, { options: { clock, backoffBaseMs: 7 } });
    assert.equal(outcome.status, "completed");
    assert.equal(waits[0], 7);
  });
}

Deno.test("SinkDelivery: whatever is thrown is a failure, and is tried again", async () => {
  const thrown = [null, undefined, "text"];
  const sink = new CollectingSink(() => {
    if (thrown.length > 0) throw thrown.shift();
  });
  const { outcome } = await deliver(sink, { retries: 3 });
  assert.equal(outcome.status, "completed");
  assert.deepEqual(sink.values, numbers(10));
});

Deno.test("SinkDelivery: the largest batch fails message by message and is tried again", async () => {
  const count = 100_000;
  let calls = 0;
  const sink: Sink = {
    write(batch) {
      if (calls++ > 0) return;
      const error = new SinkError("no");
      throw new PartialWriteError("all", Array.from({ length: batch.size }, (_, index) => ({ index, error })));
    },
    close() {},
  };
  const { outcome } = await deliver(sink, { count, node: { batch: { size: count, timeoutMs: 5_000 } } });
  assert.equal(outcome.status, "completed");
  assert.equal(outcome.counts.committed, count);
});

Deno.test("SinkDelivery: a sink that ignores its signal is tried again, and its late answer changes nothing", async () => {
  const late: (() => void)[] = [];
  let calls = 0;
  const sink = new CollectingSink(async () => {
    if (calls++ === 0) await new Promise<void>((_, reject) => void late.push(() => reject(new Error("late"))));
    late.forEach((end) => end());
  });
  const { outcome } = await deliver(sink, { timeoutMs: 10 });
  assert.equal(outcome.status, "completed");
  assert.equal(outcome.counts.committed, 10);
  assert.deepEqual(sink.values, numbers(10));
});

Deno.test("SinkDelivery: under an order key a write that arrives after its time has arrived", async () => {
  const sink = new CollectingSink((_, signal) => stopped(signal));
  const { outcome } = await deliver(sink, { timeoutMs: 10, node: { orderKey: () => "k" } });
  assert.equal(outcome.status, "completed");
  assert.deepEqual(sink.values, numbers(10));
});

Deno.test("SinkDelivery: under an order key a late partial failure is believed too", async () => {
  let calls = 0;
  const given: number[][] = [];
  const sink = new CollectingSink(async (batch, signal) => {
    given.push(ns(batch));
    if (calls++ > 0) return;
    await stopped(signal);
    throw new PartialWriteError("late", [{ index: 4, error: new SinkError("no") }]);
  });
  const { outcome } = await deliver(sink, {
    timeoutMs: 10,
    node: { orderKey: () => "k", batch: { size: 10, timeoutMs: 1_000 } },
  });
  assert.equal(outcome.status, "completed");
  assert.deepEqual(given, [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [4]]);
});

Deno.test("SinkDelivery: of a partial failure the hopeless ones are dead letters, the others are tried again", async () => {
  let calls = 0;
  const sink = new CollectingSink(() => {
    if (calls++ > 0) return;
    throw new PartialWriteError("some", [
      { index: 1, error: new SinkError("never", { retryable: false }) },
      { index: 7, error: new SinkError("later") },
    ]);
  });
  const { outcome, letters } = await deliver(sink);
  assert.equal(outcome.status, "partial");
  assert.deepEqual(letters.map(({ seq, reason, attempts }) => [seq, reason, attempts]), [[2, "never", 1]]);
  assert.deepEqual(sink.values, [{ n: 7 }]);
});

Deno.test("SinkDelivery: innocents of a refused batch keep their retries when their half meets an outage", async () => {
  const tries = new Map<string, number>();
  const sink = new CollectingSink((batch) => {
    if (ns(batch).includes(3)) throw new SinkError("poison", { retryable: false });
    const made = tries.get(ns(batch).join()) ?? 0;
    tries.set(ns(batch).join(), made + 1);
    if (made < 2) throw new SinkError("away for a moment");
  });
  const { outcome, letters } = await deliver(sink, { retries: 3 });
  assert.equal(outcome.counts.committed, 10);
  assert.deepEqual(letters.map(({ seq, reason }) => [seq, reason]), [[4, "poison"]]);
});

Deno.test("SinkDelivery: a half has one try when the retries are used up, and no wait", async () => {
  const sizes: number[] = [];
  const sink = new CollectingSink((batch) => {
    sizes.push(batch.size);
    throw new SinkError("away");
  });
  const { letters } = await deliver(sink, { count: 4, retries: 1 });
  assert.deepEqual(sizes, [4, 4, 2, 1, 1, 2, 1, 1]);
  assert.deepEqual(letters.map(({ seq, attempts }) => [seq, attempts]), [[1, 4], [2, 4], [3, 4], [4, 4]]);
});

Deno.test("SinkDelivery: the dead letters of one batch are written together", async () => {
  let writes = 0;
  const backend = new MemoryBackend();
  const write = backend.writeDeadLetters.bind(backend);
  backend.writeDeadLetters = (letters, lastVoid) => {
    writes++;
    write(letters, lastVoid);
  };
  const sink = new CollectingSink(() => {
    throw new SinkError("never", { retryable: false });
  });
  const store = await hostStore(backend);
  const plan = planFixture({
    nodes: { in: { source: new ListSource(numbers(100), { batch: 100 }) }, out: { sink, from: ["in"] } },
  });
  const outcome = await new Engine(plan, store, {}).run(new AbortController().signal);
  await store.close();
  assert.equal(outcome.counts.deadLettered, 100);
  assert.equal(writes, 1);
});
