import assert from "node:assert/strict";
import type { Meta } from "../message/mod.ts";
import { type Codec, SinkError } from "../plugin/mod.ts";
import { type DeadLetter, type Fault, FaultyBackend, hostStore, MemoryBackend } from "../store/mod.ts";
import { type NodeFixture, plainJson, planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource, transformOf } from "../../tests/suites/plugin_fixtures.ts";
import { Engine, type Outcome } from "./mod.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
const poison = () =>
  new CollectingSink(() => {
    throw new SinkError("never", { retryable: false });
  });

async function run(
  nodes: { readonly [name: string]: NodeFixture },
  faults: readonly Fault[] = [],
): Promise<{ readonly outcome: Outcome; readonly letters: readonly DeadLetter[] }> {
  const store = await hostStore(new FaultyBackend(new MemoryBackend(), faults));
  const limit = new AbortController();
  // A pipeline that is stuck is stopped, so that a failing test ends.
  const timer = setTimeout(() => limit.abort(), 30_000);
  try {
    const engine = new Engine(planFixture({ drainTimeoutMs: 10, nodes }), store, { deadLetterRetryMs: 1 });
    const outcome = await engine.run(limit.signal);
    return { outcome, letters: await store.readDeadLetters({ limit: 10_000 }) };
  } finally {
    clearTimeout(timer);
    await store.close();
  }
}

function changing(change: { readonly payload?: unknown; readonly meta?: unknown }, codec?: Codec) {
  return {
    in: { source: new ListSource(numbers(2)), ...(codec === undefined ? {} : { codec: { name: "json", codec } }) },
    t: {
      from: ["in"],
      transform: transformOf((message) =>
        message.derive({
          ...("payload" in change ? { payload: change.payload } : {}),
          ...("meta" in change ? { meta: change.meta as Meta } : {}),
        })
      ),
    },
    out: { sink: poison(), from: ["t"] },
  };
}

Deno.test("DeadLetterOffice: a member of meta that cannot be written is left out and named, and the letter is written", async () => {
  const cyclic: Record<string, unknown> = { mine: 1 };
  cyclic["self"] = cyclic;
  const { outcome, letters } = await run(changing({ meta: cyclic }));
  assert.equal(outcome.status, "partial");
  assert.deepEqual(letters.map(({ seq, meta }) => [seq, meta["mine"], typeof meta["self"]]), [
    [1, 1, "string"],
    [2, 1, "string"],
  ]);
});

Deno.test("DeadLetterOffice: a payload that no codec can say is kept as it arrived, once", async () => {
  const { outcome, letters } = await run(changing({ payload: undefined }));
  assert.equal(outcome.status, "partial");
  assert.deepEqual(letters.map(({ bytes, original }) => [text(bytes), original]), [
    ['{"n":0}', undefined],
    ['{"n":1}', undefined],
  ]);
});

Deno.test("DeadLetterOffice: a changed message is kept as its node received it, beside what was spooled", async () => {
  const { letters } = await run(changing({ payload: { changed: true } }));
  assert.deepEqual([text(letters[0]?.bytes), text(letters[0]?.original)], ['{"changed":true}', '{"n":0}']);
});

Deno.test("DeadLetterOffice: more failures than one write holds are all written", async () => {
  const { outcome, letters } = await run({
    in: { source: new ListSource(numbers(1_203), { batch: 1_203 }) },
    out: { sink: poison(), from: ["in"], maxBatch: 2_000 },
  });
  assert.equal(outcome.counts.committed, 1_203);
  assert.deepEqual(letters.map(({ seq }) => seq).sort((a, b) => a - b), Array.from({ length: 1_203 }, (_, i) => i + 1));
});

Deno.test("DeadLetterOffice: a write that fails is repeated, and nothing is committed before it succeeds", async () => {
  const faults: Fault[] = [{ operation: "writeDeadLetters", nth: 1, times: 5, kind: "full" }];
  const { outcome, letters } = await run({
    in: { source: new ListSource(numbers(3)) },
    out: { sink: poison(), from: ["in"] },
  }, faults);
  assert.equal(outcome.counts.deadLetterWriteFailures, 5);
  assert.equal(letters.length, 3);
  assert.equal(outcome.counts.checkpoint, 3);
});

Deno.test("DeadLetterOffice: a write whose end is unknown ends the engine with its messages uncommitted", async () => {
  const faults: Fault[] = [{ operation: "writeDeadLetters", nth: 1, kind: "unknown_lost" }];
  const { outcome } = await run({
    in: { source: new ListSource(numbers(3)) },
    out: { sink: poison(), from: ["in"] },
  }, faults);
  assert.deepEqual([outcome.status, outcome.failure?.code], ["failed", "store_unknown"]);
  assert.equal(outcome.counts.committed, 0);
});

Deno.test("DeadLetterOffice: a codec that gives no bytes is not believed", async () => {
  const odd: Codec = { decode: plainJson.decode, encode: () => "text" as unknown as Uint8Array<ArrayBuffer> };
  const nodes = changing({ payload: { changed: true } }, odd);
  const store = await hostStore(new MemoryBackend());
  const plan = { ...planFixture({ nodes }), codecs: new Map([["json", { name: "json", codec: odd }]]) };
  const outcome = await new Engine(plan, store, {}).run(new AbortController().signal);
  const letters = await store.readDeadLetters({ limit: 10 });
  await store.close();
  assert.equal(outcome.status, "partial");
  assert.equal(text(letters[0]?.bytes), '{"n":0}');
});

Deno.test("DeadLetterOffice: a reason without end is cut, and says by how much", async () => {
  const sink = new CollectingSink(() => {
    throw new SinkError("x".repeat(100_000), { retryable: false });
  });
  const { letters } = await run({ in: { source: new ListSource(numbers(1)) }, out: { sink, from: ["in"] } });
  assert.match(letters[0]?.reason ?? "", /^x{4096}\.\.\. \(95904 more characters\)$/);
});
