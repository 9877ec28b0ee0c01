/** Owns the fault scenario: one pipeline with every kind of end, run again and again over one store until it completes. */

import { Engine, type EngineOptions, type Outcome } from "../../src/engine/mod.ts";
import type { Message } from "../../src/message/mod.ts";
import type { Plan } from "../../src/plan/mod.ts";
import { SinkError } from "../../src/plugin/mod.ts";
import { type FaultyBackend, hostStore, type StoreBackend } from "../../src/store/mod.ts";
import { InlineLanes, type LaneFate } from "./inline_lanes.ts";
import { planFixture } from "./plan_fixture.ts";
import { CollectingSink, ListSource, transformOf } from "./plugin_fixtures.ts";
import { isPoison, type TraceEvent } from "./trace.ts";

/** Values the source emits: enough for several segments, few enough to run hundreds of times. */
export const SCENARIO_VALUES = 60;

/** Takes what happens. */
export type Recorder = (event: TraceEvent) => void;

/** `a` gets every message marked by a transform, `b` every one but poison, `optional` none and nobody minds. */
export function scenarioPlan(record: Recorder, inLanes = false): Plan {
  const values = Array.from({ length: SCENARIO_VALUES }, (_, n) => ({ n }));
  const seen = (node: string, message: Message) => {
    const { n } = message.payload as { n: number };
    record({ e: "seen", node, seq: message.seq, id: message.id, n });
    return n;
  };
  const sinkOf = (node: string, check: (n: number) => void) => {
    const sink = new CollectingSink((batch) => {
      for (let i = 0; i < batch.size; i++) check(seen(node, batch.message(i)));
      for (let i = 0; i < batch.size; i++) {
        const message = batch.message(i);
        const value: unknown = JSON.parse(new TextDecoder().decode(batch.bytes(i)));
        record({ e: "wrote", node, seq: message.seq, n: (message.payload as { n: number }).n, value });
      }
    });
    return sink;
  };
  const refuse = (when: (n: number) => boolean) => (n: number) => {
    if (when(n)) throw new SinkError(`refused ${n}`, { retryable: false });
  };
  return planFixture({
    maxInFlight: 25,
    nodes: {
      in: { source: new ListSource(values, { batch: 7 }) },
      mark: {
        from: ["in"],
        transform: transformOf((message) => {
          const n = seen("mark", message);
          return message.derive({ payload: { n, mark: `a${n}` } });
        }),
        ...(inLanes ? { workers: 2, lanes: true } : {}),
      },
      a: { sink: sinkOf("a", () => {}), from: ["mark"] },
      b: { sink: sinkOf("b", refuse(isPoison)), from: ["in"] },
      optional: { sink: sinkOf("optional", refuse(() => true)), from: [{ from: "in", required: false }] },
    },
  });
}

/** Records what becomes durable, below every injected fault. */
export function tracingBackend(inner: StoreBackend, record: Recorder): StoreBackend {
  const decoder = new TextDecoder();
  record({ e: "start", checkpoint: inner.start.checkpoint, lastSeq: inner.start.lastSeq });
  return {
    start: inner.start,
    commit(group) {
      inner.commit(group);
      for (const { first, count } of group.segments) record({ e: "durable", first, count });
      for (const { state } of group.states) record({ e: "state", value: Number(decoder.decode(state)) });
      if (group.checkpoint > 0) record({ e: "checkpoint", seq: group.checkpoint });
    },
    writeDeadLetters(letters, lastVoid) {
      inner.writeDeadLetters(letters, lastVoid);
      for (const { seq, node } of letters) record({ e: "letter", seq, node });
    },
    readSegments: (afterSeq, bytesMax) => inner.readSegments(afterSeq, bytesMax),
    trim: (seq) => inner.trim(seq),
    sweepDeadLetters: (beforeMs, rowsMax) => inner.sweepDeadLetters(beforeMs, rowsMax),
    readDeadLetters: (query) => inner.readDeadLetters(query),
    deleteDeadLetters: (ids) => inner.deleteDeadLetters(ids),
    discardDeadLetters: (marks) => inner.discardDeadLetters(marks),
    stats: () => inner.stats(),
    maintain: () => inner.maintain(),
    close: () => inner.close(),
  };
}

/** The engine's waits, short enough for hundreds of runs; trims early, so that trimming is met too. */
const OPTIONS: Partial<EngineOptions> = {
  backoffBaseMs: 1,
  deadLetterRetryMs: 1,
  checkpointIdleMs: 1,
  spoolRetention: 10,
};

/** Kills the lane that begins one of some messages, once for each: the next one gets through. */
function firstTimeFates(): (text: string) => LaneFate {
  const left = new Set(["11", "12", "40"]);
  return (text) => left.delete(/"n":(\d+)/.exec(text)?.[1] ?? "") ? "dies" : undefined;
}

/** One life of the scenario over a backend; with lanes, `mark` runs in two of them. */
export async function runScenario(
  backend: FaultyBackend,
  record: Recorder,
  { deadlineMs = 60_000, inLanes = false }: { readonly deadlineMs?: number; readonly inLanes?: boolean } = {},
): Promise<Outcome> {
  const store = await hostStore(backend, { deadlineMs });
  const plan = scenarioPlan(record, inLanes);
  const options = inLanes ? { ...OPTIONS, lanes: new InlineLanes(plan, { fate: firstTimeFates() }) } : OPTIONS;
  try {
    const outcome = await new Engine(plan, store, options).run(new AbortController().signal);
    record({ e: "ended", status: outcome.status });
    return outcome;
  } finally {
    await store.close().catch(() => {}); // A store that was made to fail may fail to close; the disk is what counts.
  }
}
