import assert from "node:assert/strict";
import { HeldClock } from "../../../base/mod.ts";
import { EventboatError } from "../../../diagnostics/mod.ts";
import { CollectingEmit } from "../../../plugin/mod.ts";
import { FrugalLog, type LogFields } from "../../../telemetry/mod.ts";
import { Intake } from "./intake.ts";
import type { RequestMeta } from "./request_meta.ts";

const WAIT_MS = 1000;
const META: RequestMeta = {
  http_method: "POST",
  content_type: undefined,
  remote_address: "::1",
  traceparent: undefined,
};
const bytes = (text: string) => new TextEncoder().encode(text);

/** Passes some turns of the event loop. */
async function turns(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 0));
}

function bench(messagesMax = 100) {
  const clock = new HeldClock();
  const collected = new CollectingEmit();
  const told: LogFields[] = [];
  const log = new FrugalLog({ log: (_level, _message, fields) => void told.push(fields ?? {}) }, clock);
  const intake = new Intake({ emit: collected.emit, messagesMax, meta: {}, clock, waitMs: WAIT_MS, log });
  return { clock, collected, told, intake };
}

Deno.test("Intake: what waits too long is refused and never emitted; what is under way is late, and becomes durable", async () => {
  const { clock, collected, intake, told } = bench();
  collected.hold();
  const first = intake.takeWhole(bytes("first"), META);
  await collected.untilHeld(1);
  const second = intake.takeWhole(bytes("second"), META);
  await turns();
  await clock.advance(WAIT_MS - 1);
  const third = intake.takeWhole(bytes("third"), META);
  await clock.advance(1);
  assert.deepEqual([await first, await second], ["late", "busy"]);
  collected.release();
  assert.equal(await third, "accepted");
  assert.deepEqual(collected.texts, ["first", "third"]);
  assert.ok(told.length > 0 && told.every(({ reason }) => reason === "its messages were not durable in time"));
  await intake.close();
});

Deno.test("Intake: room that a request had which waited too long is free again", async () => {
  const { clock, collected, intake, told } = bench();
  collected.hold();
  const half = new Uint8Array(33 * 1024 * 1024);
  // As many as may be under way at once.
  const underWay = Array.from({ length: 4 }, () => intake.takeWhole(new Uint8Array(4 * 1024 * 1024), META));
  await collected.untilHeld(4);
  const waiting = intake.takeWhole(half, META);
  assert.equal(await intake.takeWhole(half, META), "busy");
  await clock.advance(WAIT_MS);
  assert.deepEqual([...await Promise.all(underWay), await waiting], ["late", "late", "late", "late", "busy"]);
  const third = intake.takeWhole(half, META);
  collected.release();
  assert.equal(await third, "accepted");
  assert.ok(told.some(({ reason }) => reason === "too much waits already"));
  await intake.close();
});

Deno.test("Intake: of a request in several parts a late one makes the request late", async () => {
  const { clock, collected, intake } = bench(1);
  collected.hold();
  const verdict = intake.takeMany(bytes("a\nb"), Uint32Array.of(0, 1, 2, 3), META);
  await collected.untilHeld(2);
  await clock.advance(WAIT_MS);
  assert.equal(await verdict, "late");
  collected.release();
  await intake.close();
});

Deno.test("Intake: refusals are told, a few at once and then seldom; a full disk and an end are told by others", async () => {
  const { collected, intake, told } = bench();
  const refuse = async (error: EventboatError) => {
    collected.refuse(error);
    return await intake.takeWhole(bytes("x"), META);
  };
  const full = new EventboatError("refused", "no", { cause: new EventboatError("store_full", "full") });
  assert.equal(await refuse(full), "disk_full");
  assert.equal(await refuse(new EventboatError("shutdown", "the engine stops")), "busy");
  assert.deepEqual(told, []);
  for (let i = 0; i < 50; i++) assert.equal(await refuse(new EventboatError("refused", "the store says no")), "busy");
  assert.equal(told.length, 3);
  assert.match(String(told[0]?.["error"]), /the store says no/);
  await intake.close();
});
