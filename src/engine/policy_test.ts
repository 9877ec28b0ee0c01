import assert from "node:assert/strict";
import { resolveEngineOptions } from "./options.ts";
import { batchPolicy, retryWaitMs } from "./policy.ts";

const options = resolveEngineOptions({ random: { bytes: (array) => array, fraction: () => 0 } });
const edge = (retries: number, backoff: "exponential" | "constant", timeoutMs?: number) => ({
  id: 0,
  from: "a",
  to: "b",
  label: "a->b",
  required: true,
  delivery: { retries, backoff, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
  bufferEvents: 128,
});

Deno.test("batchPolicy: most retries and the longest explicit timeout; the default only where none is set", () => {
  assert.deepEqual(batchPolicy([edge(1, "constant", 50), edge(4, "constant")], options), {
    retries: 4,
    backoff: "constant",
    timeoutMs: 50,
  });
  assert.equal(batchPolicy([edge(0, "constant")], options).timeoutMs, 30_000);
  assert.equal(batchPolicy([undefined], options).retries, 3);
});

Deno.test("retryWaitMs: doubles from 100 ms to 30 s, stays at 100 ms when constant, honours a peer's wish", () => {
  const exponential = batchPolicy([edge(9, "exponential")], options);
  assert.deepEqual([1, 2, 3, 20].map((failed) => retryWaitMs(exponential, failed, options)), [100, 200, 400, 30_000]);
  const constant = batchPolicy([edge(9, "constant")], options);
  assert.equal(retryWaitMs(constant, 5, options), 100);
  assert.equal(retryWaitMs(constant, 1, options, 7_000), 7_000);
  assert.equal(retryWaitMs(constant, 1, options, 86_400_000), 900_000);
});
