import assert from "node:assert/strict";
import { OneAtATime } from "./one_at_a_time.ts";

Deno.test("OneAtATime: work waits for what was asked before, also where that failed", async () => {
  const turns = new OneAtATime();
  const held = Promise.withResolvers<void>();
  const said: string[] = [];
  const first = turns.run(undefined, () => held.promise);
  const second = turns.run(undefined, () => Promise.resolve(void said.push("second")));
  await Promise.resolve();
  assert.deepEqual(said, []);
  held.reject(new RangeError("first"));
  await assert.rejects(first, RangeError);
  await second;
  assert.deepEqual(said, ["second"]);
});

Deno.test("OneAtATime: who gives up is not run, and those behind wait on", async () => {
  const turns = new OneAtATime();
  const held = Promise.withResolvers<void>();
  const giveUp = new AbortController();
  const said: string[] = [];
  const first = turns.run(undefined, () => held.promise);
  const second = turns.run(giveUp.signal, () => Promise.resolve(void said.push("second")));
  const third = turns.run(undefined, () => Promise.resolve(void said.push("third")));
  giveUp.abort(new RangeError("late"));
  await assert.rejects(second, RangeError);
  assert.deepEqual(said, []);
  held.resolve();
  await Promise.all([first, third]);
  assert.deepEqual(said, ["third"]);
});
