import assert from "node:assert/strict";
import { EventboatError } from "../diagnostics/mod.ts";
import { BUCKET_BOUNDS, INSTRUMENTS } from "./catalogue.ts";
import { InstrumentRegistry, SERIES_MAX } from "./instrument_registry.ts";
import { labelledMeter, silentMeter } from "./labelled_meter.ts";

function isInternal(error: unknown): boolean {
  return error instanceof EventboatError && error.code === "internal";
}

Deno.test("InstrumentRegistry: the same name and labels give the same instrument, in whatever order they are named", () => {
  const registry = new InstrumentRegistry();
  registry.counter("messages_in_total", { pipeline: "p", source: "s" }).add(2);
  registry.counter("messages_in_total", { source: "s", pipeline: "p" }).add(3);
  registry.counter("messages_in_total", { pipeline: "p", source: "other" }).add(1);
  const [family] = registry.snapshot();
  assert.equal(family?.name, "messages_in_total");
  assert.equal(family?.kind, "counter");
  assert.deepEqual(family?.series, [
    { labels: { pipeline: "p", source: "s" }, value: 5 },
    { labels: { pipeline: "p", source: "other" }, value: 1 },
  ]);
});

Deno.test("InstrumentRegistry: a counter never falls", () => {
  const registry = new InstrumentRegistry();
  const counter = registry.counter("spool_failures_total", { pipeline: "p" });
  counter.add(4);
  counter.add(-3);
  counter.add(Number.NaN);
  assert.equal(registry.snapshot()[0]?.series[0]?.value, 4);
});

Deno.test("InstrumentRegistry: a histogram counts every record in one bucket, its own bound included", () => {
  const registry = new InstrumentRegistry();
  const histogram = registry.histogram("spool_append_seconds", { pipeline: "p" });
  for (const seconds of [0.0005, 0.00051, 1, 1e9, -1, Number.NaN]) histogram.record(seconds);
  const series = registry.snapshot()[0]?.series[0];
  const expected = new Array(BUCKET_BOUNDS.length + 1).fill(0);
  expected[0] = 2;
  expected[1] = 1;
  expected[BUCKET_BOUNDS.indexOf(1)] = 1;
  expected[BUCKET_BOUNDS.length] = 1;
  assert.deepEqual(series?.buckets, expected);
  assert.equal(series?.value, 5);
  assert.equal(series?.sum, 0.0005 + 0.00051 + 1 + 1e9);
});

Deno.test("InstrumentRegistry: a gauge holds what was set last, below zero too", () => {
  const registry = new InstrumentRegistry();
  const gauge = registry.gauge("in_flight_messages", { pipeline: "p" });
  gauge.set(7);
  gauge.set(-2);
  assert.equal(registry.snapshot()[0]?.series[0]?.value, -2);
});

Deno.test("InstrumentRegistry: refuses a catalogue name with another kind or other labels", () => {
  const registry = new InstrumentRegistry();
  assert.throws(() => registry.gauge("messages_in_total", { pipeline: "p", source: "s" }), isInternal);
  assert.throws(() => registry.counter("messages_in_total", { pipeline: "p" }), isInternal);
  assert.throws(() => registry.counter("messages_in_total", { pipeline: "p", source: "s", node: "n" }), isInternal);
  assert.throws(() => registry.counter("source_lines_read_total", { pipeline: "p" }), isInternal);
  registry.counter("source_lines_read_total", { pipeline: "p", node: "n" }).add(1);
});

Deno.test("InstrumentRegistry: a free name keeps the kind it was first asked for with", () => {
  const registry = new InstrumentRegistry();
  registry.counter("my_total").add(1);
  assert.throws(() => registry.histogram("my_total"), isInternal);
});

Deno.test("InstrumentRegistry: label names that differ only in odd characters stay apart", () => {
  const registry = new InstrumentRegistry();
  for (const name of ["a.b", "a-b", "a_b", "1x", "größe", ""]) registry.counter("odd_total", { [name]: "v" }).add(1);
  registry.counter("odd_total", { "a.b": "1", "a-b": "2", a_b: "3" }).add(1);
  const series = registry.snapshot()[0]?.series ?? [];
  assert.equal(series.length, 7);
  assert.equal(Object.keys(series[6]?.labels ?? {}).length, 3);
  for (const { labels } of series) {
    for (const name of Object.keys(labels)) assert.match(name, /^[a-zA-Z_][a-zA-Z0-9_]*$/);
  }
  assert.equal(new Set(series.map(({ labels }) => JSON.stringify(labels))).size, 7);
});

Deno.test("InstrumentRegistry: label values come out as well-formed text", () => {
  const registry = new InstrumentRegistry();
  registry.counter("plugin_restarts_total", { plugin: "half \ud83e" }).add(1);
  assert.equal(registry.snapshot()[0]?.series[0]?.labels["plugin"]?.isWellFormed(), true);
});

Deno.test("InstrumentRegistry: label sets beyond the bound share one series and lose no count", () => {
  const registry = new InstrumentRegistry();
  for (let i = 0; i < SERIES_MAX + 50; i++) registry.counter("plugin_restarts_total", { plugin: `p${i}` }).add(1);
  registry.counter("plugin_restarts_total", { plugin: "p0" }).add(1);
  const series = registry.snapshot()[0]?.series ?? [];
  assert.equal(series.length, SERIES_MAX + 1);
  assert.equal(series[0]?.value, 2);
  assert.deepEqual(series.at(-1), { labels: { overflow: "true" }, value: 50 });
});

Deno.test("InstrumentRegistry.snapshot: is plain data in order of name, and a picture that later counts do not change", () => {
  const registry = new InstrumentRegistry();
  registry.gauge("spool_depth", { pipeline: "p" }).set(1);
  const counter = registry.counter("messages_committed_total", { pipeline: "p" });
  counter.add(1);
  registry.histogram("commit_latency_seconds", { pipeline: "p" }).record(0.2);
  const before = structuredClone(registry.snapshot());
  counter.add(1);
  assert.deepEqual(before.map(({ name }) => name), [
    "commit_latency_seconds",
    "messages_committed_total",
    "spool_depth",
  ]);
  assert.equal(before[1]?.series[0]?.value, 1);
  for (const { help } of before) assert.notEqual(help, "");
});

Deno.test("INSTRUMENTS: every name is plain, and counters end in _total, histograms in _seconds", () => {
  for (const [name, { kind, help }] of Object.entries(INSTRUMENTS)) {
    assert.match(name, /^[a-z][a-z0-9_]*$/);
    assert.equal(name.endsWith("_total"), kind === "counter", name);
    assert.equal(name.endsWith("_seconds"), kind === "histogram", name);
    assert.match(help, /^[A-Z1].*\.$/);
  }
});

Deno.test("labelledMeter: adds its labels, which no one can take away", () => {
  const registry = new InstrumentRegistry();
  const meter = labelledMeter(registry, { pipeline: "p", node: "n" });
  meter.counter("source_rotations_total").add(1);
  meter.counter("source_rotations_total", { node: "forged" }).add(1);
  assert.deepEqual(registry.snapshot()[0]?.series, [{ labels: { node: "n", pipeline: "p" }, value: 2 }]);
});

Deno.test("silentMeter: takes everything and holds nothing", () => {
  silentMeter.counter("a").add(1);
  silentMeter.gauge("b").set(1);
  silentMeter.histogram("c").record(1);
});
