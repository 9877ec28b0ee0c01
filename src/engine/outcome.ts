/** Owns how a run ends. */

import type { ErrorRecord } from "../diagnostics/mod.ts";

/**
 * `completed`: all sources ended and all is committed. `partial`: the same with dead letters. `failed`: the engine
 * stopped itself. `interrupted`: the caller stopped it.
 */
export type RunStatus = "completed" | "partial" | "failed" | "interrupted";

/** How a run ended. Plain data. */
export interface Outcome {
  readonly status: RunStatus;
  readonly counts: EngineCounts;
  /** Why it failed: the first node error, else the first source error. */
  readonly failure?: ErrorRecord;
}

/** What an engine has done since it started, and where it stands. Plain data. */
export interface EngineCounts {
  readonly messagesIn: number;
  readonly committed: number;
  readonly filtered: number;
  readonly deadLettered: number;
  readonly optionalDrops: number;
  readonly retries: number;
  readonly decodeErrors: number;
  readonly conditionErrors: number;
  readonly spoolFailures: number;
  readonly deadLetterWriteFailures: number;
  readonly backpressureEvents: number;
  readonly replayed: number;
  /** Messages with a slot: admitted and not committed. */
  readonly inFlight: number;
  /** Sequences between the frontier and the newest one given. */
  readonly frontierLag: number;
  /** The in-memory frontier. */
  readonly frontier: number;
  /** The durable checkpoint. */
  readonly checkpoint: number;
  readonly nodes: { readonly [node: string]: { readonly in: number; readonly out: number } };
}
