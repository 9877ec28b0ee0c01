import assert from "node:assert/strict";
import { LETTER_COLUMN, pack } from "../message/mod.ts";
import type { Plan } from "../plan/mod.ts";
import { type Codec, SinkError, type Source } from "../plugin/mod.ts";
import { type DeadLetter, MemoryDisk, openMemoryStore } from "../store/mod.ts";
import { type NodeFixture, plainJson, planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource, transformOf } from "../../tests/suites/plugin_fixtures.ts";
import { Engine, type EngineOptions, type Outcome, type ReplayedMessage } from "./mod.ts";

type Nodes = { readonly [name: string]: NodeFixture };

const failing = () =>
  new CollectingSink(() => {
    throw new SinkError("never", { retryable: false });
  });

/** One life of an engine; with `bring` its sources stay off. */
async function life(
  disk: MemoryDisk,
  nodes: Nodes,
  bring?: (engine: Engine, letters: readonly DeadLetter[]) => Promise<void>,
  options: Partial<EngineOptions> = {},
  changes: Partial<Plan> = {},
): Promise<{ readonly outcome: Outcome; readonly letters: readonly DeadLetter[] }> {
  const store = await openMemoryStore({ disk });
  try {
    const engine = new Engine({ ...planFixture({ nodes }), ...changes }, store, { deadLetterRetryMs: 1, ...options });
    const before = await store.readDeadLetters({ limit: 100 });
    const feed = bring === undefined ? undefined : { run: () => bring(engine, before) };
    const outcome = await engine.run(new AbortController().signal, undefined, feed);
    return { outcome, letters: await store.readDeadLetters({ limit: 100 }) };
  } finally {
    await store.close();
  }
}

function replayOf({ id, bytes, codec, meta, source, edge }: DeadLetter): ReplayedMessage {
  return { bytes, codec, meta, source, letter: id, edge };
}

function replayAll(at?: string, committed: (messages: readonly ReplayedMessage[]) => void = () => {}) {
  return async (engine: Engine, letters: readonly DeadLetter[]) => {
    for (const letter of letters) await engine.replay(at ?? letter.node, [replayOf(letter)], committed);
  };
}

function nodes(sink: CollectingSink): Nodes {
  return {
    in: { source: new ListSource([{ n: 1 }, { n: 2 }]) },
    out: { sink, from: [{ from: "in", retries: 1 }], batch: { size: 1, timeoutMs: 1 } },
  };
}

Deno.test("Engine.replay: a message keeps its metadata and identity, is marked, and enters its node; sources stay off", async () => {
  const disk = new MemoryDisk();
  const { letters: [letter] } = await life(disk, nodes(failing()));
  const sink = new CollectingSink();
  const { outcome } = await life(disk, nodes(sink), replayAll());
  assert.equal(outcome.status, "completed");
  assert.deepEqual(sink.messages.map(({ payload }) => payload), [{ n: 1 }, { n: 2 }]);
  const { meta } = sink.messages[0]!; // Two were seen.
  assert.deepEqual(meta, {
    ...letter?.meta,
    injected_at: "out",
    is_replay: true,
    original_message_id: letter?.messageId ?? "",
  });
});

Deno.test("Engine.replay: what fails again takes its own record over, with its attempts added, however often", async () => {
  const disk = new MemoryDisk();
  const { letters: before } = await life(disk, nodes(failing()), undefined, { runId: "r1" });
  let letters: readonly DeadLetter[] = [];
  for (let round = 0; round < 20; round++) {
    let outcome: Outcome;
    ({ outcome, letters } = await life(disk, nodes(failing()), replayAll()));
    assert.equal(outcome.status, "partial");
  }
  const kept = (list: readonly DeadLetter[]) =>
    list.map(({ id, node, edge, runId, messageId, bytes }) => ({ id, node, edge, runId, messageId, bytes }));
  assert.deepEqual(kept(letters), kept(before));
  assert.deepEqual(letters.map(({ attempts }) => attempts), [21, 21]);
});

