/** Cases of acknowledgements that are late, lost or premature. */

import assert from "node:assert/strict";
import { HeldClock } from "../../src/base/mod.ts";
import { Engine } from "../../src/engine/mod.ts";
import { single } from "../../src/message/mod.ts";
import type { Emit, Source } from "../../src/plugin/mod.ts";
import { MemoryDisk, openMemoryStore } from "../../src/store/mod.ts";
import { planFixture } from "../suites/plan_fixture.ts";
import { CollectingSink, ListSource, stopped } from "../suites/plugin_fixtures.ts";
import { until } from "../suites/until.ts";

const encoder = new TextEncoder();
const never = new AbortController().signal;

/** Emits its second message only when it was told that the first is committed; the first telling fails. */
class AskingSource implements Source {
  readonly told: number[] = [];
  readonly #first = Promise.withResolvers<void>();
  #dropped = false;

  init(): void {}

  async run(emit: Emit): Promise<void> {
    await emit(single({ bytes: encoder.encode("1") }, 1));
    await this.#first.promise;
    await emit(single({ bytes: encoder.encode("2") }, 2));
  }

  commit(throughSrcSeq: number): undefined {
    if (!this.#dropped) {
      this.#dropped = true;
      throw new Error("the peer did not hear it");
    }
    this.told.push(throughSrcSeq);
    this.#first.resolve();
  }

  close(): void {}
}

Deno.test("case D13: a source that waits for its ack gets it although the first one was lost", async () => {
  const clock = new HeldClock();
  const source = new AskingSource();
  const sink = new CollectingSink();
  const plan = planFixture({ nodes: { in: { source }, out: { sink, from: ["in"] } } });
  await using store = await disposable(openMemoryStore());
  const running = new Engine(plan, store.value, { clock }).run(never);
  let ended = false;
  running.then(() => ended = true);
  // The clock is moved for as long as anything waits for it: a lost ack that nobody repeats would leave this turning.
  for (let i = 0; i < 200 && !ended; i++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    await clock.advance(50);
  }
  assert.ok(ended, "the source still waits");
  assert.equal((await running).status, "completed");
  assert.deepEqual(sink.values, [1, 2]);
  assert.deepEqual([source.told[0], source.told.at(-1)], [1, 2]);
});

Deno.test("case D14: what a sink did not take is neither in the checkpoint nor in the source's state", async () => {
  const disk = new MemoryDisk();
  const values = [[0, 1], [2, 3], [4, 5]];
  const seen: unknown[] = [];
  const first = new CollectingSink((batch, signal) => {
    const value = batch.message(0).payload;
    // The second batch is never answered; those around it arrive.
    return Number(value) === 2 ? stopped(signal) : undefined;
  });
  const source = () => new ListSource(values.flat(), { batch: 2 });
  const plan = (sink: CollectingSink) =>
    planFixture({
      nodes: { in: { source: source() }, out: { sink, from: ["in"], maxBatch: 2, orderKey: () => "one" } },
      drainTimeoutMs: 20,
    });
  const stop = new AbortController();
  {
    await using store = await disposable(openMemoryStore({ disk }));
    const running = new Engine(plan(first), store.value).run(stop.signal);
    await until(() => first.values.length >= 2);
    stop.abort();
    assert.equal((await running).status, "interrupted");
  }
  assert.equal(disk.checkpoint, 2);
  assert.ok(Number(new TextDecoder().decode(disk.states.get("in"))) <= 2);
  const second = new CollectingSink();
  await using store = await disposable(openMemoryStore({ disk }));
  const { status } = await new Engine(plan(second), store.value).run(never);
  assert.equal(status, "completed");
  seen.push(...first.values, ...second.values);
  for (const value of values.flat()) assert.ok(seen.includes(value), `${value} is lost`);
  assert.ok(second.values.includes(2) && !second.values.includes(0));
});

/** A store that is closed with its scope. */
async function disposable<T extends { close(): Promise<void> }>(opening: Promise<T>) {
  const value = await opening;
  return { value, [Symbol.asyncDispose]: () => value.close() };
}
