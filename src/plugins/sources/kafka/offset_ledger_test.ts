import assert from "node:assert/strict";
import { OffsetLedger, PartitionTracker } from "./offset_ledger.ts";

const never = new AbortController().signal;

Deno.test("OffsetLedger.advance: each partition is committed behind its own messages, and no further", () => {
  const ledger = new OffsetLedger();
  const [a, b] = [new PartitionTracker("t", 0, 10), new PartitionTracker("t", 1, 0)];
  assert.equal(ledger.add(a, Float64Array.of(10, 12), 15), 1);
  assert.equal(ledger.add(b, Float64Array.of(0, 1), 2), 3);
  assert.equal(ledger.add(a, Float64Array.of(15), 16), 5);
  assert.deepEqual([a.position, b.position, a.outstanding], [16, 2, 3]);
  ledger.advance(1);
  assert.deepEqual([a.committable, b.committable, a.outstanding], [11, 0, 2]);
  ledger.advance(3);
  // Behind the last message of an emission comes what holds none.
  assert.deepEqual([a.committable, b.committable], [15, 1]);
  ledger.advance(5);
  assert.deepEqual([a.committable, b.committable, a.outstanding, b.outstanding], [16, 2, 0, 0]);
});

Deno.test("OffsetLedger.pass: what holds no message is committable at once when nothing is outstanding", () => {
  const ledger = new OffsetLedger();
  const tracker = new PartitionTracker("t", 0, 0);
  ledger.pass(tracker, 5);
  assert.equal(tracker.committable, 5);
  ledger.add(tracker, Float64Array.of(5), 6);
  ledger.pass(tracker, 9);
  assert.deepEqual([tracker.position, tracker.committable], [9, 5]);
});

Deno.test("OffsetLedger.settled: resolves with the last commit, and rejects with its signal", async () => {
  const ledger = new OffsetLedger();
  const tracker = new PartitionTracker("t", 0, 0);
  ledger.add(tracker, Float64Array.of(0, 1), 2);
  let isSettled = false;
  const settled = ledger.settled([tracker], never).then(() => isSettled = true);
  ledger.advance(1);
  await Promise.resolve();
  assert.equal(isSettled, false);
  ledger.advance(2);
  await settled;
  ledger.add(tracker, Float64Array.of(2), 3);
  const stop = new AbortController();
  const stopped = assert.rejects(ledger.settled([tracker], stop.signal), { name: "AbortError" });
  stop.abort();
  await stopped;
});
