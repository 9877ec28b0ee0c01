import assert from "node:assert/strict";
import { AdmissionGate } from "./admission_gate.ts";

const gateOf = (messagesMax: number, lagMax = 1_000, bytesMax = 1_000_000) =>
  new AdmissionGate({ messagesMax, lagMax, bytesMax });
const never = new AbortController().signal;
const turns = async () => {
  for (let i = 0; i < 5; i++) await Promise.resolve();
};

Deno.test("AdmissionGate: a batch takes all its slots at once or waits, first come first served", async () => {
  const gate = gateOf(10);
  const order: string[] = [];
  assert.equal(gate.tryEnter(8, 0), true);
  void gate.enter(5, 0, never).then(() => order.push("large"));
  void gate.enter(1, 0, never).then(() => order.push("small"));
  assert.equal(gate.tryEnter(1, 0), false, "nobody passes those who wait");
  gate.releaseSlots(2);
  await turns();
  assert.deepEqual(order, []);
  gate.releaseSlots(1);
  await turns();
  assert.deepEqual(order, ["large"]);
  gate.releaseSlots(5);
  await turns();
  assert.deepEqual(order, ["large", "small"]);
});

Deno.test("AdmissionGate: the distance to the frontier is bounded beside the slots", async () => {
  const gate = gateOf(10, 20);
  for (let i = 0; i < 2; i++) {
    assert.equal(gate.tryEnter(10, 0), true);
    gate.releaseSlots(10);
  }
  let entered = false;
  void gate.enter(1, 0, never).then(() => entered = true);
  await turns();
  assert.equal(entered, false, "20 sequences lie beyond the frontier, though no slot is taken");
  gate.releaseWindow(10, 0);
  await turns();
  assert.equal(entered, true);
});

Deno.test("AdmissionGate: bytes in flight are bounded, and a batch beyond the bound enters alone", async () => {
  const gate = gateOf(10, 100, 1_000);
  assert.equal(gate.tryEnter(1, 5_000), true);
  let entered = false;
  void gate.enter(1, 1, never).then(() => entered = true);
  await turns();
  assert.equal(entered, false);
  gate.releaseWindow(1, 5_000);
  await turns();
  assert.equal(entered, true);
});

Deno.test("AdmissionGate: one who leaves takes nothing and lets those behind it pass", async () => {
  const gate = gateOf(10);
  gate.tryEnter(9, 0);
  const stop = new AbortController();
  const large = gate.enter(5, 0, stop.signal);
  let small = false;
  void gate.enter(1, 0, never).then(() => small = true);
  stop.abort(new Error("stopped"));
  await assert.rejects(large, /stopped/);
  await turns();
  assert.equal(small, true);
  assert.equal(gate.inFlight, 10);
});

Deno.test("AdmissionGate: one who was let in is told in the same moment, and may give back what it took", () => {
  const gate = gateOf(10);
  gate.tryEnter(10, 0);
  const order: string[] = [];
  void gate.enter(9, 0, never, () => {
    order.push("first");
    gate.releaseSlots(9);
    order.push("gave back");
  });
  void gate.enter(5, 0, never, () => void order.push("second"));
  gate.releaseSlots(9);
  assert.deepEqual(order, ["first", "gave back", "second"]);
  assert.equal(gate.inFlight, 6);
});

Deno.test("AdmissionGate: when several leave at once, none of them is let in by another's leaving", async () => {
  const gate = gateOf(10);
  gate.tryEnter(9, 0);
  const stop = new AbortController();
  const leaving = [gate.enter(5, 0, stop.signal), gate.enter(1, 0, stop.signal)];
  stop.abort(new Error("stopped"));
  const ended = await Promise.allSettled(leaving);
  assert.deepEqual(ended.map(({ status }) => status), ["rejected", "rejected"]);
  assert.equal(gate.inFlight, 9);
  assert.equal(gate.waiting, false);
});
