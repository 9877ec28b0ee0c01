import assert from "node:assert/strict";
import { EventboatError } from "../diagnostics/mod.ts";
import { openMemoryStore } from "../store/mod.ts";
import { type PlanFixture, planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource, transformOf } from "../../tests/suites/plugin_fixtures.ts";
import { Engine, type Outcome } from "./mod.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

async function runToEnd(fixture: PlanFixture): Promise<{ readonly outcome: Outcome; readonly classes: string[] }> {
  const store = await openMemoryStore();
  try {
    const outcome = await new Engine(planFixture(fixture), store, { backoffBaseMs: 1 }).run(
      new AbortController().signal,
    );
    const letters = await store.readDeadLetters({ limit: 100 });
    return { outcome, classes: letters.map((letter) => letter.class) };
  } finally {
    await store.close();
  }
}

Deno.test("SinkWorker: a delivery much larger than a batch passes in whole batches, in order", async () => {
  const sink = new CollectingSink();
  const count = 5_003;
  await runToEnd({
    nodes: {
      in: { source: new ListSource([1]) },
      t: {
        from: ["in"],
        transform: transformOf((message) =>
          Array.from({ length: count }, (_, n) => message.derive({ payload: { n } }))
        ),
      },
      out: { sink, from: ["t"], maxBatch: 10 },
    },
  });
  assert.deepEqual(sink.values, numbers(count));
  assert.deepEqual(new Set(sink.batches), new Set([10, 3]));
});

Deno.test("SinkWorker: under an order key a written batch is not torn", async () => {
  const sink = new CollectingSink();
  await runToEnd({
    nodes: {
      in: { source: new ListSource(numbers(20), { batch: 20 }) },
      out: { sink, from: ["in"], batch: { size: 10, timeoutMs: 1_000 }, orderKey: () => "k" },
    },
  });
  assert.deepEqual(sink.batches, [10, 10]);
  assert.deepEqual(sink.values, numbers(20));
});

Deno.test("SinkWorker: an order key that cannot be evaluated is a dead letter of class encode, the others arrive", async () => {
  const sink = new CollectingSink();
  const { outcome, classes } = await runToEnd({
    nodes: {
      in: { source: new ListSource(numbers(4), { batch: 4 }) },
      out: {
        sink,
        from: ["in"],
        orderKey: ({ payload }) => {
          const { n } = payload as { n: number };
          if (n === 1) throw new EventboatError("expression", "no such key");
          if (n === 2) throw new EventboatError("budget", "too dear");
          return `k${n}`;
        },
      },
    },
  });
  assert.equal(outcome.counts.committed, 4);
  assert.deepEqual(classes, ["encode", "encode"]);
  assert.deepEqual(sink.values, [{ n: 0 }, { n: 3 }]);
});

Deno.test("SinkWorker: a batch larger than max_in_flight goes when its time is over", async () => {
  const sink = new CollectingSink();
  await runToEnd({
    maxInFlight: 3,
    nodes: {
      in: { source: new ListSource(numbers(9), { batch: 1 }) },
      out: { sink, from: ["in"], batch: { size: 100, timeoutMs: 5 } },
    },
  });
  assert.deepEqual(sink.values, numbers(9));
});

Deno.test("SinkWorker: max_in_flight 1 carries everything", async () => {
  const sink = new CollectingSink();
  const { outcome } = await runToEnd({
    maxInFlight: 1,
    nodes: { in: { source: new ListSource(numbers(50), { batch: 1 }) }, out: { sink, from: ["in"] } },
  });
  assert.deepEqual(sink.values, numbers(50));
  assert.equal(outcome.counts.checkpoint, 50);
});

for (const maxBatch of [0, -3, NaN, 2.5, Infinity]) {
  Deno.test(`SinkWorker: a sink whose largest batch is ${maxBatch} gets all messages`, async () => {
    const sink = new CollectingSink();
    const { outcome } = await runToEnd({
      nodes: { in: { source: new ListSource(numbers(9)) }, out: { sink, from: ["in"], maxBatch } },
    });
    assert.equal(outcome.status, "completed");
    assert.deepEqual(sink.values, numbers(9));
    assert.ok(sink.batches.every((size) => size <= 1 || size <= maxBatch));
  });
}

Deno.test("SinkWorker: a written batch larger than max_in_flight goes when all that may be in flight is there", async () => {
  const sink = new CollectingSink();
  const { outcome } = await runToEnd({
    maxInFlight: 4,
    nodes: {
      in: { source: new ListSource(numbers(8), { batch: 4 }) },
      out: { sink, from: ["in"], batch: { size: 100, timeoutMs: 3_600_000 } },
    },
  });
  assert.equal(outcome.status, "completed");
  assert.deepEqual(sink.batches, [4, 4]);
});
