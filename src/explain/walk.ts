/** Owns what a walk of one message through a plan gives: step by step, as plain data in the form that JSON shows. */

import type { Data, DataChange } from "../base/mod.ts";

/**
 * What became of a message in a node. `passed`: it left, changed or not. `given`: the sink would be given it. `filtered`:
 * it ends here and commits. `dead_letter`: it failed. `dropped`: it failed on an edge that is not required.
 * `not_executed`: the node is of a kind that explain does not execute. `unknown`: whether it gets here depends on such
 * a node.
 */
export type WalkState = "passed" | "given" | "filtered" | "dead_letter" | "dropped" | "not_executed" | "unknown";

/** One edge out of a node, evaluated once on what leaves it. */
export interface WalkEdge {
  readonly edge: string;
  readonly to: string;
  /** Text of its condition; absent where it has none. */
  readonly condition?: string;
  /** Whether the message takes it; absent where that cannot be told. */
  readonly taken?: boolean;
  /** Why the condition could not be evaluated, which counts as not met. */
  readonly error?: string;
  /** Number of the step it leads to; absent where it is not taken, or the walk is cut short. */
  readonly step?: number;
}

/** One message that leaves a node. */
export interface WalkOutput {
  readonly payload: Data;
  readonly meta: Data;
  /** How it differs from the message that came in; of several outputs, each payload is told as new. */
  readonly changes: readonly DataChange[];
  readonly edges: readonly WalkEdge[];
  /** Whether no edge takes it: it commits as filtered. */
  readonly filtered: boolean;
}

/** How a message failed for good. */
export interface WalkFailure {
  readonly class: string;
  readonly reason: string;
  readonly backtrace?: string;
  /** How often the engine would try before it gives up. */
  readonly attempts: number;
}

/** What a sink would be given. */
export interface WalkEncoded {
  readonly codec: string;
  /** Bytes. */
  readonly size: number;
  /** What they say, where they are UTF-8 text. */
  readonly text?: string;
  /** What they are elsewhere, as base64. */
  readonly base64?: string;
  /** Whether they are the bytes that arrived. */
  readonly as_arrived: boolean;
  /** Whether a part is masked: named by `telemetry.redact`, or a secret of the document. */
  readonly masked: boolean;
}

/** A message in a node. */
export interface WalkStep {
  readonly step: number;
  readonly node: string;
  readonly kind: "source" | "transform" | "sink";
  readonly plugin: string;
  /** The edge it came over; absent where the walk begins. */
  readonly edge?: string;
  readonly state: WalkState;
  /** Why it was not executed. */
  readonly note?: string;
  /** What a script printed. */
  readonly printed?: readonly string[];
  /** What left the node; absent where it ends here. */
  readonly outputs?: readonly WalkOutput[];
  /** Edges that cannot be decided, since the node was not executed or may not be reached. */
  readonly undecided?: readonly WalkEdge[];
  readonly failure?: WalkFailure;
  readonly order_key?: string;
  readonly encoded?: WalkEncoded;
}

/** How many branches of the message ended how. */
export interface WalkTotals {
  readonly given: number;
  readonly filtered: number;
  readonly dead_letters: number;
  readonly dropped: number;
  /** Nodes that were not executed. */
  readonly not_executed: number;
}

/** A walk of one message. */
export interface Walk {
  /** The node it entered at. */
  readonly at: string;
  /** The codec the message was in. */
  readonly codec: string;
  /** The message as decoded; absent where it could not be, or held none. */
  readonly payload?: Data;
  readonly meta: Data;
  readonly steps: readonly WalkStep[];
  readonly totals: WalkTotals;
  /** Whether it was cut short, because a message became too many. */
  readonly truncated: boolean;
}
