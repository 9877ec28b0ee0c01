/** Owns plans written by hand: the engine's tests need no YAML and no registry. */

import type { ConditionLanguage, Predicate } from "../../src/languages/mod.ts";
import type { Plan, PlanCodec, PlanEdge, PlanNode } from "../../src/plan/mod.ts";
import {
  type Codec,
  CodecError,
  type PluginContext,
  type Sink,
  type Source,
  type Transform,
} from "../../src/plugin/mod.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

/** JSON, the plain way: what the engine's tests say must not depend on the fast one. */
export const plainJson: Codec = {
  decode(bytes) {
    try {
      return JSON.parse(decoder.decode(bytes));
    } catch (caught) {
      throw new CodecError(caught instanceof Error ? caught.message : String(caught));
    }
  },
  encode(payload) {
    const text = JSON.stringify(payload);
    if (text === undefined) throw new CodecError("cannot encode as JSON");
    return encoder.encode(text);
  },
};

/** An edge of a plan by hand; left out: always, required, no retries. */
export interface EdgeFixture {
  readonly from: string;
  readonly when?: Predicate;
  /** Language the condition is said to be in; left out: CEL. */
  readonly lang?: ConditionLanguage;
  readonly required?: boolean;
  readonly retries?: number;
  readonly backoff?: "exponential" | "constant";
  readonly timeoutMs?: number;
  readonly bufferEvents?: number;
}

/** A node of a plan by hand. */
export type NodeFixture =
  | { readonly source: Source; readonly codec?: PlanCodec; readonly ends?: boolean }
  | {
    /** A function makes one wherever one is made. */
    readonly transform: Transform | ((context: PluginContext) => Transform);
    readonly from: readonly (string | EdgeFixture)[];
    readonly workers?: number;
    /** Whether several workers are lanes. */
    readonly lanes?: boolean;
  }
  | {
    readonly sink: Sink;
    readonly from: readonly (string | EdgeFixture)[];
    readonly batch?: { readonly size: number; readonly timeoutMs: number };
    readonly maxBatch?: number;
    readonly orderKey?: (scope: { readonly payload: unknown }) => string;
  };

/** A plan by hand. Nodes in an order in which every node comes before those that depend on it. */
export interface PlanFixture {
  readonly nodes: { readonly [name: string]: NodeFixture };
  readonly maxInFlight?: number;
  readonly drainTimeoutMs?: number;
  readonly mode?: Plan["mode"];
  readonly deadLetterRetentionMs?: number;
}

const JSON_CODEC: PlanCodec = { name: "json", codec: plainJson };

/** Makes the plan. */
export function planFixture(fixture: PlanFixture): Plan {
  const edges: PlanEdge[] = [];
  for (const [to, node] of Object.entries(fixture.nodes)) {
    if ("source" in node) continue;
    for (const given of node.from) {
      edges.push(makeEdge(edges.length, to, typeof given === "string" ? { from: given } : given));
    }
  }
  return {
    name: "fixture",
    directory: "/",
    mode: fixture.mode ?? "batch",
    constants: {},
    nodes: Object.entries(fixture.nodes).map(([name, node]) => makeNode(name, node, edges)),
    edges,
    codecs: new Map([["json", JSON_CODEC]]),
    limits: { maxInFlight: fixture.maxInFlight ?? 10_000, drainTimeoutMs: fixture.drainTimeoutMs ?? 1_000 },
    ...(fixture.deadLetterRetentionMs === undefined ? {} : { deadLetterRetentionMs: fixture.deadLetterRetentionMs }),
    spanSampleRate: 0,
    needs: {},
    needsByNode: new Map(),
  };
}

function makeEdge(id: number, to: string, edge: EdgeFixture): PlanEdge {
  const { when, lang = "cel" } = edge;
  return {
    id,
    from: edge.from,
    to,
    label: `${edge.from}->${to}`,
    ...(when === undefined ? {} : { condition: { lang, text: "fixture", bind: () => when } }),
    required: edge.required ?? true,
    delivery: {
      retries: edge.retries ?? 0,
      backoff: edge.backoff ?? "constant",
      ...(edge.timeoutMs === undefined ? {} : { timeoutMs: edge.timeoutMs }),
    },
    bufferEvents: edge.bufferEvents ?? 128,
  };
}

function makeNode(name: string, node: NodeFixture, edges: readonly PlanEdge[]): PlanNode {
  const base = {
    name,
    plugin: "fixture",
    outputs: edges.filter((edge) => edge.from === name),
    inputs: edges.filter((edge) => edge.to === name),
  };
  if ("source" in node) {
    return {
      ...base,
      kind: "source",
      decoder: node.codec ?? JSON_CODEC,
      ends: node.ends ?? true,
      create: () => node.source,
    };
  }
  if ("transform" in node) {
    const { transform, workers = 1, lanes = false } = node;
    const create = typeof transform === "function" ? transform : () => transform;
    return { ...base, kind: "transform", workers, lanes, create };
  }
  const { orderKey } = node;
  return {
    ...base,
    kind: "sink",
    encoder: JSON_CODEC,
    ...(node.batch === undefined ? {} : { batch: node.batch }),
    maxBatch: node.maxBatch ?? 100,
    ...(orderKey === undefined ? {} : { orderKey: { bind: () => orderKey } }),
    create: () => node.sink,
  };
}
