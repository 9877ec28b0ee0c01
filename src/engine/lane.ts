/**
 * Owns the contract of lanes: isolates beside the engine's own that apply a transform, so that one node may keep
 * several cores busy. The engine says what it needs; whoever hosts it has the isolates. Everything here that crosses
 * is plain data.
 */

import type { EventboatError } from "../diagnostics/mod.ts";
import type { Meta, MetaValue } from "../message/mod.ts";
import type { TransformFailureKind } from "../plugin/mod.ts";

/** Gives an engine its lanes. */
export interface LaneProvider {
  /** Whether the node's workers can be lanes here. Where not, they share the engine's isolate. */
  offers(node: string): boolean;
  /**
   * Opens one more lane for a node; resolves when its transform is initialised.
   * @throws {EventboatError} what `init` threw, `isolate_died`, or the signal's reason.
   */
  open(node: string, signal: AbortSignal): Promise<Lane>;
}

/** One lane. It works on one message at a time, in the order in which it was given batches. */
export interface Lane {
  /** Codecs it can decode: what came in another has to be given to it as a payload. */
  readonly codecs: ReadonlySet<string>;
  /** Messages begun since it was opened, counted in 32 bits before each is applied, and readable while it is busy. */
  readonly begun: number;
  /** Resolves with the reason when the lane dies; never, when it was closed or let go. */
  readonly died: Promise<EventboatError>;
  /**
   * Applies the transform to a batch, whose bytes are the lane's from now on. Throws at once, having sent nothing,
   * where a payload cannot cross. Never settles once the lane has died or was let go.
   */
  apply(batch: LaneBatch): Promise<LaneAnswer>;
  /** Ends it in order: resolves when its transform has been closed. */
  close(): Promise<void>;
  /** Lets go of a lane that is stuck: nothing of what it still does is heard. */
  abandon(): void;
}

/** The part of a segment that a batch needs. */
export interface LaneSegment {
  readonly first: number;
  readonly count: number;
  readonly codec: string;
  readonly source: string;
  readonly injectedAt: string | undefined;
  readonly idBase: Uint8Array<ArrayBuffer>;
  readonly meta: Meta;
  /** Index of the first message that is held here. */
  readonly from: number;
  /** The bytes from the end of message `from - 1` on: the gap before message `from` included. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Ends of the messages from `from` on, in these bytes. */
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly gap: 0 | 1;
  /** Metadata by key of the messages from `from` on. */
  readonly columns: { readonly [key: string]: readonly (MetaValue | undefined)[] };
}

/** Values in a row: the JSON text of them all where JSON says each exactly, which is the fastest, else themselves. */
export type LaneValues = string | readonly unknown[];

/** Values as {@linkcode LaneValues}, where each is to be had by itself: the JSON texts behind each other and their ends. */
export type LaneTexts = { readonly all: string; readonly ends: Uint32Array<ArrayBuffer> } | readonly unknown[];

/** One message of a batch, where it is more than its place in the segment. */
export interface LaneMessage {
  readonly index: number;
  /** Whether the next of {@linkcode LaneBatch.payloads} is its payload. Otherwise its bytes are to be decoded. */
  readonly bringsPayload: boolean;
  readonly payloadChanged: boolean;
  readonly isReplay: boolean;
  readonly branch: string;
  /** The metadata; absent: the segment's. */
  readonly meta?: Meta;
}

/** Messages of one segment on their way to a lane. */
export interface LaneBatch {
  readonly segment: LaneSegment;
  /** The messages; a number is the index of one that is as it arrived. */
  readonly messages: readonly (number | LaneMessage)[];
  readonly payloads: LaneValues;
  /** Limit of one call that waits. */
  readonly timeoutMs: number;
}

/** A message that failed. */
export interface LaneFailure {
  readonly kind: TransformFailureKind;
  readonly message: string;
  readonly backtrace: string | undefined;
  readonly retryable: boolean;
}

/** What a message came to: {@linkcode LaneAnswer.shapes}. A number of 0 or more is a list of so many outputs. */
export const LANE_SHAPES = { same: -1, one: -2, failed: -3 } as const;

/** What the transform changed in an output, added up: {@linkcode LaneAnswer.changes}. */
export const LANE_CHANGES = { payload: 1, meta: 2, branch: 4 } as const;

/** What was counted in a lane since its last answer. */
export interface LaneCount {
  readonly kind: "counter" | "gauge" | "histogram";
  readonly name: string;
  readonly labels: { readonly [name: string]: string };
  /** Increments of a counter summed up, a gauge's last value, records of a histogram. */
  readonly values: readonly number[];
}

/** What became of a batch. Lists are in the order of its messages, and of the outputs of each. */
export interface LaneAnswer {
  /** For each message. */
  readonly shapes: Int32Array<ArrayBuffer>;
  /** For each output. */
  readonly changes: Uint8Array<ArrayBuffer>;
  /** For each output whose payload changed. */
  readonly payloads: LaneTexts;
  /** For each output whose metadata changed. */
  readonly metas: LaneValues;
  /** For each output whose branch changed: what was added. */
  readonly branches: readonly string[];
  /** For each message that failed. */
  readonly failures: readonly LaneFailure[];
  /** How long the lane worked on it. */
  readonly workedMs: number;
  readonly counts: readonly LaneCount[];
}
