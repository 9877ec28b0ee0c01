/** Owns what a transform counts in a lane: noted there, carried over with an answer, counted in the engine's meter. */

import type { Labels, Meter } from "../telemetry/mod.ts";
import type { LaneCount } from "./lane.ts";

/** Records of one histogram that are kept for one answer: those beyond are lost, so that none fills the memory. */
const RECORDS_MAX = 1_000;

interface Noted {
  readonly kind: LaneCount["kind"];
  readonly name: string;
  readonly labels: Labels;
  values: number[];
}

/** A meter that keeps what is counted until it is taken. */
export class LaneMeter implements Meter {
  readonly #noted = new Map<string, Noted>();

  counter(name: string, labels: Labels = {}) {
    const noted = this.#note("counter", name, labels);
    return { add: (count: number) => void (noted.values = [(noted.values[0] ?? 0) + count]) };
  }

  histogram(name: string, labels: Labels = {}) {
    const noted = this.#note("histogram", name, labels);
    return {
      record(seconds: number) {
        if (noted.values.length < RECORDS_MAX) noted.values.push(seconds);
      },
    };
  }

  gauge(name: string, labels: Labels = {}) {
    const noted = this.#note("gauge", name, labels);
    return { set: (value: number) => void (noted.values = [value]) };
  }

  /** What was counted since the last call. */
  take(): readonly LaneCount[] {
    const counts: LaneCount[] = [];
    for (const noted of this.#noted.values()) {
      if (noted.values.length === 0) continue;
      const { kind, name, labels, values } = noted;
      counts.push({ kind, name, labels, values });
      noted.values = [];
    }
    return counts;
  }

  #note(kind: LaneCount["kind"], name: string, labels: Labels): Noted {
    const key = `${kind} ${name} ${JSON.stringify(labels)}`;
    let noted = this.#noted.get(key);
    if (noted === undefined) this.#noted.set(key, noted = { kind, name, labels, values: [] });
    return noted;
  }
}

/** Counts in the engine what was counted in a lane. */
export function addCounts(counts: readonly LaneCount[], meter: Meter): void {
  for (const { kind, name, labels, values } of counts) {
    for (const value of values) {
      if (kind === "counter") meter.counter(name, labels).add(value);
      else if (kind === "gauge") meter.gauge(name, labels).set(value);
      else meter.histogram(name, labels).record(value);
    }
  }
}
