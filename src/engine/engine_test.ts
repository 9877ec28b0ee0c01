import assert from "node:assert/strict";
import { HeldClock } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import { PartialWriteError, SinkError, TransformError } from "../plugin/mod.ts";
import { openMemoryStore } from "../store/mod.ts";
import { InstrumentRegistry } from "../telemetry/mod.ts";
import { type PlanFixture, planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource, transformOf } from "../../tests/suites/plugin_fixtures.ts";
import { until } from "../../tests/suites/until.ts";
import { Engine, type EngineOptions, type Outcome } from "./mod.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const fast: Partial<EngineOptions> = { backoffBaseMs: 1, deadLetterRetryMs: 1 };

async function runToEnd(fixture: PlanFixture, options: Partial<EngineOptions> = {}): Promise<Outcome> {
  const store = await openMemoryStore();
  try {
    return await new Engine(planFixture(fixture), store, { ...fast, ...options }).run(new AbortController().signal);
  } finally {
    await store.close();
  }
}

Deno.test("Engine: every message of a source arrives at its sink, in order, and the run completes", async () => {
  const sink = new CollectingSink();
  const outcome = await runToEnd({
    nodes: { in: { source: new ListSource(numbers(1000)) }, out: { sink, from: ["in"] } },
  });
  assert.equal(outcome.status, "completed");
  assert.deepEqual(sink.values, numbers(1000));
  assert.equal(outcome.counts.committed, 1000);
  assert.equal(outcome.counts.checkpoint, 1000);
  assert.equal(outcome.counts.inFlight, 0);
});

Deno.test("Engine: a source commits through its last message when all is committed", async () => {
  const source = new ListSource(numbers(95));
  await runToEnd({ nodes: { in: { source }, out: { sink: new CollectingSink(), from: ["in"] } } });
  assert.equal(source.commits.at(-1), 95);
});

Deno.test("Engine: conditions choose edges, a message that none takes is filtered", async () => {
  const even = new CollectingSink();
  const small = new CollectingSink();
  const n = (scope: { payload: unknown }) => (scope.payload as { n: number }).n;
  const outcome = await runToEnd({
    nodes: {
      in: { source: new ListSource(numbers(20)) },
      even: { sink: even, from: [{ from: "in", when: (scope) => n(scope) % 2 === 0 }] },
      small: { sink: small, from: [{ from: "in", when: (scope) => n(scope) < 5 }] },
    },
  });
  assert.deepEqual(even.values.length, 10);
  assert.deepEqual(small.values, numbers(5));
  assert.equal(outcome.counts.filtered, 8);
  assert.equal(outcome.counts.committed, 20);
});

Deno.test("Engine: one message may become none, one or many, told apart by branch", async () => {
  const sink = new CollectingSink();
  const outcome = await runToEnd({
    nodes: {
      in: { source: new ListSource(numbers(4)) },
      spread: {
        from: ["in"],
        transform: transformOf((message) => {
          const { n } = message.payload as { n: number };
          return Array.from({ length: n }, (_, part) => message.derive({ payload: { n, part } }));
        }),
      },
      out: { sink, from: ["spread"] },
    },
  });
  assert.deepEqual(sink.values, [{ n: 1, part: 0 }, { n: 2, part: 0 }, { n: 2, part: 1 }, { n: 3, part: 0 }, {
    n: 3,
    part: 1,
  }, { n: 3, part: 2 }]);
  assert.deepEqual(sink.messages.map((message) => message.branch), ["", "0", "1", "0", "1", "2"]);
  assert.equal(outcome.counts.committed, 4);
  assert.equal(outcome.counts.filtered, 1);
});

Deno.test("Engine: a transform that fails is retried by its edge's policy, then dead-lettered with class and backtrace", async () => {
  const tries = new Map<number, number>();
  const sink = new CollectingSink();
  const outcome = await runToEnd({
    nodes: {
      in: { source: new ListSource(numbers(5)) },
      shaky: {
        from: [{ from: "in", retries: 2 }],
        transform: transformOf((message) => {
          const { n } = message.payload as { n: number };
          const count = (tries.get(n) ?? 0) + 1;
          tries.set(n, count);
          if (n === 2 || (n === 3 && count < 3)) {
            throw new TransformError("runtime", "boom", { backtrace: "script:1:1" });
          }
          return message;
        }),
      },
      out: { sink, from: ["shaky"] },
    },
  });
  assert.equal(outcome.status, "partial");
  assert.deepEqual([tries.get(2), tries.get(3), tries.get(1)], [3, 3, 1]);
  assert.deepEqual(sink.values, [{ n: 0 }, { n: 1 }, { n: 3 }, { n: 4 }]);
});

