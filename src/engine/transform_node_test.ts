import assert from "node:assert/strict";
import type { Message } from "../message/mod.ts";
import { SinkError, type Transform, TransformError, type TransformResult } from "../plugin/mod.ts";
import { type DeadLetter, openMemoryStore } from "../store/mod.ts";
import { type NodeFixture, planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource, transformOf } from "../../tests/suites/plugin_fixtures.ts";
import { Engine, type EngineOptions, type Outcome } from "./mod.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const n = (message: Message) => (message.payload as { n: number }).n;

interface Result {
  readonly outcome: Outcome;
  readonly letters: readonly DeadLetter[];
}

async function runNodes(
  nodes: { readonly [name: string]: NodeFixture },
  options: Partial<EngineOptions> = {},
): Promise<Result> {
  const store = await openMemoryStore();
  const limit = new AbortController();
  // A pipeline that is stuck is stopped, so that a failing test ends.
  const timer = setTimeout(() => limit.abort(), 5_000);
  try {
    const engine = new Engine(planFixture({ drainTimeoutMs: 10, nodes }), store, {
      backoffBaseMs: 1,
      deadLetterRetryMs: 1,
      ...options,
    });
    const outcome = await engine.run(limit.signal);
    return { outcome, letters: await store.readDeadLetters({ limit: 1000 }) };
  } finally {
    clearTimeout(timer);
    await store.close();
  }
}

function through(transform: Transform, count = 5) {
  const sink = new CollectingSink();
  const nodes = {
    in: { source: new ListSource(numbers(count)) },
    t: { transform, from: [{ from: "in", retries: 1 }] },
    out: { sink, from: ["t"] },
  };
  return { sink, nodes };
}

const kept: Message[] = [];

for (
  const [what, garbage] of Object.entries<(message: Message) => unknown>({
    "null": () => null,
    "a number": () => 7,
    "text": () => "text",
    "a plain object": () => ({ payload: 1 }),
    "an error it should have thrown": () => new TransformError("runtime", "returned"),
    "a list with a hole": (message) => [message, undefined],
    "another message than it was given": (message) => (kept.push(message), kept[0]),
    "a list with another message": (message) => (kept.push(message), [message, kept[0]]),
    "a promise of garbage": () => Promise.resolve(null),
  })
) {
  Deno.test(`TransformWorker: a transform that gives ${what} fails for that message, the others pass`, async () => {
    kept.length = 0;
    const { sink, nodes } = through(transformOf((message) => {
      if (n(message) === 0) kept.push(message);
      return n(message) === 3 ? garbage(message) as TransformResult : message;
    }));
    const { outcome, letters } = await runNodes(nodes);
    assert.equal(outcome.status, "partial");
    assert.deepEqual(sink.values, [0, 1, 2, 4].map((each) => ({ n: each })));
    assert.deepEqual(letters.map((letter) => [letter.seq, letter.class]), [[4, "other"]]);
  });
}

Deno.test("TransformWorker: waits for a promise of any make", async () => {
  const thenable = (message: Message) => ({
    then: (resolve: (result: Message) => void) => void setTimeout(() => resolve(message), 1),
  });
  const { sink, nodes } = through(
    transformOf((message) => thenable(message) as unknown as Promise<Message>), // What another library may give.
  );
  const { outcome } = await runNodes(nodes);
  assert.equal(outcome.status, "completed");
  assert.deepEqual(sink.values, numbers(5));
});

Deno.test("TransformWorker: whatever is thrown is a failure of that message", async () => {
  const thrown = [null, undefined, "text", Object.assign(new Error("x"), { message: 7 }), new RangeError("r")];
  const { nodes } = through(transformOf((message) => {
    throw thrown[n(message)];
  }));
  const { outcome, letters } = await runNodes(nodes);
  assert.equal(outcome.status, "partial");
  assert.deepEqual(letters.map((letter) => letter.class), ["other", "other", "other", "other", "other"]);
});

Deno.test("TransformWorker: a failure whose kind or backtrace is none is written all the same", async () => {
  const { nodes } = through(
    transformOf(() => {
      const odd = { backtrace: () => "a function" } as unknown as { backtrace: string };
      throw new TransformError("nonsense" as "other", "odd", odd);
    }),
    1,
  );
  const { outcome, letters } = await runNodes(nodes);
  assert.equal(outcome.status, "partial");
  assert.deepEqual(letters.map((letter) => [letter.class, letter.backtrace]), [["other", undefined]]);
});

