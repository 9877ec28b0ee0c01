import assert from "node:assert/strict";
import { backoffMs } from "./backoff.ts";
import type { Random } from "./random.ts";

function drawing(fraction: number): Random {
  return { bytes: (array) => array, fraction: () => fraction };
}

Deno.test("backoffMs: exponential doubles from 100 ms and stops at 30 s", () => {
  const waits = [0, 1, 2, 3, 8, 9, 60, 5000].map((attempt) => backoffMs({ kind: "exponential" }, attempt, drawing(0)));
  assert.deepEqual(waits, [100, 200, 400, 800, 25_600, 30_000, 30_000, 30_000]);
});

Deno.test("backoffMs: jitter takes away at most half of the wait and adds nothing", () => {
  for (const fraction of [0, 0.25, 0.999999]) {
    const waitMs = backoffMs({ kind: "exponential" }, 2, drawing(fraction));
    assert.ok(waitMs > 200 && waitMs <= 400, `${waitMs}`);
  }
  assert.equal(backoffMs({ kind: "exponential", baseMs: 1000, maxMs: 4000 }, 7, drawing(0.5)), 3000);
});

Deno.test("backoffMs: constant is the same every time", () => {
  assert.deepEqual([0, 1, 9].map((attempt) => backoffMs({ kind: "constant" }, attempt, drawing(0.7))), [100, 100, 100]);
  assert.equal(backoffMs({ kind: "constant", baseMs: 500 }, 4, drawing(0.7)), 500);
});