Deno.test("Engine: a poison message is dead-lettered alone, the rest of its batch arrives", async () => {
  const sink = new CollectingSink((batch) => {
    for (let i = 0; i < batch.size; i++) {
      if ((batch.message(i).payload as { n: number }).n === 37) throw new SinkError("poison", { retryable: false });
    }
  });
  const outcome = await runToEnd({
    nodes: { in: { source: new ListSource(numbers(100), { batch: 100 }) }, out: { sink, from: ["in"] } },
  });
  assert.equal(outcome.counts.deadLettered, 1);
  assert.equal(sink.values.length, 99);
});

Deno.test("Engine: of a partial failure only the failed messages are tried again", async () => {
  let calls = 0;
  const sink = new CollectingSink((batch) => {
    if (++calls === 1) {
      throw new PartialWriteError("two failed", [3, 5].map((index) => ({ index, error: new SinkError("no") })));
    }
    if (calls === 2) assert.equal(batch.size, 2);
  });
  const outcome = await runToEnd({
    nodes: { in: { source: new ListSource(numbers(10)) }, out: { sink, from: [{ from: "in", retries: 1 }] } },
  });
  assert.equal(outcome.status, "completed");
  assert.deepEqual(sink.values, [{ n: 3 }, { n: 5 }]);
});

Deno.test("Engine: an order key keeps its messages in order while another key passes", async () => {
  const log: string[] = [];
  let failures = 2;
  const sink = new CollectingSink((batch) => {
    const keys = Array.from({ length: batch.size }, (_, i) => (batch.message(i).payload as { k: string }).k);
    if (keys.includes("a") && failures-- > 0) throw new SinkError("a waits");
    for (let i = 0; i < batch.size; i++) {
      const { k, n } = batch.message(i).payload as { k: string; n: number };
      log.push(`${k}${n}`);
    }
  });
  const values = [{ k: "a", n: 1 }, { k: "b", n: 1 }, { k: "a", n: 2 }, { k: "b", n: 2 }];
  await runToEnd({
    nodes: {
      in: { source: new ListSource(values, { batch: 4 }) },
      out: {
        sink,
        maxBatch: 1,
        from: [{ from: "in", retries: 5 }],
        orderKey: (scope) => (scope.payload as { k: string }).k,
      },
    },
  });
  assert.deepEqual(log.filter((one) => one.startsWith("a")), ["a1", "a2"]);
  assert.deepEqual(log.filter((one) => one.startsWith("b")), ["b1", "b2"]);
  assert.ok(log.indexOf("b2") < log.indexOf("a1"), `b passes while a is retried: ${log}`);
});

Deno.test("Engine: a message that cannot be decoded is a dead letter of class decode with its bytes", async () => {
  const store = await openMemoryStore();
  const source = new ListSource([]);
  source.run = async (emit) => {
    const bytes = new TextEncoder().encode("{not json");
    await emit({ bytes, ends: Uint32Array.of(bytes.length), gap: 0, firstSrcSeq: 1 });
  };
  const plan = planFixture({ nodes: { in: { source }, out: { sink: new CollectingSink(), from: ["in"] } } });
  const outcome = await new Engine(plan, store, fast).run(new AbortController().signal);
  const [letter] = await store.readDeadLetters({ limit: 10 });
  await store.close();
  assert.equal(outcome.status, "partial");
  assert.equal(letter?.class, "decode");
  assert.equal(new TextDecoder().decode(letter?.bytes), "{not json");
});

Deno.test("Engine: a batch larger than max_in_flight is refused with both numbers", async () => {
  const source = new ListSource(numbers(11), { batch: 11 });
  const outcome = await runToEnd({
    maxInFlight: 10,
    nodes: { in: { source }, out: { sink: new CollectingSink(), from: ["in"] } },
  });
  assert.equal(outcome.status, "failed");
  assert.match(outcome.failure?.message ?? "", /11.*10/);
});

