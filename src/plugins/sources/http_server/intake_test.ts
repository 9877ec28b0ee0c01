import assert from "node:assert/strict";
import { systemClock } from "../../../base/mod.ts";
import { CollectingEmit } from "../../../plugin/mod.ts";
import { FrugalLog, silentLogger } from "../../../telemetry/mod.ts";
import { Intake } from "./intake.ts";
import type { RequestMeta } from "./request_meta.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function metaOf(method: string): RequestMeta {
  return { http_method: method, content_type: undefined, remote_address: "::1", traceparent: undefined };
}

/** With time enough, and nobody to tell. */
const PATIENT = { clock: systemClock, waitMs: 60_000, log: new FrugalLog(silentLogger, systemClock) };

/** Passes one turn of the event loop. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("Intake: what arrives in one turn is one emission, with shared meta once and the rest in columns", async () => {
  const collected = new CollectingEmit();
  const intake = new Intake({ emit: collected.emit, messagesMax: 100, meta: { http_path: "/" }, ...PATIENT });
  const verdicts = await Promise.all([
    intake.takeWhole(bytes("a"), metaOf("POST")),
    intake.takeMany(bytes("b\nc"), Uint32Array.of(0, 1, 2, 3), metaOf("PUT")),
    intake.takeWhole(bytes(""), metaOf("POST")),
  ]);
  assert.deepEqual(verdicts, ["accepted", "accepted", "accepted"]);
  assert.equal(collected.emissions.length, 1);
  assert.deepEqual(collected.texts, ["a", "b", "c", ""]);
  assert.deepEqual(collected.emissions[0]?.meta, { http_path: "/", remote_address: "::1" });
  assert.deepEqual(collected.emissions[0]?.columns, { http_method: ["POST", "PUT", "PUT", "POST"] });
  assert.deepEqual(collected.messages.map(({ srcSeq }) => srcSeq), [1, 2, 3, 4]);
  await intake.close();
});

Deno.test("Intake: while an emission is under way the rest gathers, and goes as one when it is durable", async () => {
  const collected = new CollectingEmit();
  const intake = new Intake({ emit: collected.emit, messagesMax: 100, meta: {}, ...PATIENT });
  collected.hold();
  const taken = [intake.takeWhole(bytes("0"), metaOf("POST"))];
  await collected.untilHeld(1);
  for (let i = 1; i < 24; i++) {
    taken.push(intake.takeWhole(bytes(String(i)), metaOf("POST")));
    if (i % 5 === 0) await turn();
  }
  await turn();
  assert.equal(collected.held, 1);
  collected.release();
  assert.deepEqual(new Set(await Promise.all(taken)), new Set(["accepted"]));
  assert.deepEqual(collected.emissions.map(({ ends }) => ends.length), [1, 23]);
  assert.deepEqual(collected.texts, Array.from({ length: 24 }, (_, i) => String(i)));
  await intake.close();
});

Deno.test("Intake: a full emission goes beside others, four at once", async () => {
  const collected = new CollectingEmit();
  const intake = new Intake({ emit: collected.emit, messagesMax: 2, meta: {}, ...PATIENT });
  collected.hold();
  const taken = Array.from({ length: 11 }, (_, i) => intake.takeWhole(bytes(String(i)), metaOf("POST")));
  await collected.untilHeld(4);
  await turn();
  assert.equal(collected.held, 4);
  collected.release();
  await Promise.all(taken);
  assert.deepEqual(collected.emissions.map(({ ends }) => ends.length), [2, 2, 2, 2, 2, 1]);
  await intake.close();
});

Deno.test("Intake: an emission holds no more messages and bytes than it may, but at least one request", async () => {
  const collected = new CollectingEmit();
  const intake = new Intake({ emit: collected.emit, messagesMax: 3, meta: {}, ...PATIENT });
  const large = new Uint8Array(3 * 1024 * 1024);
  const huge = new Uint8Array(5 * 1024 * 1024);
  const bodies = [bytes("1"), bytes("2"), bytes("3"), bytes("4"), large, large, huge, bytes("5")];
  await Promise.all(bodies.map((body) => intake.takeWhole(body, metaOf("POST"))));
  assert.deepEqual(collected.emissions.map(({ ends }) => ends.length), [3, 2, 1, 1, 1]);
  await intake.close();
});

Deno.test("Intake: when too many bytes wait, further requests are refused at once, and taken again later", async () => {
  const collected = new CollectingEmit();
  const intake = new Intake({ emit: collected.emit, messagesMax: 100, meta: {}, ...PATIENT });
  collected.hold();
  const body = new Uint8Array(16 * 1024 * 1024);
  const taken = [];
  for (let i = 0; i < 4; i++) {
    taken.push(intake.takeWhole(body, metaOf("POST")));
    await collected.untilHeld(i + 1);
  }
  for (let i = 0; i < 4; i++) taken.push(intake.takeWhole(body, metaOf("POST")));
  assert.equal(await intake.takeWhole(bytes("x"), metaOf("POST")), "busy");
  collected.release();
  assert.deepEqual(new Set(await Promise.all(taken)), new Set(["accepted"]));
  assert.equal(await intake.takeWhole(bytes("x"), metaOf("POST")), "accepted");
  await intake.close();
});

Deno.test("Intake: of a request in several parts one refused part refuses the request", async () => {
  const collected = new CollectingEmit();
  let emissions = 0;
  const intake = new Intake({
    emit: (batch) => ++emissions === 2 ? Promise.reject(new Error("refused")) : collected.emit(batch),
    messagesMax: 1,
    meta: {},
    ...PATIENT,
  });
  const ranges = Uint32Array.of(0, 1, 1, 2, 2, 3);
  assert.equal(await intake.takeMany(bytes("abc"), ranges, metaOf("POST")), "busy");
  assert.deepEqual(collected.texts, ["a", "c"]);
  await intake.close();
});

Deno.test("Intake: where many messages stand in a body is counted with it while it waits", async () => {
  const collected = new CollectingEmit();
  const intake = new Intake({ emit: collected.emit, messagesMax: 100_000, meta: {}, ...PATIENT });
  collected.hold();
  const messages = 2_000_000;
  const body = new Uint8Array(messages);
  const ranges = new Uint32Array(2 * messages).map((_, i) => (i + 1) >> 1);
  // Some are under way at once, and of two megabytes each not even five may wait.
  const taken = Array.from({ length: 12 }, () => intake.takeMany(body, ranges, metaOf("POST")));
  assert.equal(await Promise.race(taken), "busy");
  collected.release();
  const verdicts = await Promise.all(taken);
  assert.ok(verdicts.filter((verdict) => verdict === "accepted").length >= 3);
  assert.ok(verdicts.filter((verdict) => verdict === "busy").length >= 3);
  await intake.close();
});

Deno.test("Intake: a body is cut where a part would hold too many messages or bytes", async () => {
  const collected = new CollectingEmit();
  const intake = new Intake({ emit: collected.emit, messagesMax: 3, meta: {}, ...PATIENT });
  const large = 3 * 1024 * 1024;
  const body = new Uint8Array(4 + 2 * large);
  const ranges = Uint32Array.of(0, 1, 1, 2, 2, 3, 3, 4, 4, 4 + large, 4 + large, 4 + 2 * large);
  assert.equal(await intake.takeMany(body, ranges, metaOf("POST")), "accepted");
  assert.deepEqual(collected.emissions.map(({ ends }) => [...ends]), [[1, 2, 3], [1, 1 + large], [large]]);
  await intake.close();
});

Deno.test("Intake.close: refuses what waits and what comes, and waits for what is under way", async () => {
  const collected = new CollectingEmit();
  const intake = new Intake({ emit: collected.emit, messagesMax: 1, meta: {}, ...PATIENT });
  collected.hold();
  const underWay: Promise<string>[] = [];
  for (let i = 0; i < 4; i++) {
    underWay.push(intake.takeWhole(bytes(String(i)), metaOf("POST")));
    await collected.untilHeld(i + 1);
  }
  const waiting = intake.takeWhole(bytes("waits"), metaOf("POST"));
  let closed = false;
  const closing = intake.close().then(() => closed = true);
  assert.equal(await waiting, "busy");
  assert.equal(await intake.takeWhole(bytes("late"), metaOf("POST")), "busy");
  assert.ok(!closed);
  collected.release();
  await closing;
  assert.deepEqual(await Promise.all(underWay), ["accepted", "accepted", "accepted", "accepted"]);
  assert.deepEqual(collected.texts, ["0", "1", "2", "3"]);
});
