/** Owns the counting of what an engine does: plain numbers for its status, instruments for export. */

import type { Plan } from "../plan/mod.ts";
import type { Counter, Meter } from "../telemetry/mod.ts";

/** Numbers an engine keeps, by the names of {@linkcode EngineCounts}. */
export type CountName =
  | "messagesIn"
  | "committed"
  | "filtered"
  | "deadLettered"
  | "optionalDrops"
  | "retries"
  | "decodeErrors"
  | "conditionErrors"
  | "spoolFailures"
  | "deadLetterWriteFailures"
  | "backpressureEvents"
  | "replayed";

const COUNT_NAMES: readonly CountName[] = [
  "messagesIn",
  "committed",
  "filtered",
  "deadLettered",
  "optionalDrops",
  "retries",
  "decodeErrors",
  "conditionErrors",
  "spoolFailures",
  "deadLetterWriteFailures",
  "backpressureEvents",
  "replayed",
];

/** How many messages entered and left a node. */
export interface NodeFlow {
  in: number;
  out: number;
}

/** The counters of one engine. */
export class EngineCounters {
  readonly totals: Record<CountName, number>;
  readonly nodes: ReadonlyMap<string, NodeFlow>;
  /** Dead letters by node and class. */
  readonly deadLetters: { [node: string]: { [deadLetterClass: string]: number } } = Object.create(null);
  /** Messages that wait for another attempt at a sink. */
  retrying = 0;
  readonly #meter: Meter;
  readonly #pipeline: string;
  readonly #instruments = new Map<string, Counter>();

  constructor(plan: Plan, meter: Meter) {
    this.totals = Object.fromEntries(COUNT_NAMES.map((name) => [name, 0])) as Record<CountName, number>;
    this.nodes = new Map(plan.nodes.map((node) => [node.name, { in: 0, out: 0 }]));
    this.#meter = meter;
    this.#pipeline = plan.name;
  }

  /** Adds to a total and to the instrument of the given name; the pipeline's label is added. */
  count(
    total: CountName,
    count: number,
    instrument: string,
    labels: { readonly [name: string]: string } = {},
  ): void {
    if (count === 0) return;
    this.totals[total] += count;
    this.instrument(instrument, labels).add(count);
  }

  /** The instrument of that name and these labels, with the pipeline's label added. */
  instrument(name: string, labels: { readonly [name: string]: string } = {}): Counter {
    const key = `${name}\n${Object.values(labels).join("\n")}`;
    let counter = this.#instruments.get(key);
    if (counter === undefined) {
      counter = this.#meter.counter(name, { pipeline: this.#pipeline, ...labels });
      this.#instruments.set(key, counter);
    }
    return counter;
  }

  /** Notes a dead letter under its node and class. */
  deadLetter(node: string, deadLetterClass: string): void {
    const classes = this.deadLetters[node] ??= {};
    classes[deadLetterClass] = (classes[deadLetterClass] ?? 0) + 1;
  }

  /** Counts messages that entered a node. */
  entered(node: string, count: number): void {
    const flow = this.nodes.get(node);
    if (flow !== undefined) flow.in += count;
  }

  /** Counts messages that left a node. */
  left(node: string, count: number): void {
    const flow = this.nodes.get(node);
    if (flow !== undefined) flow.out += count;
  }
}