Deno.test("Engine: a stop drains what is in flight and the outcome is interrupted", async () => {
  const sink = new CollectingSink();
  const stop = new AbortController();
  const store = await openMemoryStore();
  const source = new ListSource(numbers(50), { stays: true });
  const engine = new Engine(planFixture({ nodes: { in: { source }, out: { sink, from: ["in"] } } }), store, fast);
  const running = engine.run(stop.signal);
  await until(() => engine.counts().messagesIn >= 50);
  stop.abort();
  const outcome = await running;
  await store.close();
  assert.equal(outcome.status, "interrupted");
  assert.equal(sink.values.length, 50);
  assert.equal(outcome.counts.checkpoint, 50);
});

Deno.test("Engine: a sink that hangs past the drain leaves its messages uncommitted", async () => {
  const stop = new AbortController();
  const store = await openMemoryStore();
  const sink = new CollectingSink((_, signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
  );
  const plan = planFixture({
    drainTimeoutMs: 20,
    nodes: { in: { source: new ListSource(numbers(5)) }, out: { sink, from: ["in"] } },
  });
  const engine = new Engine(plan, store, fast);
  const running = engine.run(stop.signal);
  await until(() => engine.counts().messagesIn >= 5);
  stop.abort();
  const outcome = await running;
  await store.close();
  assert.equal(outcome.status, "interrupted");
  assert.equal(outcome.counts.committed, 0);
  assert.equal(outcome.counts.checkpoint, 0);
});

Deno.test("Engine: a source that fails ends the engine as failed and names the source", async () => {
  const source = new ListSource([]);
  source.run = () => Promise.reject(new EventboatError("io", "no such file"));
  const outcome = await runToEnd({ nodes: { in: { source }, out: { sink: new CollectingSink(), from: ["in"] } } });
  assert.equal(outcome.status, "failed");
  assert.equal(outcome.failure?.code, "source_failed");
  assert.equal(outcome.failure?.node, "in");
});

Deno.test("Engine: a transform whose clone fails is fatal before a message moves", async () => {
  const transform = {
    ...transformOf((message) => message),
    clone: () => {
      throw new Error("cannot be cloned");
    },
  };
  const outcome = await runToEnd({
    nodes: {
      in: { source: new ListSource(numbers(1)) },
      t: { transform, workers: 2, from: ["in"] },
      out: { sink: new CollectingSink(), from: ["t"] },
    },
  });
  assert.equal(outcome.status, "failed");
  assert.equal(outcome.failure?.code, "node_failed");
});

Deno.test("Engine: a written batch goes when its time is over, by the clock it was given", async () => {
  const clock = new HeldClock();
  const sink = new CollectingSink();
  const stop = new AbortController();
  const store = await openMemoryStore();
  const source = new ListSource(numbers(3), { stays: true });
  const plan = planFixture({
    nodes: { in: { source }, out: { sink, batch: { size: 100, timeoutMs: 5_000 }, from: ["in"] } },
  });
  const engine = new Engine(plan, store, { clock });
  const running = engine.run(stop.signal);
  await until(() => engine.counts().nodes["in"]?.out === 3);
  assert.equal(sink.values.length, 0);
  await clock.advance(5_000);
  await until(() => sink.values.length >= 3);
  stop.abort();
  await running;
  await store.close();
  assert.deepEqual(sink.batches, [3]);
});

Deno.test("Engine: a write that lasts longer than slowCallWarnMs is told once, by the clock it was given", async () => {
  const clock = new HeldClock();
  const warned: string[] = [];
  const log = { log: (level: string, message: string) => void (level === "warn" && warned.push(message)) };
  let finish = () => {};
  const sink = new CollectingSink(() => new Promise((resolve) => void (finish = resolve)));
  const store = await openMemoryStore();
  const plan = planFixture({ nodes: { in: { source: new ListSource(numbers(1)) }, out: { sink, from: ["in"] } } });
  const engine = new Engine(plan, store, { clock, log });
  const running = engine.run(new AbortController().signal);
  await until(() => engine.counts().nodes["out"]?.in === 1);
  await clock.advance(5_000);
  finish();
  await running;
  await store.close();
  assert.deepEqual(warned, ["a write takes longer than 5000 ms"]);
});

Deno.test("Engine: what is in flight and behind the frontier stands in gauges, the appends in a histogram", async () => {
  const meter = new InstrumentRegistry();
  await runToEnd({
    nodes: { in: { source: new ListSource(numbers(30)) }, out: { sink: new CollectingSink(), from: ["in"] } },
  }, { meter });
  const names = new Set(meter.snapshot().map(({ name }) => name));
  for (const name of ["in_flight_messages", "frontier_lag", "spool_append_seconds"]) assert.ok(names.has(name), name);
});
