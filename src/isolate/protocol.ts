/** Owns the messages between the supervisor and the isolates it starts. Plain data; ports are transferred beside them. */

import type { Data } from "../base/mod.ts";
import type { PipelineDocument } from "../config/mod.ts";
import type { ErrorRecord } from "../diagnostics/mod.ts";
import type { EngineCounts, LaneAnswer, LaneBatch, Outcome } from "../engine/mod.ts";
import type { ReplayReport, ReplayRequest } from "../replay/mod.ts";
import type { Durability } from "../store/mod.ts";
import type { LogFields, LogLevel } from "../telemetry/mod.ts";

/** What a pipeline's isolate is told when it starts. */
export interface PipelineStart {
  readonly document: PipelineDocument;
  readonly durability: Durability;
  readonly spoolRetention: number;
  readonly writeBatch: { readonly maxRows: number; readonly maxWaitMs: number };
  readonly parameters: { readonly [name: string]: Data };
  readonly runId?: string;
  /** The transforms that may have lanes. Default: none. */
  readonly lanes?: readonly string[];
  /** What is to be replayed: the sources stay off then. Default: nothing. */
  readonly replay?: ReplayRequest;
}

/** What a store's isolate is told when it starts. */
export interface StoreIsolateStart {
  readonly path: string;
  /** Whether it is only read, and what is written stays in memory. Default false. */
  readonly shadow?: boolean;
  readonly durability: Durability;
}

/** Supervisor to store isolate. */
export type ToStore =
  /** Comes first and once, with the port to the pipeline's isolate transferred beside it. */
  | { readonly kind: "open"; readonly start: StoreIsolateStart; readonly port: MessagePort }
  /** The pipeline's isolate is gone: a store that it has not closed is to be closed. */
  | { readonly kind: "client_lost" };

/** A line for the log, on its way to the supervisor. */
export interface LogLine {
  readonly kind: "log";
  readonly level: LogLevel;
  readonly message: string;
  readonly fields?: LogFields;
}

/** Store isolate to supervisor. */
export type FromStore =
  | LogLine
  /** The store is closed, its file handle released. Comes last. */
  | { readonly kind: "closed" };

/** Supervisor to pipeline isolate. */
export type ToPipeline =
  /** Comes first and once. Without a port the store is in memory. */
  | { readonly kind: "start"; readonly start: PipelineStart; readonly store: MessagePort | undefined }
  /** Stop accepting and drain; the outcome is `interrupted`. */
  | { readonly kind: "stop" }
  /** The store's isolate died: no call to it will be answered. */
  | { readonly kind: "store_died"; readonly error: ErrorRecord }
  /** The lane that was asked for under this number; its end of the port is transferred beside it. */
  | { readonly kind: "lane"; readonly id: number; readonly port: MessagePort }
  /** That lane's isolate died, or was not granted. */
  | { readonly kind: "lane_died"; readonly id: number; readonly error: ErrorRecord };

/** Pipeline isolate to supervisor. */
export type FromPipeline =
  /** Workers and sources run. */
  | { readonly kind: "started" }
  /** Twice a second while it runs. */
  | { readonly kind: "status"; readonly counts: EngineCounts }
  | LogLine
  /** Asks for a lane of a transform, under a number of its own. */
  | { readonly kind: "open_lane"; readonly id: number; readonly node: string }
  /** That lane is not needed any more. */
  | { readonly kind: "drop_lane"; readonly id: number }
  /** What a replay has done; comes before its end. */
  | { readonly kind: "replayed"; readonly report: ReplayReport }
  /** Comes last. */
  | { readonly kind: "ended"; readonly outcome: Outcome };

/** Supervisor to a lane's isolate: comes first and once, with the port to the pipeline's isolate beside it. */
export interface ToLane {
  readonly kind: "serve_lane";
  readonly start: PipelineStart;
  readonly node: string;
  readonly port: MessagePort;
}

/** Lane isolate to supervisor. */
export type FromLane = LogLine;

/** Pipeline isolate to a lane's, over their port. */
export type LaneCall =
  /** Comes first and once: where the lane counts the messages that it has begun. */
  | { readonly kind: "begin"; readonly begun: SharedArrayBuffer }
  | { readonly kind: "apply"; readonly batch: LaneBatch }
  /** Comes last. */
  | { readonly kind: "close" };

/** A lane's isolate to the pipeline's, over their port. */
export type LaneReply =
  /** The transform is initialised; these codecs can be decoded. */
  | { readonly kind: "ready"; readonly codecs: readonly string[] }
  /** It could not be. Comes last. */
  | { readonly kind: "refused"; readonly error: ErrorRecord }
  /** To the batches in the order in which they came. */
  | { readonly kind: "answer"; readonly answer: LaneAnswer }
  /** The transform is closed. Comes last. */
  | { readonly kind: "closed" };
