import assert from "node:assert/strict";
import { HeldClock } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { Store } from "../store/mod.ts";
import { planFixture } from "../../tests/suites/plan_fixture.ts";
import { Checkpointer, type CheckpointerCore } from "./checkpointer.ts";
import { resolveEngineOptions } from "./options.ts";

/** A checkpointer over a store that answers when the test says so. */
function heldCheckpointer(spoolRetention = 100, deadLetterRetentionMs?: number) {
  const clock = new HeldClock();
  const asked: number[] = [];
  const trims: number[] = [];
  const sweeps: number[] = [];
  const failures: EventboatError[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const store: Partial<Store> = {
    start: { checkpoint: 0, lastSeq: 0, nextSeq: 1, sourceStates: new Map() },
    setCheckpoint(seq) {
      asked.push(seq);
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      return answer.promise;
    },
    trim: (seq) => (trims.push(seq), Promise.resolve()),
    sweepDeadLetters: (beforeMs) => (sweeps.push(beforeMs), Promise.resolve(0)),
  };
  const core: CheckpointerCore = {
    plan: planFixture({ nodes: {}, ...(deadLetterRetentionMs === undefined ? {} : { deadLetterRetentionMs }) }),
    // The checkpointer asks for nothing else of its store.
    store: store as Store,
    options: resolveEngineOptions({ clock, spoolRetention }),
    fail: (error) => failures.push(error),
  };
  return { checkpointer: new Checkpointer(core), clock, asked, answers, trims, sweeps, failures };
}

const turns = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

Deno.test("Checkpointer: rides the next append, and goes alone when none comes", async () => {
  const { checkpointer, clock, asked, answers } = heldCheckpointer();
  checkpointer.advance(5);
  checkpointer.ride();
  assert.deepEqual(asked, [5]);
  checkpointer.advance(6);
  await clock.advance(20);
  await turns();
  await clock.advance(20);
  await turns();
  assert.deepEqual(asked, [5, 6]);
  for (const answer of answers) answer.resolve();
  await checkpointer.flush();
  assert.equal(checkpointer.durable, 6);
  await checkpointer.stop();
});

Deno.test("Checkpointer: a failed write is written again with the next one, and flush attempts it", async () => {
  const { checkpointer, asked, answers } = heldCheckpointer();
  checkpointer.advance(5);
  checkpointer.ride();
  answers[0]?.reject(new EventboatError("store_write", "no"));
  await turns();
  assert.equal(checkpointer.durable, 0);
  checkpointer.ride();
  assert.deepEqual(asked, [5, 5]);
  answers[1]?.resolve();
  await checkpointer.flush();
  assert.equal(checkpointer.durable, 5);
  await checkpointer.stop();
});

Deno.test("Checkpointer: trims behind the durable checkpoint, once per retention, and sweeps by the plan's age", async () => {
  const { checkpointer, clock, answers, trims, sweeps } = heldCheckpointer(100, 1_000);
  await clock.advance(5_000);
  for (const frontier of [50, 100, 150, 250]) {
    checkpointer.advance(frontier);
    checkpointer.ride();
    answers.at(-1)?.resolve();
    await checkpointer.flush();
  }
  assert.deepEqual(trims, [150]);
  assert.deepEqual(sweeps, [clock.now() - 1_000, clock.now() - 1_000]);
  await checkpointer.stop();
});

Deno.test("Checkpointer: an unknown write ends the engine", async () => {
  const { checkpointer, answers, failures } = heldCheckpointer();
  checkpointer.advance(5);
  checkpointer.ride();
  answers[0]?.reject(new EventboatError("store_unknown", "who knows"));
  await turns();
  assert.equal(failures[0]?.code, "store_unknown");
  await checkpointer.stop();
});
