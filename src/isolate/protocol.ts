/** Owns the messages between the supervisor and a pipeline's isolate. Plain data; ports are transferred beside them. */

import type { PipelineDocument } from "../config/mod.ts";
import type { Data } from "../base/mod.ts";
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
  readonly logLevel: LogLevel;
  readonly parameters: { readonly [name: string]: Data };
  readonly runId?: string;
}

/** Supervisor to pipeline isolate. */
export type ToPipeline =
  /** Comes first and once; the port to the store isolate is transferred with it (none: a store in memory). */
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
  | { readonly kind: "log"; readonly level: LogLevel; readonly message: string; readonly fields?: LogFields }
  /** Comes last; the isolate closes itself afterwards. */
  | { readonly kind: "ended"; readonly outcome: Outcome };
