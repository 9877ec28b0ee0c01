import assert from "node:assert/strict";
import { type Clock, slept, systemClock } from "./clock.ts";
import { HeldClock } from "./held_clock.ts";

Deno.test("slept: true when the time has passed, false when the signal aborts before or has already", async () => {
  const clock = new HeldClock();
  const stop = new AbortController();
  const whole = slept(clock, 10, stop.signal);
  const broken = slept(clock, 20, stop.signal);
  await clock.advance(10);
  stop.abort();
  assert.deepEqual([await whole, await broken], [true, false]);
  assert.equal(await slept(clock, 10, stop.signal), false);
  assert.equal(clock.sleeping, 0);
});

Deno.test("slept: a clock that fails by itself is heard", async () => {
  const broken: Clock = { ...systemClock, sleep: () => Promise.reject(new RangeError("no time")) };
  await assert.rejects(slept(broken, 1, new AbortController().signal), RangeError);
});

Deno.test("systemClock: a sleep ends when its signal aborts, and leaves no timer", async () => {
  const stop = new AbortController();
  const sleeping = systemClock.sleep(60_000, stop.signal);
  stop.abort(new Error("enough"));
  await assert.rejects(sleeping, { message: "enough" });
  await assert.rejects(systemClock.sleep(1, stop.signal), { message: "enough" });
  const beforeMs = systemClock.monotonic();
  await systemClock.sleep(0);
  assert.ok(systemClock.monotonic() >= beforeMs);
});
