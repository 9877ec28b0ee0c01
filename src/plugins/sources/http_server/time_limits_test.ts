import assert from "node:assert/strict";
import { HeldClock } from "../../../base/mod.ts";
import { TimeLimits } from "./time_limits.ts";

Deno.test("TimeLimits: each expires when its own time is over, in the order they began", async () => {
  const clock = new HeldClock();
  const limits = new TimeLimits(1000, clock);
  const expired: string[] = [];
  limits.begin((reason) => expired.push(`a ${reason}`));
  await clock.advance(400);
  limits.begin((reason) => expired.push(`b ${reason}`));
  await clock.advance(600);
  assert.deepEqual(expired, ["a time"]);
  await clock.advance(399);
  assert.deepEqual(expired, ["a time"]);
  await clock.advance(1);
  assert.deepEqual(expired, ["a time", "b time"]);
  await limits.close();
});

Deno.test("TimeLimits: one that was ended does not expire, and those after it do", async () => {
  const clock = new HeldClock();
  const limits = new TimeLimits(1000, clock);
  const expired: string[] = [];
  const first = limits.begin(() => expired.push("first"));
  await clock.advance(500);
  limits.end(first);
  limits.begin(() => expired.push("second"));
  await clock.advance(1000);
  assert.deepEqual(expired, ["second"]);
  limits.begin(() => expired.push("third"));
  await clock.advance(1000);
  assert.deepEqual(expired, ["second", "third"]);
  await limits.close();
});

Deno.test("TimeLimits: many limits share one sleep", async () => {
  const clock = new HeldClock();
  const limits = new TimeLimits(1000, clock);
  for (let i = 0; i < 100; i++) limits.begin(() => {});
  assert.equal(clock.sleeping, 1);
  await limits.close();
});

Deno.test("TimeLimits.close: expires all that run and leaves no sleep behind", async () => {
  const clock = new HeldClock();
  const limits = new TimeLimits(1000, clock);
  const reasons: string[] = [];
  for (let i = 0; i < 3; i++) limits.begin((reason) => reasons.push(reason));
  await limits.close();
  assert.deepEqual(reasons, ["closing", "closing", "closing"]);
  assert.equal(clock.sleeping, 0);
});
