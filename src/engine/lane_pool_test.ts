import assert from "node:assert/strict";
import type { Message } from "../message/mod.ts";
import { type PluginContext, type Transform, TransformError, type TransformResult } from "../plugin/mod.ts";
import { type DeadLetter, openMemoryStore } from "../store/mod.ts";
import { InstrumentRegistry } from "../telemetry/mod.ts";
import { InlineLanes, type InlineLanesOptions } from "../../tests/suites/inline_lanes.ts";
import { planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource, transformOf } from "../../tests/suites/plugin_fixtures.ts";
import { Engine, type EngineOptions, type Outcome } from "./mod.ts";

interface Result {
  readonly outcome: Outcome;
  readonly letters: readonly DeadLetter[];
  readonly lanes: InlineLanes;
  /** What came out, sorted: lanes keep no order. */
  readonly values: readonly string[];
  readonly messages: readonly Message[];
}

interface Case {
  readonly transform: Transform | ((context: PluginContext) => Transform);
  /** Applied before, in the engine's isolate. */
  readonly before?: Transform;
  readonly values?: readonly unknown[];
  readonly lanes?: InlineLanesOptions;
  readonly retries?: number;
  readonly timeoutMs?: number;
  readonly workers?: number;
  readonly options?: Partial<EngineOptions>;
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const n = (message: Message) => (message.payload as { n: number }).n;
const sorted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).sort();

async function run(given: Case): Promise<Result> {
  const store = await openMemoryStore();
  const limit = new AbortController();
  // A pipeline that is stuck is stopped, so that a failing test ends.
  const timer = setTimeout(() => limit.abort(), 10_000);
  const sink = new CollectingSink();
  const { retries = 0, timeoutMs, workers = 2 } = given;
  const plan = planFixture({
    drainTimeoutMs: 10,
    nodes: {
      in: { source: new ListSource(given.values ?? numbers(300), { batch: 150 }) },
      before: { transform: given.before ?? transformOf((message) => message), from: ["in"] },
      t: {
        transform: given.transform,
        from: [{ from: "before", retries, ...(timeoutMs === undefined ? {} : { timeoutMs }) }],
        workers,
        lanes: true,
      },
      out: { sink, from: ["t"] },
    },
  });
  const lanes = new InlineLanes(plan, given.lanes);
  try {
    const engine = new Engine(plan, store, { backoffBaseMs: 1, deadLetterRetryMs: 1, lanes, ...given.options });
    const outcome = await engine.run(limit.signal);
    const letters = await store.readDeadLetters({ limit: 1000 });
    return { outcome, letters, lanes, values: sorted(sink.values), messages: sink.messages };
  } finally {
    clearTimeout(timer);
    await store.close();
  }
}

/** Filters, passes, changes, multiplies and fails, by the message's number. */
function everyKind(message: Message): TransformResult {
  switch (n(message) % 6) {
    case 0:
      return message;
    case 1:
      return undefined;
    case 2:
      return message.derive({ payload: { ...(message.payload as object), changed: true } });
    case 3:
      return message.derive({ meta: { ...message.meta, n: n(message) } });
    case 4:
      return [0, 1, 2].map((part) => message.derive({ payload: { n: n(message), part }, branch: String(part) }));
    default:
      throw new TransformError("steps", `too much for ${n(message)}`, { retryable: false, backtrace: "script:1:1" });
  }
}

const look = (messages: readonly Message[]) =>
  sorted(messages.map(({ seq, id, payload, meta, branch, payloadChanged }) => ({
    seq,
    payload,
    branch,
    payloadChanged,
    n: meta["n"],
    isOwn: id === meta["message_id"],
  })));

Deno.test("LanePool: whatever a transform gives comes out as if it ran in the engine's isolate", async () => {
  const inLanes = await run({ transform: transformOf(everyKind) });
  const here = await run({ transform: transformOf(everyKind), workers: 1 });
  assert.equal(inLanes.lanes.opened, 2);
  assert.equal(here.lanes.opened, 0);
  assert.deepEqual(look(inLanes.messages), look(here.messages));
  assert.equal(inLanes.outcome.counts.filtered, here.outcome.counts.filtered);
  const told = ({ letters }: Result) =>
    letters.map(({ seq, class: kind, reason, backtrace }) => ({ seq, kind, reason, backtrace }))
      .sort((a, b) => a.seq - b.seq);
  assert.deepEqual(told(inLanes), told(here));
  assert.equal(told(here).length, 50);
  assert.equal(inLanes.lanes.closed, 2);
});

Deno.test("LanePool: lanes that can decode nothing give the same", async () => {
  const inLanes = await run({ transform: transformOf(everyKind), lanes: { withoutCodecs: true } });
  const here = await run({ transform: transformOf(everyKind), workers: 1 });
  assert.deepEqual(look(inLanes.messages), look(here.messages));
});

const isPoison = (text: string) => /"n":(?:7|8|222)\}/.test(text);

