/** Owns the outline of a plan: what each node and edge would do, told without executing anything. */

import { BACKOFF_BASE_MS, BACKOFF_MAX_MS } from "../base/mod.ts";
import type { Plan, PlanCodec, PlanEdge, PlanNode, PlanNodeAbout, PlanSink, PlanTransform } from "../plan/mod.ts";
import {
  ATTEMPT_TIMEOUT_MS,
  batchMessagesMax,
  NODE_QUEUE_MESSAGES,
  strictestPolicy,
  TRANSFORM_FAILURE_KINDS,
} from "../plugin/mod.ts";

/** Who said a value: the edge, `edge_defaults`, the default of an edge, or the engine's own. */
export type OutlineOrigin = "edge" | "edge_defaults" | "default" | "engine";

/** A value and who said it. */
export interface Resolved<Value> {
  readonly value: Value;
  readonly from: OutlineOrigin;
}

/** How often and how patiently something is tried. */
export interface PolicyOutline {
  readonly retries: number;
  readonly backoff: "exponential" | "constant";
  /** The first wait, in milliseconds; with `constant` every wait. */
  readonly first_wait_ms: number;
  /** The longest wait. */
  readonly longest_wait_ms: number;
  /** Limit of one attempt. */
  readonly timeout_ms: number;
}

/** A condition. */
export interface ConditionOutline {
  readonly lang: string;
  readonly text: string;
  /** The name of a `route:` edge. */
  readonly route?: string;
  /** Paths it depends on; absent where that is not known. */
  readonly reads?: readonly string[];
}

/** An edge. */
export interface EdgeOutline {
  readonly edge: string;
  readonly from: string;
  readonly to: string;
  /** Absent: always taken. */
  readonly condition?: ConditionOutline;
  readonly required: Resolved<boolean>;
  readonly delivery: {
    readonly retries: Resolved<number>;
    readonly backoff: Resolved<"exponential" | "constant">;
    readonly timeout_ms: Resolved<number>;
  };
  readonly buffer_events: Resolved<number>;
  /** What becomes of a message that came over this edge and fails for good. */
  readonly on_failure: "dead_letter" | "drop";
}

/** One way in which a message may fail in a node. */
export interface FailureOutline {
  readonly when: "decode" | "transform" | "order_key" | "encode" | "write";
  /** Classes that its dead letter may have. */
  readonly classes: readonly string[];
  /** Whether it may be tried again, as the edge says; a script that fails is not, since it would fail again. */
  readonly retried: boolean;
}

/** A codec as a node names it. */
export interface CodecOutline {
  readonly name: string;
  /** The plugin that makes it; absent where that is not known. */
  readonly plugin?: string;
}

/** A node. */
export interface NodeOutline {
  readonly node: string;
  readonly kind: "source" | "transform" | "sink";
  readonly plugin: string;
  readonly version?: number;
  readonly summary?: string;
  readonly note?: string;
  /** Constants and parameters that its block reads. */
  readonly reads?: readonly string[];
  /** Of a source. */
  readonly decoder?: CodecOutline;
  /** Of a source: whether its run ends by itself. */
  readonly ends?: boolean;
  /** Of a transform: paths it may write. */
  readonly writes?: readonly string[];
  readonly workers?: number;
  /** Of a transform: whether its workers are isolates of their own. */
  readonly lanes?: boolean;
  /** Of a transform: whether a walk executes it. */
  readonly explain_safe?: boolean;
  /** Of a sink. */
  readonly encoder?: CodecOutline;
  /** Of a sink: `size` messages at most; without `timeout_ms` a batch is what waits. */
  readonly batch?: { readonly size: number; readonly timeout_ms?: number };
  readonly order_key?: { readonly text: string; readonly reads?: readonly string[] };
  /** Of a node with several edges into it: what holds for a batch that came over all of them. */
  readonly mixed_batch?: PolicyOutline;
  /** Messages its queue holds; absent for a source. */
  readonly queue_events?: number;
  readonly failures: readonly FailureOutline[];
}

/** A plan in outline. */
export interface PlanOutline {
  readonly pipeline: string;
  readonly mode: string;
  readonly max_in_flight: number;
  /** How long dead letters are kept; absent: until they are deleted. */
  readonly dead_letter_retention_ms?: number;
  readonly nodes: readonly NodeOutline[];
  readonly edges: readonly EdgeOutline[];
}

/** Tells what a plan would do. Nothing is executed. */
export function outlinePlan(plan: Plan): PlanOutline {
  const { deadLetterRetentionMs: retentionMs } = plan;
  return {
    pipeline: plan.name,
    mode: plan.mode,
    max_in_flight: plan.limits.maxInFlight,
    ...(retentionMs === undefined ? {} : { dead_letter_retention_ms: retentionMs }),
    nodes: plan.nodes.map((node) => outlineNode(node, plan)),
    edges: plan.edges.map(outlineEdge),
  };
}