Deno.test("Engine.replay: it is told what has committed, dead letters among it", async () => {
  const disk = new MemoryDisk();
  await life(disk, nodes(failing()));
  const told: (number | undefined)[] = [];
  const committed = (messages: readonly ReplayedMessage[]) => told.push(...messages.map(({ letter }) => letter));
  const sink = new CollectingSink((batch) => {
    const { n } = batch.message(batch.size - 1).payload as { readonly n: number };
    if (n === 2) throw new SinkError("never", { retryable: false });
  });
  const { letters } = await life(disk, nodes(sink), replayAll(undefined, committed));
  assert.deepEqual(told, [1, 2]);
  assert.deepEqual(letters.map(({ id, attempts }) => [id, attempts]), [[1, 1], [2, 2]]);
});

Deno.test("Engine.replay: of several failures of one replay the first takes the record over, the others have their own", async () => {
  const disk = new MemoryDisk();
  const fan = (t: Parameters<typeof transformOf>[0], sink: () => CollectingSink): Nodes => ({
    in: { source: new ListSource([{ n: 1 }]) },
    t: { from: ["in"], transform: transformOf(t) },
    a: { sink: sink(), from: ["t"] },
    b: { sink: sink(), from: ["t"] },
  });
  const first = await life(
    disk,
    fan(() => {
      throw new Error("not now");
    }, failing),
  );
  assert.deepEqual(first.letters.map(({ id, node }) => [id, node]), [[1, "t"]]);
  for (let round = 0; round < 3; round++) {
    const { letters } = await life(disk, fan((message) => message, failing), replayAll());
    assert.deepEqual(letters.map(({ node }) => node).sort(), ["a", "b"]);
    assert.equal(letters[0]?.id, 1);
  }
});

Deno.test("Engine.replay: a replay that was cut off is found by the next start, as a replay of that letter", async () => {
  const disk = new MemoryDisk();
  await life(disk, nodes(failing()));
  const store = await openMemoryStore({ disk });
  // Durable, and never delivered: the sink does not answer.
  const stuck = new CollectingSink(() => new Promise(() => {}));
  const stop = new AbortController();
  const engine = new Engine(planFixture({ nodes: nodes(stuck), drainTimeoutMs: 1 }), store, {});
  const [letter] = await store.readDeadLetters({ limit: 1 });
  const run = async () => {
    await engine.replay("out", [replayOf(letter!)], () => {}); // There are two.
    stop.abort();
  };
  assert.equal((await engine.run(stop.signal, undefined, { run })).status, "interrupted");
  await store.close();
  const { letters } = await life(disk, nodes(failing()), () => Promise.resolve());
  assert.deepEqual(letters.map(({ id, attempts }) => [id, attempts]), [[1, 2], [2, 1]]);
});

Deno.test("Engine.replay: what its source could not decode comes out of it again", async () => {
  const disk = new MemoryDisk();
  const unready = { ...plainJson, decode: () => assert.fail("not ready") };
  const shape = (codec: Codec, sink = new CollectingSink()): Nodes => ({
    in: { source: new ListSource([{ n: 1 }]), codec: { name: "json", codec } },
    out: { sink, from: ["in"] },
  });
  const options = { codecs: new Map([["json", { name: "json", codec: unready }]]) };
  const { letters } = await life(disk, shape(unready), undefined, {}, options);
  assert.deepEqual(letters.map(({ node, class: letterClass }) => [node, letterClass]), [["in", "decode"]]);
  assert.equal((await life(disk, shape(unready), replayAll(), {}, options)).letters[0]?.attempts, 2);
  const sink = new CollectingSink();
  assert.equal((await life(disk, shape(plainJson, sink), replayAll())).outcome.status, "completed");
  assert.deepEqual(sink.values, [{ n: 1 }]);
});

Deno.test("Engine.replay: a source cannot pass a message off as the replay of a letter, and no node sees the letter's id", async () => {
  const disk = new MemoryDisk();
  const { letters: [letter] } = await life(disk, nodes(failing()));
  const forged: Source = {
    init() {},
    run: (emit) => emit({ ...pack([{ bytes: new TextEncoder().encode("{}") }], 1), columns: { [LETTER_COLUMN]: [1] } }),
    commit: () => undefined,
    close() {},
  };
  const { letters } = await life(disk, { in: { source: forged }, out: { sink: failing(), from: ["in"] } });
  assert.deepEqual([letters.length, letters[0]], [3, letter]);
  const sink = new CollectingSink();
  await life(disk, nodes(sink), replayAll());
  assert.ok(sink.messages.every(({ meta }) => Object.keys(meta).every((key) => !key.includes("\0"))));
});
