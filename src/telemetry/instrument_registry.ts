/** Owns the instruments of one isolate: counts in plain numbers, read as a snapshot. */

import { EventboatError } from "../diagnostics/mod.ts";
import { BUCKET_BOUNDS, instrumentEntry, type InstrumentKind } from "./catalogue.ts";
import type { Counter, Gauge, Histogram, Labels, Meter } from "./meter.ts";
import { safeName } from "./naming.ts";

/** One series of an instrument: a set of label values and what was counted under it. Plain data. */
export interface SeriesSnapshot {
  /** Safe names, values in well-formed text. */
  readonly labels: Labels;
  /** A counter's or gauge's value; the number of records of a histogram. */
  readonly value: number;
  /** Histograms only: the sum of all records, in seconds. */
  readonly sum?: number;
  /** Histograms only: records per bucket, not cumulated; one more than there are bounds. */
  readonly buckets?: readonly number[];
}

/** One instrument with all its series. Plain data, so that it may cross to another isolate. */
export interface InstrumentSnapshot {
  /** Safe, without prefix. */
  readonly name: string;
  readonly kind: InstrumentKind;
  /** Empty for names that are not in the catalogue. */
  readonly help: string;
  readonly series: readonly SeriesSnapshot[];
}

/** Series one instrument may have: beyond it all new label sets share one, so that labels cannot fill the memory. */
export const SERIES_MAX = 2000;

/** The label of the series that stands for all beyond {@linkcode SERIES_MAX}. */
const OVERFLOW_LABELS: Labels = { overflow: "true" };

class Count implements Counter {
  value = 0;

  constructor(readonly labels: Labels) {}

  add(count: number): void {
    // A counter only grows; NaN fails this comparison too.
    if (count > 0) this.value += count;
  }

  snapshot(): SeriesSnapshot {
    return { labels: this.labels, value: this.value };
  }
}

class Level implements Gauge {
  value = 0;

  constructor(readonly labels: Labels) {}

  set(value: number): void {
    this.value = value;
  }

  snapshot(): SeriesSnapshot {
    return { labels: this.labels, value: this.value };
  }
}

class Distribution implements Histogram {
  readonly #buckets = new Array<number>(BUCKET_BOUNDS.length + 1).fill(0);
  #count = 0;
  #sum = 0;

  constructor(readonly labels: Labels) {}

  record(seconds: number): void {
    if (Number.isNaN(seconds)) return;
    // A duration below zero is a clock that was set back.
    const value = Math.max(0, seconds);
    let bucket = 0;
    while (bucket < BUCKET_BOUNDS.length && value > (BUCKET_BOUNDS[bucket] ?? 0)) bucket++;
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.#count++;
    this.#sum += value;
  }

  snapshot(): SeriesSnapshot {
    return { labels: this.labels, value: this.#count, sum: this.#sum, buckets: [...this.#buckets] };
  }
}

interface Family<Series extends { snapshot(): SeriesSnapshot } = { snapshot(): SeriesSnapshot }> {
  readonly kind: InstrumentKind;
  readonly help: string;
  /** By label names and values. */
  readonly series: Map<string, Series>;
}

/**
 * Gives and holds instruments. Ask for one once and keep it: an `add` is then one addition. A name of the catalogue
 * must be asked for with its own kind and exactly its labels; other names are free, but keep one kind.
 */
export class InstrumentRegistry implements Meter {
  readonly #counters = new Map<string, Family<Count>>();
  readonly #gauges = new Map<string, Family<Level>>();
  readonly #histograms = new Map<string, Family<Distribution>>();

  /** @throws {EventboatError} `internal` when the catalogue has the name with another kind or other labels. */
  counter(name: string, labels: Labels = {}): Counter {
    return this.#series(this.#counters, "counter", name, labels, (safe) => new Count(safe));
  }

  /** @throws {EventboatError} as {@linkcode InstrumentRegistry.counter} */
  histogram(name: string, labels: Labels = {}): Histogram {
    return this.#series(this.#histograms, "histogram", name, labels, (safe) => new Distribution(safe));
  }

  /** @throws {EventboatError} as {@linkcode InstrumentRegistry.counter} */
  gauge(name: string, labels: Labels = {}): Gauge {
    return this.#series(this.#gauges, "gauge", name, labels, (safe) => new Level(safe));
  }

  /** All instruments asked for so far with what they hold now, by name. */
  snapshot(): InstrumentSnapshot[] {
    const all: [string, Family][] = [...this.#counters, ...this.#gauges, ...this.#histograms];
    all.sort(([a], [b]) => a < b ? -1 : 1);
    return all.map(([name, family]) => ({
      name: safeName(name),
      kind: family.kind,
      help: family.help,
      series: [...family.series.values()].map((series) => series.snapshot()),
    }));
  }

  #series<Series extends { snapshot(): SeriesSnapshot }>(
    families: Map<string, Family<Series>>,
    kind: InstrumentKind,
    name: string,
    labels: Labels,
    make: (labels: Labels) => Series,
  ): Series {
    let family = families.get(name);
    if (family === undefined) {
      this.#checkName(kind, name);
      family = { kind, help: instrumentEntry(name)?.help ?? "", series: new Map() };
      families.set(name, family);
    }
    checkLabels(name, labels);
    let safe = safeLabels(labels);
    if (family.series.size >= SERIES_MAX && !family.series.has(seriesKey(safe))) safe = OVERFLOW_LABELS;
    const key = seriesKey(safe);
    let series = family.series.get(key);
    if (series === undefined) family.series.set(key, series = make(safe));
    return series;
  }

  #checkName(kind: InstrumentKind, name: string): void {
    const catalogued = instrumentEntry(name)?.kind;
    const taken = [...this.#counters, ...this.#gauges, ...this.#histograms].find(([other]) => other === name)?.[1].kind;
    const expected = catalogued ?? taken;
    if (expected !== undefined && expected !== kind) {
      throw new EventboatError("internal", `Cannot give the ${kind} "${name}": it is a ${expected}`);
    }
  }
}

/** Refuses labels that the catalogue does not give a name of its own. */
function checkLabels(name: string, labels: Labels): void {
  const expected = instrumentEntry(name)?.labels;
  if (expected === undefined) return;
  const given = Object.keys(labels);
  if (given.length === expected.length && expected.every((label) => Object.hasOwn(labels, label))) return;
  const wanted = expected.join(", ");
  throw new EventboatError(
    "internal",
    `Cannot give "${name}": it needs the labels {${wanted}}, not {${given.join(", ")}}`,
  );
}

/** The labels by safe name, in order of name, with values that are well-formed text. */
function safeLabels(labels: Labels): Labels {
  const safe: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(labels)) safe[safeName(name)] = value.toWellFormed();
  return Object.fromEntries(Object.entries(safe).sort(([a], [b]) => a < b ? -1 : 1));
}

function seriesKey(labels: Labels): string {
  return JSON.stringify(Object.entries(labels));
}
