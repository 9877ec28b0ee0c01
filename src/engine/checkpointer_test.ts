import assert from "node:assert/strict";
import { HeldClock } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { Store } from "../store/mod.ts";
import { planFixture } from "../../tests/suites/plan_fixture.ts";
import { Checkpointer, type CheckpointerCore } from "./checkpointer.ts";
import { resolveEngineOptions } from "./options.ts";

/** A checkpointer over a store that answers when the test says so. */
function heldCheckpointer(spoolRetention = 100, deadLetterRetentionMs?: number, checkpoint = 0) {
  const clock = new HeldClock();
  const asked: number[] = [];
  const trims: number[] = [];
  const sweeps: number[] = [];
  const failures: EventboatError[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const logged: string[] = [];
  const log = { log: (_: string, message: string) => void logged.push(message) };
  const store: Partial<Store> = {
    start: { checkpoint, lastSeq: 0, nextSeq: 1, sourceStates: new Map() },
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
    options: resolveEngineOptions({ clock, spoolRetention, log }),
    fail: (error) => failures.push(error),
  };
  return {
    checkpointer: new Checkpointer(core, { save: () => Promise.resolve() }),
    clock,
    asked,
    answers,
    trims,
    sweeps,
    failures,
    logged,
  };
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

Deno.test("Checkpointer: trims also where every life is shorter than the retention", async () => {
  const trimmed: number[] = [];
  for (let checkpoint = 0; checkpoint < 400; checkpoint += 40) {
    const { checkpointer, answers, trims, sweeps } = heldCheckpointer(100, 1_000, checkpoint);
    checkpointer.advance(checkpoint + 40);
    checkpointer.ride();
    answers[0]?.resolve();
    await checkpointer.flush();
    await checkpointer.stop();
    trimmed.push(...trims);
    assert.ok(sweeps.length <= 1);
  }
  assert.deepEqual(trimmed, [20, 100, 220, 300]);
});

Deno.test("Checkpointer: without retention every checkpoint trims up to itself", async () => {
  const { checkpointer, answers, trims } = heldCheckpointer(0);
  for (const frontier of [1, 2]) {
    checkpointer.advance(frontier);
    checkpointer.ride();
    answers.at(-1)?.resolve();
    await checkpointer.flush();
  }
  assert.deepEqual(trims, [1, 2]);
  await checkpointer.stop();
});

Deno.test("Checkpointer: while its writes fail it tries twice a second at most, and says so once", async () => {
  const { checkpointer, clock, asked, answers, logged } = heldCheckpointer();
  checkpointer.advance(5);
  for (let ms = 0; ms < 10_000; ms += 100) {
    await clock.advance(100);
    answers.forEach((answer) => answer.reject(new EventboatError("store_full", "full")));
    await turns();
  }
  assert.ok(asked.length > 10 && asked.length <= 21, `asked ${asked.length} times`);
  assert.equal(logged.length, 1);
  await clock.advance(1_000);
  answers.at(-1)?.resolve();
  await checkpointer.flush();
  await checkpointer.stop();
});