for (const retries of [0, 2]) {
  Deno.test(`LanePool: of messages that kill their lane each is one dead letter, others pass, retries ${retries}`, async () => {
    const { outcome, letters, lanes, values } = await run({
      transform: transformOf((message) => message),
      lanes: { fate: (text) => isPoison(text) ? "dies" : undefined },
      retries,
    });
    assert.equal(outcome.status, "partial");
    assert.deepEqual(values, sorted(numbers(300).filter((each) => ![7, 8, 222].includes(each.n))));
    const found = letters.map(({ seq, class: kind, attempts }) => [seq, kind, attempts]);
    found.sort((a, b) => Number(a[0]) - Number(b[0]));
    assert.deepEqual(found, [8, 9, 223].map((seq) => [seq, "other", retries + 1]));
    assert.ok(letters.every(({ reason }) => reason.includes("the test killed it")));
    assert.ok(lanes.opened > 2);
  });
}

Deno.test("LanePool: a message its lane gets stuck in is a dead letter of kind timeout, others pass", async () => {
  const { letters, lanes, values } = await run({
    transform: transformOf((message) => message),
    lanes: { fate: (text) => text.includes('"n":99}') ? "sticks" : undefined },
    timeoutMs: 1,
  });
  assert.deepEqual(values, sorted(numbers(300).filter((each) => each.n !== 99)));
  assert.deepEqual(letters.map(({ seq, class: kind }) => [seq, kind]), [[100, "timeout"]]);
  assert.equal(lanes.abandoned, 1);
});

Deno.test("LanePool: a lane's own limit on a call that waits is a timeout of that message alone", async () => {
  const { letters, lanes, values } = await run({
    transform: transformOf((message) => n(message) === 5 ? new Promise<Message>(() => {}) : message),
    timeoutMs: 20,
  });
  assert.deepEqual(letters.map(({ seq, class: kind }) => [seq, kind]), [[6, "timeout"]]);
  assert.equal(values.length, 299);
  assert.equal(lanes.abandoned, 0);
});

Deno.test("LanePool: many messages that kill lanes, in every batch of four lanes, are dead letters and no more", async () => {
  const { outcome, letters, values } = await run({
    transform: transformOf((message) => message),
    lanes: { fate: (text) => /"n":\d*5\}/.test(text) ? "dies" : undefined },
    workers: 4,
  });
  assert.equal(outcome.status, "partial");
  assert.equal(letters.length, 30);
  assert.deepEqual(values, sorted(numbers(300).filter((each) => each.n % 10 !== 5)));
});

Deno.test("LanePool: lanes that die of every message end the engine, and what is not told stays uncommitted", async () => {
  const { outcome, letters } = await run({
    transform: transformOf((message) => message),
    lanes: { fate: () => "dies" },
  });
  assert.deepEqual([outcome.status, outcome.failure?.code, outcome.failure?.node], ["failed", "node_failed", "t"]);
  assert.ok(letters.length < 100);
  assert.ok(outcome.counts.committed <= letters.length);
});

Deno.test("LanePool: lanes that cannot be opened again end the engine, and name the node", async () => {
  const { outcome } = await run({
    transform: transformOf((message) => message),
    lanes: {
      fate: () => "dies",
      onOpen: (number) => {
        if (number > 2) throw new Error("there are no more");
      },
    },
  });
  assert.deepEqual([outcome.status, outcome.failure?.code, outcome.failure?.node], ["failed", "node_failed", "t"]);
  assert.match(outcome.failure?.message ?? "", /there are no more/);
});

Deno.test("LanePool: a transform that cannot be initialised in a lane keeps the engine from starting", async () => {
  const transform = { ...transformOf((message) => message), init: () => Promise.reject(new Error("no licence")) };
  const { outcome } = await run({ transform });
  assert.deepEqual([outcome.status, outcome.failure?.node], ["failed", "t"]);
  assert.match(outcome.failure?.message ?? "", /no licence/);
});

for (const [where, place] of [["leave a lane", "transform"], ["enter one", "before"]] as const) {
  Deno.test(`LanePool: a payload that is no data cannot ${where}, which is a failure of its message alone`, async () => {
    const odd = transformOf((message) => n(message) === 3 ? message.derive({ payload: () => {} }) : message);
    const { letters, values } = await run({ transform: transformOf((message) => message), [place]: odd, retries: 3 });
    assert.deepEqual(letters.map(({ seq, class: kind, attempts }) => [seq, kind, attempts]), [[4, "other", 1]]);
    assert.equal(values.length, 299);
  });
}

Deno.test("LanePool: what a transform counts in its lanes is counted by the engine", async () => {
  const meter = new InstrumentRegistry();
  await run({
    transform: ({ meter }) => {
      const seen = meter.counter("source_lines_read_total");
      return transformOf((message) => (seen.add(2), message));
    },
    options: { meter },
    values: numbers(10),
  });
  const found = meter.snapshot().find(({ name }) => name === "source_lines_read_total");
  assert.deepEqual(found?.series, [{ labels: { pipeline: "fixture", node: "t" }, value: 20 }]);
});
