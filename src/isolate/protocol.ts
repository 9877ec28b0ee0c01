/** Owns the messages between the supervisor and the isolates it starts. Plain data; ports are transferred beside them. */

import type { Data } from "../base/mod.ts";
import type { PipelineDocument } from "../config/mod.ts";
import type { ErrorRecord } from "../diagnostics/mod.ts";
import type { EngineCounts, Outcome } from "../engine/mod.ts";
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
}

/** What a store's isolate is told when it starts. */
export interface StoreIsolateStart {
  readonly path: string;
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
  | { readonly kind: "store_died"; readonly error: ErrorRecord };

/** Pipeline isolate to supervisor. */
export type FromPipeline =
  /** Workers and sources run. */
  | { readonly kind: "started" }
  /** Twice a second while it runs. */
  | { readonly kind: "status"; readonly counts: EngineCounts }
  | LogLine
  /** Comes last. */
  | { readonly kind: "ended"; readonly outcome: Outcome };
