import assert from "node:assert/strict";
import { HeldClock } from "../base/mod.ts";
import { FrugalLog } from "./frugal_log.ts";
import type { LogFields } from "./logger.ts";

Deno.test("FrugalLog: tells the first three of a kind, then one a minute with how many there were", async () => {
  const clock = new HeldClock();
  const told: LogFields[] = [];
  const log = new FrugalLog({ log: (_level, _message, fields) => void told.push(fields ?? {}) }, clock);
  const happen = (kind: string, times: number) => {
    for (let i = 0; i < times; i++) log.tell(kind, "warn", "it happened", { kind });
  };
  happen("a", 100);
  happen("b", 1);
  assert.deepEqual(told.map(({ kind }) => kind), ["a", "a", "a", "b"]);
  await clock.advance(60_000);
  happen("a", 5);
  assert.deepEqual(told.at(-1), { kind: "a", count: 98 });
  assert.equal(told.length, 5);
});

Deno.test("FrugalLog.over: says whether a kind was told, and begins anew with it", () => {
  const told: string[] = [];
  const log = new FrugalLog({ log: (_level, message) => void told.push(message) }, new HeldClock());
  for (let i = 0; i < 10; i++) log.tell("a", "warn", "down", {});
  assert.deepEqual([log.over("a"), log.over("a")], [true, false]);
  log.tell("a", "warn", "down again", {});
  assert.equal(told.at(-1), "down again");
});
