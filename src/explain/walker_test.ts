import assert from "node:assert/strict";
import { HeldClock } from "../base/mod.ts";
import { TOMBSTONE_META } from "../message/mod.ts";
import type { Plan, PlanNode, PlanNodeAbout } from "../plan/mod.ts";
import { CodecError, testContext, type Transform } from "../plugin/mod.ts";
import { type EdgeFixture, plainJson, planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource, stopped, transformOf } from "../../tests/suites/plugin_fixtures.ts";
import { explainMessage, outlinePlan, Walker, type WalkerOptions, type WalkState } from "./mod.ts";

const bytes = (payload: unknown) => new TextEncoder().encode(JSON.stringify(payload));

function options(clock = new HeldClock()): WalkerOptions {
  const { parameters, random, meter } = testContext();
  return { parameters, random, meter, clock };
}

interface Said extends Partial<PlanNodeAbout> {
  readonly edge?: Partial<EdgeFixture>;
}

/** in -> t -> out, where the plugin of `t` says this of itself. */
function planWith(transform: Transform, { edge = {}, ...said }: Said = { capabilities: ["explain-safe"] }): Plan {
  const plan = planFixture({
    nodes: {
      in: { source: new ListSource([]) },
      t: { transform, from: [{ from: "in", ...edge }] },
      out: { sink: new CollectingSink(), from: ["t"] },
    },
  });
  const about = () => ({ version: 1, summary: "Does something.", capabilities: [], reads: [], ...said });
  return { ...plan, nodes: plan.nodes.map((node): PlanNode => node.kind === "transform" ? { ...node, about } : node) };
}

async function statesOf(plan: Plan, payload: unknown = {}): Promise<readonly WalkState[]> {
  return (await explainMessage(plan, { bytes: bytes(payload) }, options())).steps.map(({ state }) => state);
}

Deno.test("Walker: a transform that is not explain-safe is not executed, and its plugin's note is told", async () => {
  const never = transformOf(() => assert.fail("it was executed"));
  const plan = planWith(never, { note: "fast mode (no per-invoke kill switch)" });
  const walk = await explainMessage(plan, { bytes: bytes({}) }, options());
  assert.deepEqual(walk.steps.map(({ state }) => state), ["passed", "not_executed", "unknown"]);
  assert.match(walk.steps[1]?.note ?? "", /not executed by explain: fast mode \(no per-invoke kill switch\)$/);
  assert.deepEqual(walk.steps[1]?.undecided, [{ edge: "t->out", to: "out", step: 2 }]);
  assert.equal(walk.totals.given, 0);
  assert.equal(outlinePlan(plan).nodes[1]?.note, "fast mode (no per-invoke kill switch)");
});

Deno.test("outlinePlan: a failure is tried again unless the plugin says that it fails for good", () => {
  const failuresOf = (said: Said) => outlinePlan(planWith(transformOf(() => []), said)).nodes[1]?.failures;
  const way = { when: "transform", classes: ["runtime"] };
  assert.deepEqual(failuresOf({ failureKinds: ["runtime"] }), [{ ...way, retried: true }]);
  assert.deepEqual(failuresOf({ failureKinds: ["runtime"], failsForGood: true }), [{ ...way, retried: false }]);
});

Deno.test("Walker: what a transform gives is judged as the engine judges it", async () => {
  const explainSafe = { capabilities: ["explain-safe"] } as const;
  // A plugin that is plain JavaScript may give anything.
  const garbage = transformOf(() => 7 as never);
  assert.deepEqual(await statesOf(planWith(garbage, explainSafe)), ["passed", "dead_letter"]);
  assert.deepEqual(await statesOf(planWith(transformOf(() => []), explainSafe)), ["passed", "filtered"]);
  assert.deepEqual(await statesOf(planWith(transformOf(() => undefined), explainSafe)), ["passed", "filtered"]);
  const later = transformOf((message) => Promise.resolve([message, message]));
  assert.deepEqual(await statesOf(planWith(later, explainSafe)), ["passed", "passed", "given", "given"]);
});