Deno.test("TransformWorker: a call past its time is a failure of kind timeout, its late result is ignored", async () => {
  const late: (() => void)[] = [];
  const sink = new CollectingSink();
  const nodes = {
    in: { source: new ListSource(numbers(3)) },
    t: {
      from: [{ from: "in", timeoutMs: 20 }],
      transform: transformOf((message) =>
        n(message) === 1 ? new Promise<Message>((resolve) => void late.push(() => resolve(message))) : message
      ),
    },
    out: {
      sink,
      from: ["t"],
    },
  };
  // The last message is behind the one whose time is over.
  sink.onWrite = (batch) => {
    if (n(batch.message(batch.size - 1)) === 2) late.forEach((resolve) => resolve());
  };
  const { outcome, letters } = await runNodes(nodes);
  assert.equal(outcome.counts.committed, 3);
  assert.deepEqual(letters.map((letter) => [letter.seq, letter.class]), [[2, "timeout"]]);
  assert.deepEqual(sink.values, [{ n: 0 }, { n: 2 }]);
});

Deno.test("TransformWorker: outputs of many are handed over before more are made, a thousand or so at once", async () => {
  const outputsEach = 3_000;
  let [made, madeMax, arrived] = [0, 0, 0];
  const sink = new CollectingSink((batch) => {
    arrived += batch.size;
  });
  const nodes = {
    in: { source: new ListSource(numbers(40), { batch: 40 }) },
    spread: {
      from: ["in"],
      transform: transformOf((message) => {
        made += outputsEach;
        madeMax = Math.max(madeMax, made - arrived);
        return Array.from({ length: outputsEach }, () => message.derive({ payload: { n: 1 } }));
      }),
    },
    pass: { from: ["spread"], transform: transformOf((message) => message) },
    out: { sink, from: ["pass"] },
  };
  const { outcome } = await runNodes(nodes);
  assert.equal(outcome.status, "completed");
  assert.equal(outcome.counts.committed, 40);
  assert.equal(sink.values.length, 40 * outputsEach);
  assert.ok(madeMax <= 5 * outputsEach, `${madeMax} were made and had not arrived`);
});

Deno.test("TransformWorker: a call that awaits is told when its time is over", async () => {
  const told: unknown[] = [];
  const hang = (message: Message, signal: AbortSignal) =>
    new Promise<Message>((resolve) => {
      if (n(message) === 0) return resolve(message);
      signal.addEventListener("abort", () => told.push(signal.reason?.name), { once: true });
    });
  await runNodes({
    in: { source: new ListSource(numbers(2)) },
    t: { transform: transformOf(hang), from: [{ from: "in", timeoutMs: 10 }] },
    out: { sink: new CollectingSink(), from: ["t"] },
  });
  assert.deepEqual(told, ["TimeoutError"]);
});

Deno.test("TransformWorker: tries are counted beyond 65535", async () => {
  let tries = 0;
  const { nodes } = through(
    transformOf(() => {
      tries++;
      throw new TransformError("runtime", "no");
    }),
    1,
  );
  const { letters } = await runNodes(
    { ...nodes, t: { ...nodes.t, from: [{ from: "in", retries: 66_000 }] } },
    { clock: instantClock(), backoffBaseMs: 1 },
  );
  assert.deepEqual([tries, letters[0]?.attempts], [66_001, 66_001]);
});

Deno.test("TransformWorker: a failure that a retry cannot help is not tried again", async () => {
  let tries = 0;
  const { nodes } = through(
    transformOf(() => {
      tries++;
      throw new TransformError("runtime", "no", { retryable: false });
    }),
    1,
  );
  const { letters } = await runNodes(nodes);
  assert.deepEqual([tries, letters[0]?.attempts], [1, 1]);
});

Deno.test("TransformWorker: where paths join again, each path's dead letter stands beside the other's", async () => {
  const mark = (path: string) => transformOf((message) => message.derive({ payload: { n: n(message), path } }));
  const sink = new CollectingSink(() => {
    throw new SinkError("never", { retryable: false });
  });
  const { letters } = await runNodes({
    in: { source: new ListSource(numbers(2)) },
    left: { transform: mark("left"), from: ["in"] },
    right: { transform: mark("right"), from: ["in"] },
    join: { transform: transformOf((message) => message), from: ["left", "right"] },
    out: { sink, from: ["join"] },
  });
  const paths = letters.map((letter) => JSON.parse(new TextDecoder().decode(letter.bytes)).path);
  assert.deepEqual(paths.sort(), ["left", "left", "right", "right"]);
});

Deno.test("TransformWorker: outputs that a transform calls the same are told apart", async () => {
  const sink = new CollectingSink(() => {
    throw new SinkError("never", { retryable: false });
  });
  const twins = transformOf((message) => ["x", "y"].map((v) => message.derive({ payload: { v }, branch: "same" })));
  const { letters } = await runNodes({
    in: { source: new ListSource(numbers(1)) },
    t: { transform: twins, from: ["in"] },
    out: { sink, from: ["t"] },
  });
  assert.equal(letters.length, 2);
});

/** A clock whose sleeps take no time. */
function instantClock(): EngineOptions["clock"] {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) =>
      ms > 100
        ? new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))
        : Promise.resolve(),
  };
}
