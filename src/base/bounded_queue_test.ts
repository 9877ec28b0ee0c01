import assert from "node:assert/strict";
import { BoundedQueue } from "./bounded_queue.ts";

/** A queue of texts that weigh their length. */
function textQueue(capacity: number): BoundedQueue<string> {
  return new BoundedQueue({ capacity, weigh: (text) => text.length });
}

/** Whether the promise has settled by the next turn of the event loop. */
async function settled(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  promise.then(() => done = true, () => done = true);
  await new Promise((resolve) => setTimeout(resolve, 0));
  return done;
}

Deno.test("BoundedQueue: gives items in the order they entered, over many rounds of its ring", () => {
  const queue = new BoundedQueue<number>({ capacity: 1000 });
  let next = 0;
  let expected = 0;
  for (let round = 0; round < 50; round++) {
    for (let i = 0; i < 7 + (round % 13); i++) assert.equal(queue.tryPush(next++), true);
    for (let i = 0; i < 5 && queue.length > 0; i++) assert.equal(queue.tryTake(), expected++);
  }
  for (const item of queue.takeAll()) assert.equal(item, expected++);
  assert.equal(expected, next);
  assert.equal(queue.length, 0);
  assert.equal(queue.weight, 0);
});

Deno.test("BoundedQueue: is full from its capacity on, yet lets an item heavier than the capacity in", () => {
  const queue = textQueue(4);
  assert.equal(queue.tryPush("abc"), true);
  assert.equal(queue.tryPush("a whole batch"), true);
  assert.equal(queue.weight, 16);
  assert.equal(queue.tryPush("x"), false);
  assert.equal(queue.tryTake(), "abc");
  assert.equal(queue.tryPush("x"), false);
  assert.equal(queue.peek(), "a whole batch");
  assert.equal(queue.tryTake(), "a whole batch");
  assert.equal(queue.tryPush("x"), true);
  assert.equal(queue.length, 1);
});

Deno.test("BoundedQueue: counts an item without weight as one, so that its length is bounded too", () => {
  const queue = textQueue(2);
  assert.equal(queue.tryPush(""), true);
  assert.equal(queue.tryPush(""), true);
  assert.equal(queue.tryPush(""), false);
});

Deno.test("BoundedQueue.push: waits for room, and pushers enter in the order they came", async () => {
  const queue = textQueue(2);
  assert.equal(await queue.push("aa"), true);
  const first = queue.push("bb");
  const second = queue.push("c");
  assert.equal(await settled(first), false);
  assert.equal(queue.tryPush("late"), false);
  assert.equal(queue.tryTake(), "aa");
  assert.equal(await first, true);
  assert.equal(await settled(second), false);
  assert.equal(queue.tryTake(), "bb");
  assert.equal(await second, true);
  assert.deepEqual(queue.takeAll(), ["c"]);
});

Deno.test("BoundedQueue.tryPush: does not overtake a pusher that waits", async () => {
  const queue = textQueue(1);
  queue.tryPush("a");
  const waiting = queue.push("b");
  assert.equal(queue.tryTake(), "a");
  assert.equal(queue.tryPush("c"), false);
  assert.equal(await waiting, true);
  assert.equal(queue.tryTake(), "b");
  assert.equal(queue.tryPush("c"), true);
});

Deno.test("BoundedQueue.take: waits for an item; takers are served in the order they came", async () => {
  const queue = textQueue(10);
  const first = queue.take();
  const second = queue.take();
  assert.equal(queue.tryPush("a"), true);
  assert.equal(await first, "a");
  assert.equal(await settled(second), false);
  assert.equal(await queue.push("b"), true);
  assert.equal(await second, "b");
  assert.equal(queue.length, 0);
  assert.equal(queue.weight, 0);
});

Deno.test("BoundedQueue.push: an aborted pusher leaves with the signal's reason and its item never enters", async () => {
  const queue = textQueue(1);
  queue.tryPush("a");
  const controller = new AbortController();
  const gone = queue.push("b", controller.signal);
  const stays = queue.push("c");
  const reason = new Error("stop");
  controller.abort(reason);
  await assert.rejects(gone, (error) => error === reason);
  await assert.rejects(queue.push("d", controller.signal), (error) => error === reason);
  assert.equal(queue.tryTake(), "a");
  assert.equal(await stays, true);
  assert.deepEqual(queue.takeAll(), ["c"]);
});

Deno.test("BoundedQueue.take: an aborted taker loses no item to the void", async () => {
  const queue = textQueue(1);
  const controller = new AbortController();
  const gone = queue.take(controller.signal);
  controller.abort(new Error("stop"));
  await assert.rejects(gone, /stop/);
  assert.equal(queue.tryPush("a"), true);
  assert.equal(queue.tryTake(), "a");
});

Deno.test("BoundedQueue: takes its listeners off the signal when it has settled", async () => {
  const controller = new AbortController();
  let listeners = 0;
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
  const queue = textQueue(1);
  const taking = queue.take(signal);
  assert.equal(listeners, 1);
  await queue.push("a", signal);
  await taking;
  queue.tryPush("b");
  const pushing = queue.push("c", signal);
  assert.equal(listeners, 1);
  queue.tryTake();
  await pushing;
  assert.equal(listeners, 0);
});

Deno.test("BoundedQueue.close: what has entered can be taken, then the queue ends", async () => {
  const queue = textQueue(2);
  queue.tryPush("aa");
  const waiting = queue.push("never");
  queue.close();
  queue.close();
  assert.equal(queue.closed, true);
  assert.equal(await waiting, false);
  assert.equal(await queue.push("late"), false);
  assert.equal(queue.tryPush("late"), false);
  assert.equal(await queue.take(), "aa");
  assert.equal(await queue.take(), undefined);
  assert.equal(queue.tryTake(), undefined);
});

Deno.test("BoundedQueue.close: wakes takers that wait", async () => {
  const queue = textQueue(2);
  const taking = queue.take();
  queue.close();
  assert.equal(await taking, undefined);
});

Deno.test("BoundedQueue.takeAll: empties the queue and lets the waiting pushers in", async () => {
  const queue = textQueue(2);
  queue.tryPush("a");
  queue.tryPush("b");
  const waiting = queue.push("c");
  assert.deepEqual(queue.takeAll(), ["a", "b"]);
  assert.equal(await waiting, true);
  assert.deepEqual(queue.takeAll(), ["c"]);
});

Deno.test("BoundedQueue: refuses a capacity that would let nothing in", () => {
  for (const capacity of [0, -1, Number.NaN]) assert.throws(() => new BoundedQueue({ capacity }), RangeError);
});
