import assert from "node:assert/strict";
import { planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource } from "../../tests/suites/plugin_fixtures.ts";
import { openMemoryStore } from "../store/mod.ts";
import { Engine } from "./engine.ts";
import { SpentBuffers } from "./spent_buffers.ts";

const LARGE = 64 * 1024;

Deno.test("SpentBuffers: a large payload with a buffer of its own is freed", () => {
  const payload = new Uint8Array(LARGE);
  new SpentBuffers().free(payload);
  assert.equal(payload.buffer.detached, true);
});

Deno.test("SpentBuffers: a payload that is part of a buffer, or a small one, is left alone", () => {
  const spent = new SpentBuffers();
  const shared = new Uint8Array(2 * LARGE);
  spent.free(shared.subarray(0, LARGE));
  assert.equal(shared.buffer.detached, false);
  const small = new Uint8Array(100);
  spent.free(small);
  assert.equal(small.buffer.detached, false);
});

Deno.test("SpentBuffers: nothing is freed once a plugin's call may still be reading", () => {
  const spent = new SpentBuffers();
  spent.keep();
  const payload = new Uint8Array(LARGE);
  spent.free(payload);
  assert.equal(payload.buffer.detached, false);
});

/** Runs one batch of large messages into a sink; gives a view of the first message as each write saw it. */
async function viewsAfterRun(write: (attempt: number) => void | Promise<void>): Promise<readonly Uint8Array[]> {
  const views: Uint8Array[] = [];
  const sink = new CollectingSink((batch) => {
    views.push(batch.message(0).raw);
    return write(views.length);
  });
  const text = "x".repeat(LARGE);
  const plan = planFixture({
    nodes: {
      in: { source: new ListSource([{ text }, { text }], { batch: 2 }) },
      out: { sink, from: [{ from: "in", retries: 1, timeoutMs: 1 }] },
    },
  });
  const store = await openMemoryStore();
  try {
    await new Engine(plan, store, { backoffBaseMs: 1 }).run(new AbortController().signal);
  } finally {
    await store.close();
  }
  return views;
}

Deno.test("Engine: a payload is freed when all of it has committed", async () => {
  const [view] = await viewsAfterRun(() => {});
  assert.equal(view?.byteLength, 0);
});

Deno.test("Engine: a write that was given up still reads what it was given, also after the next one has committed it", async () => {
  const [first] = await viewsAfterRun((attempt) => attempt === 1 ? new Promise(() => {}) : undefined);
  assert.equal(first?.byteLength, JSON.stringify({ text: "x".repeat(LARGE) }).length);
});
