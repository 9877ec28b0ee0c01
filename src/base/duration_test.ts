import assert from "node:assert/strict";
import { formatDuration, parseDuration } from "./duration.ts";

Deno.test("parseDuration: reads one unit and sums of units", () => {
  assert.equal(parseDuration("500ms"), 500);
  assert.equal(parseDuration("10s"), 10_000);
  assert.equal(parseDuration("5m"), 300_000);
  assert.equal(parseDuration("2h"), 7_200_000);
  assert.equal(parseDuration("90d"), 7_776_000_000);
  assert.equal(parseDuration("1h30m"), 5_400_000);
  assert.equal(parseDuration("1m1ms"), 60_001);
  assert.equal(parseDuration("0s"), 0);
});

Deno.test("parseDuration: refuses what is no duration", () => {
  for (
    const text of ["", "10", "s", "10 s", "-1s", "1.5h", "10S", "1h 30m", "10sec", " 1s", "1s\n", "9".repeat(30) + "d"]
  ) {
    assert.equal(parseDuration(text), undefined, text);
  }
});

Deno.test("formatDuration: gives the shortest text, which reads back as the same duration", () => {
  assert.equal(formatDuration(5_400_000), "1h30m");
  assert.equal(formatDuration(0), "0ms");
  assert.equal(formatDuration(1.9), "1ms");
  for (const durationMs of [1, 999, 1000, 61_001, 86_400_000, 90_061_001]) {
    assert.equal(parseDuration(formatDuration(durationMs)), durationMs);
  }
});
