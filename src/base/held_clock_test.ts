import assert from "node:assert/strict";
import { HeldClock } from "./held_clock.ts";

Deno.test("HeldClock.advance: wakes sleepers in the order of their time, each at its own", async () => {
  const clock = new HeldClock(1000);
  const woken: string[] = [];
  const sleeper = async (name: string, ms: number) => {
    await clock.sleep(ms);
    woken.push(`${name}@${clock.now()}`);
  };
  const all = Promise.all([sleeper("c", 30), sleeper("a", 10), sleeper("b", 10)]);
  await clock.advance(10);
  assert.deepEqual(woken, ["a@1010", "b@1010"]);
  await clock.advance(100);
  assert.deepEqual(woken, ["a@1010", "b@1010", "c@1030"]);
  assert.equal(clock.now(), 1110);
  assert.equal(clock.monotonic(), 110);
  await all;
});

Deno.test("HeldClock.advance: one that sleeps again within the span is woken again within it", async () => {
  const clock = new HeldClock(0);
  const ticks: number[] = [];
  const ticking = (async () => {
    for (let i = 0; i < 3; i++) {
      await clock.sleep(100);
      ticks.push(clock.now());
    }
  })();
  await clock.advance(300);
  assert.deepEqual(ticks, [100, 200, 300]);
  await ticking;
});

Deno.test("HeldClock.sleep: an aborted sleeper leaves with the reason and is not woken", async () => {
  const clock = new HeldClock();
  const controller = new AbortController();
  const sleeping = clock.sleep(10, controller.signal);
  controller.abort("why");
  await assert.rejects(sleeping, (reason) => reason === "why");
  assert.equal(clock.sleeping, 0);
  await assert.rejects(clock.sleep(10, controller.signal), (reason) => reason === "why");
});

Deno.test("HeldClock.untilSleeping: resolves when somebody waits for time", async () => {
  const clock = new HeldClock();
  const watching = clock.untilSleeping(2);
  const sleeping = Promise.all([clock.sleep(5), clock.sleep(7)]);
  await watching;
  assert.equal(clock.nextWakeMs, 5);
  await clock.advance(7);
  await sleeping;
  assert.equal(clock.nextWakeMs, undefined);
});

Deno.test("HeldClock.wakeNext: time goes on to the next sleeper, and stands where nobody sleeps", async () => {
  const clock = new HeldClock(0);
  const said: string[] = [];
  const late = clock.sleep(20).then(() => said.push("late"));
  const early = clock.sleep(5).then(() => said.push("early"));
  clock.wakeNext();
  await early;
  assert.deepEqual([clock.now(), said], [5, ["early"]]);
  clock.wakeNext();
  await late;
  clock.wakeNext();
  assert.deepEqual([clock.now(), said], [20, ["early", "late"]]);
});
