import assert from "node:assert/strict";
import { deadline, LinkedController, raceAbort } from "./abort.ts";
import { HeldClock } from "./held_clock.ts";

/** A controller whose signal counts its listeners. */
function counted(): { controller: AbortController; listeners(): number } {
  const controller = new AbortController();
  const { signal } = controller;
  let count = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => (count++, add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (count--, remove(...args));
  return { controller, listeners: () => count };
}

Deno.test("LinkedController: aborts with the reason of the first parent that aborts", () => {
  const first = new AbortController();
  const second = counted();
  using linked = new LinkedController(first.signal, undefined, second.controller.signal);
  assert.equal(second.listeners(), 1);
  first.abort("why");
  assert.equal(linked.signal.aborted, true);
  assert.equal(linked.signal.reason, "why");
  assert.equal(second.listeners(), 0);
});

Deno.test("LinkedController: is born aborted under an aborted parent and listens to no other", () => {
  const other = counted();
  using linked = new LinkedController(other.controller.signal, AbortSignal.abort("gone"));
  assert.equal(linked.signal.reason, "gone");
  assert.equal(other.listeners(), 0);
});

Deno.test("LinkedController: once disposed it hears its parents no more and does not abort", () => {
  const parent = counted();
  const linked = new LinkedController(parent.controller.signal);
  linked[Symbol.dispose]();
  assert.equal(parent.listeners(), 0);
  parent.controller.abort();
  assert.equal(linked.signal.aborted, false);
});

Deno.test("deadline: aborts with a TimeoutError when its time has passed, not before", async () => {
  const clock = new HeldClock();
  using limit = deadline(500, { clock, what: "the write" });
  await clock.advance(499);
  assert.equal(limit.signal.aborted, false);
  await clock.advance(1);
  assert.equal(limit.signal.aborted, true);
  assert.equal(limit.expired, true);
  assert.equal(limit.signal.reason.name, "TimeoutError");
});

Deno.test("deadline: aborts with its parent, and has not expired then", async () => {
  const clock = new HeldClock();
  const parent = counted();
  using limit = deadline(500, { clock, parent: parent.controller.signal });
  parent.controller.abort("why");
  assert.equal(limit.signal.reason, "why");
  assert.equal(clock.sleeping, 0);
  await clock.advance(1000);
  assert.equal(limit.expired, false);
});

Deno.test("deadline: disposed it leaves no sleeper and no listener, and never aborts", async () => {
  const clock = new HeldClock();
  const parent = counted();
  const limit = deadline(500, { clock, parent: parent.controller.signal });
  limit[Symbol.dispose]();
  assert.equal(clock.sleeping, 0);
  assert.equal(parent.listeners(), 0);
  await clock.advance(1000);
  assert.equal(limit.signal.aborted, false);
});

Deno.test("deadline: under the platform's clock a disposed deadline leaves no timer", () => {
  using limit = deadline(60_000);
  assert.equal(limit.signal.aborted, false);
});

Deno.test("raceAbort: gives what the promise gives and takes its listener off", async () => {
  const { controller, listeners } = counted();
  assert.equal(await raceAbort(Promise.resolve(7), controller.signal), 7);
  await assert.rejects(raceAbort(Promise.reject(new Error("own")), controller.signal), /own/);
  assert.equal(listeners(), 0);
  assert.equal(await raceAbort(Promise.resolve(8), undefined), 8);
});

Deno.test("raceAbort: an abort ends the waiting, and a later rejection surprises nobody", async () => {
  const controller = new AbortController();
  const slow = Promise.withResolvers<void>();
  const waiting = raceAbort(slow.promise, controller.signal);
  controller.abort(new Error("stop"));
  await assert.rejects(waiting, /stop/);
  slow.reject(new Error("too late"));
  await assert.rejects(raceAbort(Promise.resolve(), controller.signal), /stop/);
});
