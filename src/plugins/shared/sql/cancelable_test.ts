import assert from "node:assert/strict";
import { cancelable } from "./cancelable.ts";

Deno.test("cancelable: what the call gives or rejects with is told", async () => {
  const { signal } = new AbortController();
  const rest = { cancel: () => assert.fail("nobody asked"), end: () => assert.fail("nobody asked") };
  assert.equal(await cancelable(signal, { work: () => Promise.resolve(7), ...rest }), 7);
  await assert.rejects(cancelable(signal, { work: () => Promise.reject(new RangeError("no")), ...rest }), RangeError);
});

Deno.test("cancelable: an abort cancels, then ends the connection, and does not wait for a call that never ends", async () => {
  const stop = new AbortController();
  const done: string[] = [];
  const call = cancelable(stop.signal, {
    work: () => new Promise<never>(() => {}),
    cancel: () => Promise.resolve(void done.push("cancel")),
    end: () => void done.push("end"),
  });
  stop.abort();
  await assert.rejects(call, { kind: "canceled" });
  assert.deepEqual(done, ["cancel", "end"]);
});

Deno.test("cancelable: a cancel that fails ends the connection all the same", async () => {
  const stop = new AbortController();
  let isEnded = false;
  const call = cancelable(stop.signal, {
    work: () => new Promise<never>(() => {}),
    cancel: () => Promise.reject(new Error("refused")),
    end: () => isEnded = true,
  });
  stop.abort();
  await assert.rejects(call, { kind: "canceled" });
  assert.ok(isEnded);
});

Deno.test("cancelable: with the signal aborted no call is made", async () => {
  const call = { work: () => assert.fail("it was made"), cancel: () => Promise.resolve(), end: () => {} };
  await assert.rejects(cancelable(AbortSignal.abort(), call), { kind: "canceled" });
});