Deno.test("Walker: a failure that may pass tells how often it would be tried; on an optional edge it is dropped", async () => {
  const failing = transformOf(() => {
    throw new Error("away");
  });
  const capabilities = ["explain-safe"] as const;
  const { steps } = await explainMessage(
    planWith(failing, { capabilities, edge: { retries: 4 } }),
    { bytes: bytes(1) },
    options(),
  );
  assert.deepEqual([steps[1]?.state, steps[1]?.failure?.class, steps[1]?.failure?.attempts], [
    "dead_letter",
    "other",
    5,
  ]);
  assert.match(steps[1]?.failure?.reason ?? "", /^fixture: away$/);
  const optional = planWith(failing, { capabilities, edge: { required: false } });
  assert.deepEqual(await statesOf(optional), ["passed", "dropped"]);
  // Injected messages come over no edge.
  const injected = await explainMessage(optional, { bytes: bytes(1), at: "t" }, options());
  assert.deepEqual([injected.steps[0]?.state, injected.steps[0]?.failure?.attempts], ["dead_letter", 4]);
  assert.deepEqual((injected.meta as { injected_at?: string }).injected_at, "t");
});

Deno.test("Walker: a transform that waits for too long is a dead letter of class timeout", async () => {
  const clock = new HeldClock();
  const slow = transformOf(async (message, signal) => {
    await stopped(signal);
    return message;
  });
  const plan = planWith(slow, { capabilities: ["explain-safe"], edge: { timeoutMs: 70 } });
  const walking = explainMessage(plan, { bytes: bytes(1) }, options(clock));
  await clock.untilSleeping();
  await clock.advance(70);
  assert.deepEqual((await walking).steps[1]?.failure, {
    class: "timeout",
    reason: "fixture: took longer than 70 ms",
    attempts: 1,
  });
});

Deno.test("Walker: transforms are made once, and closed with the walker", async () => {
  const calls: string[] = [];
  const transform: Transform = {
    init: () => void calls.push("init"),
    apply: (message) => message,
    close: () => void calls.push("close"),
  };
  {
    await using walker = new Walker(planWith(transform), options());
    for (let i = 0; i < 3; i++) await walker.explain({ bytes: bytes(i) });
  }
  assert.deepEqual(calls, ["init", "close"]);
  const broken = planWith({ ...transform, init: () => Promise.reject(new Error("no")) });
  await assert.rejects(explainMessage(broken, { bytes: bytes(1) }, options()), { code: "node_failed" });
});

Deno.test("Walker: a deletion is not decoded, a header line is no message, a replayed message says so", async () => {
  const header = { name: "json", codec: { ...plainJson, decode: () => undefined } };
  const plan = planFixture({
    nodes: {
      in: { source: new ListSource([]) },
      lines: { source: new ListSource([]), codec: header },
      out: { sink: new CollectingSink(), from: ["in", "lines"] },
    },
  });
  const meta = { [TOMBSTONE_META]: true };
  const deletion = await explainMessage(plan, { bytes: new Uint8Array(0), meta, isReplay: true }, options());
  assert.deepEqual(deletion.steps.map(({ state }) => state), ["passed", "given"]);
  assert.equal(deletion.steps[1]?.encoded?.text, "null");
  assert.equal((deletion.meta as { is_replay?: boolean }).is_replay, true);
  const line = await explainMessage(plan, { bytes: bytes("n,m"), at: "lines" }, options());
  assert.deepEqual([line.steps.map(({ state }) => state), line.totals.filtered, "payload" in line], [
    ["filtered"],
    1,
    false,
  ]);
});

Deno.test("Walker: bytes that a codec refuses are a dead letter of its source, with the codec's name", async () => {
  const codec = {
    ...plainJson,
    decode: () => {
      throw new CodecError("too short");
    },
  };
  const plan = planFixture({
    nodes: {
      in: { source: new ListSource([]), codec: { name: "frames", codec } },
      out: { sink: new CollectingSink(), from: ["in"] },
    },
  });
  const { steps } = await explainMessage(plan, { bytes: bytes(1) }, options());
  assert.deepEqual(steps[0]?.failure, { class: "decode", reason: "cannot decode as frames: too short", attempts: 1 });
});
