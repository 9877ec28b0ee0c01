import assert from "node:assert/strict";
import { EventboatError } from "../diagnostics/mod.ts";
import type { Source } from "../plugin/mod.ts";
import type { Store } from "../store/mod.ts";
import { ListSource } from "../../tests/suites/plugin_fixtures.ts";
import { resolveEngineOptions } from "./options.ts";
import { SourceCommitter } from "./source_committer.ts";

const turns = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

/** A committer over a store that keeps states, and the order in which things were asked. */
function trialCommitter(source: Source, setSourceState?: Store["setSourceState"]) {
  const order: string[] = [];
  const states: number[] = [];
  const failures: EventboatError[] = [];
  const store: Partial<Store> = {
    setSourceState: setSourceState ?? ((_, srcSeq) => (order.push("state"), states.push(srcSeq), Promise.resolve())),
  };
  // The committer asks for nothing else of its store.
  const core = {
    store: store as Store,
    options: resolveEngineOptions({ durability: "power" }),
    fail: (error: EventboatError) => void failures.push(error),
  };
  const syncSinks = () => (order.push("sync"), Promise.resolve());
  return { committer: new SourceCommitter(core, "in", source, syncSinks), order, states, failures };
}

Deno.test("SourceCommitter: syncs the sinks before a state is made durable, and coalesces to the highest", async () => {
  const source = new ListSource([]);
  const { committer, order, states } = trialCommitter(source);
  committer.start();
  committer.advance(3);
  committer.advance(2);
  committer.advance(9);
  await turns();
  await committer.flush(new AbortController().signal);
  assert.deepEqual(order.slice(0, 2), ["sync", "state"]);
  assert.equal(states.at(-1), 9);
  assert.equal(source.commits.at(-1), 9);
});

Deno.test("SourceCommitter: a failed commit is tried again with the next advance, and flushed at the end", async () => {
  const source = new ListSource([]);
  let failures = 2;
  const commit = source.commit.bind(source);
  source.commit = (through) => {
    if (failures-- > 0) throw new Error("not now");
    return commit(through);
  };
  const { committer, states } = trialCommitter(source);
  committer.start();
  committer.advance(1);
  await turns();
  committer.advance(2);
  await turns();
  assert.deepEqual(states, []);
  await committer.flush(new AbortController().signal);
  assert.deepEqual(states, [2]);
});

Deno.test("SourceCommitter: a state whose write is unknown ends the engine", async () => {
  const unknown = () => Promise.reject(new EventboatError("store_unknown", "who knows"));
  const { committer, failures } = trialCommitter(new ListSource([]), unknown);
  committer.start();
  committer.advance(1);
  await turns();
  await committer.flush(new AbortController().signal);
  assert.equal(failures[0]?.code, "store_unknown");
});

for (const garbage of ["text", 7, {}, [1]]) {
  Deno.test(`SourceCommitter: a state that is ${JSON.stringify(garbage)} is not written`, async () => {
    const source = new ListSource([]);
    source.commit = () => garbage as unknown as Uint8Array;
    const { committer, states } = trialCommitter(source);
    committer.start();
    committer.advance(1);
    await turns();
    await committer.flush(new AbortController().signal);
    assert.deepEqual(states, []);
  });
}

Deno.test("SourceCommitter: null is no state, as undefined is", async () => {
  const source = new ListSource([]);
  source.commit = () => null as unknown as Uint8Array;
  const { committer, order } = trialCommitter(source);
  committer.start();
  committer.advance(1);
  await turns();
  await committer.flush(new AbortController().signal);
  assert.deepEqual(order, ["sync"]);
});
