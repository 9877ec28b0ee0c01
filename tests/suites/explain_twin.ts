/** Owns the comparison of explain with the engine: the same messages through both, and what each says of them. */

import { Buffer } from "node:buffer";
import { systemClock, systemRandom } from "../../src/base/mod.ts";
import { Engine, type EngineOptions } from "../../src/engine/mod.ts";
import { type Walk, Walker } from "../../src/explain/mod.ts";
import { type Meta, pack } from "../../src/message/mod.ts";
import type { Plan, PlanNode } from "../../src/plan/mod.ts";
import type { Sink, Source } from "../../src/plugin/mod.ts";
import { openMemoryStore } from "../../src/store/mod.ts";
import { silentMeter } from "../../src/telemetry/mod.ts";

/** Messages that a source is to have emitted, by name of the source. */
export type Samples = ReadonlyMap<string, readonly Uint8Array[]>;

/** What became of messages: a line for each end of a branch, in the order of the lines, and counts. */
export interface Ends {
  readonly lines: readonly string[];
  readonly filtered: number;
  readonly drops: number;
  readonly conditionErrors: number;
}

/** The same as explain tells it. */
export interface ExplainedEnds extends Ends {
  /** Transforms that were met and not executed. */
  readonly notExecuted: number;
}

/** The key of `meta` that tells samples apart. */
const SAMPLE_META = "sample";
const EMISSION_MESSAGES = 64;
const LETTERS_PER_PAGE = 500;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** What the engine makes of the samples, with sources that emit them and sinks that keep what they are given. */
export async function engineEnds(
  plan: Plan,
  samples: Samples,
  parameters: EngineOptions["parameters"] = {},
): Promise<Ends> {
  const lines: string[] = [];
  const nodes = plan.nodes.map((node) => outsideReplaced(node, samples, lines));
  const store = await openMemoryStore();
  try {
    const twin: Plan = { ...plan, mode: "batch", nodes };
    const options = { parameters, backoffBaseMs: 1, backoffMaxMs: 1 };
    const { status, counts, failure } = await new Engine(twin, store, options).run(new AbortController().signal);
    if (failure !== undefined || status === "failed") throw new Error(`the engine failed: ${failure?.message}`);
    for (let last = 0;;) {
      const letters = await store.readDeadLetters({ afterId: last, limit: LETTERS_PER_PAGE });
      if (letters.length === 0) break;
      for (const { id, meta, node, edge, class: kind, reason, backtrace, attempts } of letters) {
        last = id;
        lines.push(deadLine(String(meta[SAMPLE_META]), { node, edge, kind, reason, backtrace, attempts }));
      }
    }
    const { filtered, optionalDrops: drops, conditionErrors } = counts;
    return { lines: lines.sort(), filtered, drops, conditionErrors };
  } finally {
    await store.close();
  }
}

/** What explain makes of them, one by one. */
export async function explainedEnds(
  plan: Plan,
  samples: Samples,
  parameters: EngineOptions["parameters"] = {},
): Promise<ExplainedEnds> {
  const options = { parameters, clock: systemClock, random: systemRandom, meter: silentMeter, stepsMax: 100_000 };
  // What is masked cannot be compared.
  await using walker = new Walker({ ...plan, redact: [], secrets: [] }, options);
  const lines: string[] = [];
  const counts = { filtered: 0, drops: 0, conditionErrors: 0, notExecuted: 0 };
  for (const [at, messages] of samples) {
    for (const [i, bytes] of messages.entries()) {
      const sample = sampleName(at, i);
      const walk = await walker.explain({ bytes, at, meta: sampleMeta(at, i) });
      addWalk(walk, sample, lines);
      counts.filtered += walk.totals.filtered;
      counts.notExecuted += walk.totals.not_executed;
      counts.drops += walk.totals.dropped;
      counts.conditionErrors += conditionErrors(walk);
    }
  }
  return { lines: lines.sort(), ...counts };
}

function outsideReplaced(node: PlanNode, samples: Samples, lines: string[]): PlanNode {
  if (node.kind === "source") return { ...node, create: () => emitting(node.name, samples.get(node.name) ?? []) };
  if (node.kind === "sink") return { ...node, create: () => keeping(node.name, lines) };
  return node;
}

function emitting(name: string, messages: readonly Uint8Array[]): Source {
  return {
    init() {},
    async run(emit) {
      const all = messages.map((bytes, i) => ({ bytes, meta: sampleMeta(name, i) }));
      for (let from = 0; from < all.length; from += EMISSION_MESSAGES) {
        await emit(pack(all.slice(from, from + EMISSION_MESSAGES), from + 1));
      }
    },
    commit: () => undefined,
    close() {},
  };
}

function keeping(name: string, lines: string[]): Sink {
  return {
    write(batch) {
      for (let i = 0; i < batch.size; i++) {
        const sample = String(batch.message(i).meta[SAMPLE_META]);
        lines.push(givenLine(sample, name, shownBytes(batch.bytes(i))));
      }
    },
    close() {},
  };
}

function addWalk(walk: Walk, sample: string, lines: string[]): void {
  if (walk.truncated) throw new Error(`the walk of ${sample} was cut short`);
  for (const { node, edge = "", state, failure, encoded } of walk.steps) {
    if (state === "given") lines.push(givenLine(sample, node, encoded?.text ?? `base64 ${encoded?.base64}`));
    if (state !== "dead_letter" || failure === undefined) continue;
    const { class: kind, reason, backtrace, attempts } = failure;
    lines.push(deadLine(sample, { node, edge, kind, reason, backtrace, attempts }));
  }
}

function conditionErrors({ steps }: Walk): number {
  const edges = steps.flatMap(({ outputs = [] }) => outputs.flatMap((output) => output.edges));
  return edges.filter(({ error }) => error !== undefined).length;
}

/** Bytes as a walk shows them. */
function shownBytes(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return `base64 ${Buffer.from(bytes).toString("base64")}`;
  }
}

/** Metadata of a sample: its name, and an identity, which transforms may copy. */
function sampleMeta(source: string, index: number): Meta {
  const sample = sampleName(source, index);
  return { [SAMPLE_META]: sample, message_id: `id-${sample}` };
}

function sampleName(source: string, index: number): string {
  return `${source}-${index}`;
}

function givenLine(sample: string, sink: string, text: string): string {
  return `${sample} given to ${sink}: ${text}`;
}

interface Dead {
  readonly node: string;
  readonly edge: string;
  readonly kind: string;
  readonly reason: string;
  readonly backtrace: string | undefined;
  readonly attempts: number;
}

function deadLine(sample: string, { node, edge, kind, reason, backtrace = "", attempts }: Dead): string {
  return `${sample} dead in ${node} over "${edge}" as ${kind} after ${attempts}: ${reason} | ${backtrace}`;
}
