import assert from "node:assert/strict";
import { HeldClock } from "../../../base/mod.ts";
import { ReturningCallers } from "./returning_callers.ts";

Deno.test("ReturningCallers: before anybody was answered nobody is waited for", () => {
  assert.equal(new ReturningCallers(new HeldClock()).mayCome(1), false);
});

Deno.test("ReturningCallers: those answered are waited for until all are there, those that waited included", () => {
  const returning = new ReturningCallers(new HeldClock());
  returning.answered(3, 2);
  assert.equal(returning.mayCome(2), true);
  assert.equal(returning.mayCome(4), true);
  assert.equal(returning.mayCome(5), false);
});

Deno.test("ReturningCallers: after sixteen turns, or two milliseconds, who has not come is waited for no longer", async () => {
  const clock = new HeldClock();
  const returning = new ReturningCallers(clock);
  returning.answered(3, 0);
  for (let turn = 0; turn < 16; turn++) assert.equal(returning.mayCome(1), true);
  assert.equal(returning.mayCome(1), false);
  returning.answered(3, 0);
  await clock.advance(2.5);
  assert.equal(returning.mayCome(1), false);
});