function outlineNode(node: PlanNode, { limits }: Plan): NodeOutline {
  const about = node.about?.();
  const common = { node: node.name, kind: node.kind, plugin: node.plugin, ...said(about) };
  if (node.kind === "source") {
    const failures: FailureOutline[] = [{ when: "decode", classes: ["decode"], retried: false }];
    return { ...common, decoder: outlineCodec(node.decoder), ends: node.ends, failures };
  }
  const queue = { queue_events: queueEvents(node) };
  if (node.kind === "transform") return { ...common, ...outlineTransform(node, about), ...queue };
  const { batch, orderKey } = node;
  return {
    ...common,
    encoder: outlineCodec(node.encoder),
    batch: {
      size: Math.min(batchMessagesMax(node), limits.maxInFlight),
      ...(batch === undefined ? {} : { timeout_ms: batch.timeoutMs }),
    },
    ...(orderKey === undefined ? {} : { order_key: outlineOrderKey(orderKey) }),
    ...mixedBatch(node),
    ...queue,
    failures: [
      ...(orderKey === undefined ? [] : [{ when: "order_key", classes: ["encode"], retried: false } as const]),
      { when: "encode", classes: ["encode"], retried: false },
      { when: "write", classes: ["delivery"], retried: true },
    ],
  };
}

function said(about: PlanNodeAbout | undefined): Partial<NodeOutline> {
  if (about === undefined) return {};
  const { version, summary, note, reads } = about;
  return {
    version,
    summary,
    ...(note === undefined ? {} : { note }),
    ...(reads.length === 0 ? {} : { reads }),
  };
}

function outlineTransform(node: PlanTransform, about: PlanNodeAbout | undefined) {
  return {
    ...(about?.writes === undefined ? {} : { writes: about.writes }),
    workers: node.workers,
    lanes: node.lanes === true,
    explain_safe: about?.capabilities.includes("explain-safe") === true,
    failures: [{
      when: "transform" as const,
      classes: about?.failureKinds ?? TRANSFORM_FAILURE_KINDS,
      retried: about?.failsForGood !== true,
    }],
  };
}

function outlineOrderKey({ shown, reads }: NonNullable<PlanSink["orderKey"]>): NonNullable<NodeOutline["order_key"]> {
  return { text: shown ?? "an expression", ...(reads === undefined ? {} : { reads }) };
}

function outlineCodec({ name, plugin }: PlanCodec): CodecOutline {
  return { name, ...(plugin === undefined ? {} : { plugin }) };
}

/** A sink's batch may hold messages of all its edges; a transform handles what came over each edge by itself. */
function mixedBatch({ inputs }: PlanSink): Pick<NodeOutline, "mixed_batch"> {
  if (inputs.length < 2) return {};
  const { retries, backoff, timeoutMs } = strictestPolicy(inputs.map(({ delivery }) => delivery));
  return { mixed_batch: { retries, backoff, ...waits(backoff), timeout_ms: timeoutMs } };
}

function waits(backoff: PolicyOutline["backoff"]): Pick<PolicyOutline, "first_wait_ms" | "longest_wait_ms"> {
  return { first_wait_ms: BACKOFF_BASE_MS, longest_wait_ms: backoff === "constant" ? BACKOFF_BASE_MS : BACKOFF_MAX_MS };
}

function queueEvents(node: PlanTransform | PlanSink): number {
  const batch = node.kind === "sink" ? batchMessagesMax(node) : 1;
  return Math.max(NODE_QUEUE_MESSAGES, batch, ...node.inputs.map(({ bufferEvents }) => bufferEvents));
}

function outlineEdge(edge: PlanEdge): EdgeOutline {
  const { label, from, to, condition, required, delivery, bufferEvents, origins } = edge;
  return {
    edge: label,
    from,
    to,
    ...(condition === undefined ? {} : {
      condition: {
        lang: condition.lang,
        text: condition.shown ?? condition.text,
        ...(condition.route === undefined ? {} : { route: condition.route }),
        ...(condition.reads === undefined ? {} : { reads: condition.reads }),
      },
    }),
    required: { value: required, from: origins?.required ?? "edge" },
    delivery: {
      retries: { value: delivery.retries, from: origins?.retries ?? "edge" },
      backoff: { value: delivery.backoff, from: origins?.backoff ?? "edge" },
      timeout_ms: delivery.timeoutMs === undefined
        ? { value: ATTEMPT_TIMEOUT_MS, from: "engine" }
        : { value: delivery.timeoutMs, from: origins?.timeoutMs ?? "edge" },
    },
    buffer_events: { value: bufferEvents, from: origins?.bufferEvents ?? "edge" },
    on_failure: required ? "dead_letter" : "drop",
  };
}
