import assert from "node:assert/strict";
import { EventboatError } from "../diagnostics/mod.ts";
import { SinkError } from "../plugin/mod.ts";
import { hostStore, MemoryBackend } from "../store/mod.ts";
import { type NodeFixture, planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource, transformOf } from "../../tests/suites/plugin_fixtures.ts";
import { InstrumentRegistry } from "../telemetry/mod.ts";
import { Engine } from "./mod.ts";

/** Runs the nodes on three values; gives the outcome and the dead letters' branches by edge. */
async function run(nodes: { readonly [name: string]: NodeFixture }) {
  const store = await hostStore(new MemoryBackend());
  try {
    const { counts } = await new Engine(planFixture({ nodes }), store).run(new AbortController().signal);
    const letters = await store.readDeadLetters({ limit: 100 });
    return { counts, letters: letters.map(({ seq, edge, branch }) => [seq, edge, branch]) };
  } finally {
    await store.close();
  }
}

const source = () => new ListSource([{ n: 0 }, { n: 1 }, { n: 2 }]);
const pass = (from: string[]) => ({ transform: transformOf((message) => message), from });
const poison = () =>
  new CollectingSink(() => {
    throw new SinkError("never", { retryable: false });
  });

Deno.test("Router: a message that takes two edges to one node fails there twice, with a dead letter each", async () => {
  const { counts, letters } = await run({
    in: { source: source() },
    out: { sink: poison(), from: [{ from: "in", when: () => true }, { from: "in", when: () => true }] },
  });
  assert.equal(counts.deadLettered, 6);
  assert.equal(letters.length, 6);
});

Deno.test("Router: copies that part and meet again keep dead letters of their own behind that node", async () => {
  const { counts, letters } = await run({
    in: { source: source() },
    left: pass(["in"]),
    right: pass(["in"]),
    joined: pass(["left", "right"]),
    out: { sink: poison(), from: ["joined"] },
  });
  assert.equal(counts.deadLettered, 6);
  assert.equal(new Set(letters.map(String)).size, 6);
  assert.equal(counts.checkpoint, 3);
});

Deno.test("Router: copies that never meet again share the message as it is", async () => {
  const [a, b] = [new CollectingSink(), new CollectingSink()];
  await run({ in: { source: source() }, a: { sink: a, from: ["in"] }, b: { sink: b, from: ["in"] } });
  assert.equal(a.messages[0], b.messages[0]);
});

Deno.test("Router: a condition that fails is not met, and is counted under its edge and its language", async () => {
  const meter = new InstrumentRegistry();
  const store = await hostStore(new MemoryBackend());
  const when = () => {
    throw new EventboatError("expression", "no");
  };
  const out = new CollectingSink();
  const nodes: { readonly [name: string]: NodeFixture } = {
    in: { source: source() },
    a: { sink: out, from: [{ from: "in", when, lang: "cesql" }] },
    b: { sink: out, from: [{ from: "in", when }] },
  };
  const { counts } = await new Engine(planFixture({ nodes }), store, { meter }).run(new AbortController().signal);
  await store.close();
  assert.equal(counts.conditionErrors, 6);
  assert.equal(out.messages.length, 0);
  const found = meter.snapshot().find(({ name }) => name === "cel_eval_errors_total");
  assert.deepEqual(found?.series.map(({ labels, value }) => [labels["edge"], labels["lang"], value]), [
    ["in->a", "cesql", 3],
    ["in->b", "cel", 3],
  ]);
});
