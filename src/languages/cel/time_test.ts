/** Owns the tests of timestamps and durations. */

import assert from "node:assert/strict";
import {
  CelZones,
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  timestampFromSeconds,
} from "./time.ts";
import { CelDuration, CelFailure, CelTimestamp } from "./value.ts";

function timestamp(text: string): CelTimestamp {
  const value = parseTimestamp(text, 0);
  assert.ok(value instanceof CelTimestamp, text);
  return value;
}

Deno.test("parseTimestamp, formatTimestamp: text to value and back", () => {
  const table = [
    ["2024-02-29T12:00:00Z", "2024-02-29T12:00:00Z"],
    ["1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
    ["9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"],
    ["2009-02-13T23:31:30.000001+05:30", "2009-02-13T18:01:30.000001Z"],
  ] as const;
  for (const [text, formatted] of table) assert.equal(formatTimestamp(timestamp(text)), formatted);
});

Deno.test("parseTimestamp: what is no moment is refused", () => {
  const wrong = ["", "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:00:60Z"];
  const shapes = ["2024-01-01", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00", "2024-01-01T00:00:00+25:00"];
  const outside = ["0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "10000-01-01T00:00:00Z"];
  for (const text of [...wrong, ...shapes, ...outside]) assert.ok(parseTimestamp(text, 0) instanceof CelFailure, text);
});

Deno.test("timestampFromSeconds: counts seconds", () => {
  const value = timestampFromSeconds(1n, 0);
  assert.ok(value instanceof CelTimestamp && formatTimestamp(value) === "1970-01-01T00:00:01Z");
});

Deno.test("parseDuration, formatDuration: text to value and back", () => {
  const table = [
    ["1h30m", "5400s"],
    ["-1.5s", "-1.500s"],
    ["0", "0s"],
    ["+.5ms", "0.000500s"],
    ["1us2ns", "0.000001002s"],
    ["1.h", "3600s"],
  ] as const;
  for (const [text, formatted] of table) {
    const value = parseDuration(text, 0);
    assert.ok(value instanceof CelDuration, text);
    assert.equal(formatDuration(value), formatted);
  }
});

Deno.test("parseDuration: what is no duration is refused", () => {
  for (const text of ["", "-", "1", "h", ".s", "1 h", "1d", "--1s", "1h-1m", "9223372037s", `${"1s".repeat(100)}`]) {
    assert.ok(parseDuration(text, 0) instanceof CelFailure, text);
  }
});

Deno.test("CelZones: fields in zones, on both sides of a change of clocks and before standard time", () => {
  const zones = new CelZones();
  const read = (text: string, method: string, zone: string) => zones.read(timestamp(text), method, zone, 0);
  assert.equal(read("2026-03-29T00:59:59Z", "getHours", "Europe/Berlin"), 1n);
  assert.equal(read("2026-03-29T01:00:00Z", "getHours", "Europe/Berlin"), 3n);
  assert.equal(read("2026-01-01T00:30:00Z", "getFullYear", "-01:00"), 2025n);
  assert.equal(read("2024-12-31T23:30:00Z", "getDayOfYear", "UTC"), 365n);
  assert.equal(read("2024-12-31T23:30:00Z", "getDayOfYear", "02:00"), 0n);
  assert.equal(read("2024-02-29T00:00:00Z", "getDayOfMonth", "UTC"), 28n);
  assert.equal(read("2024-02-29T00:00:00Z", "getDayOfWeek", "UTC"), 4n);
  assert.equal(read("1800-01-01T00:00:00Z", "getMinutes", "Europe/Berlin"), 53n);
  assert.equal(read("1969-12-31T23:59:59.999999999Z", "getMilliseconds", "UTC"), 999n);
  assert.ok(read("2024-01-01T00:00:00Z", "getHours", "Mars/Base") instanceof CelFailure);
  assert.ok(read("2024-01-01T00:00:00Z", "getHours", "") instanceof CelFailure);
});
