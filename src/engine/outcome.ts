/** Owns how a run ends. */

import type { ErrorRecord, EventboatError } from "../diagnostics/mod.ts";

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
  /** Messages that wait for another attempt at a sink. */
  readonly retrying: number;
  /** Dead letters by node and class. */
  readonly deadLetters: { readonly [node: string]: { readonly [deadLetterClass: string]: number } };
  readonly nodes: { readonly [node: string]: { readonly in: number; readonly out: number } };
}

/** What an outcome is made of. */
export interface OutcomeFacts {
  readonly counts: EngineCounts;
  readonly nodeError: EventboatError | undefined;
  readonly sourceError: EventboatError | undefined;
  readonly stoppedByCaller: boolean;
}

/** The one place that says how a run ended: node failure, source failure, caller's stop, dead letters, completed. */
export function classifyOutcome(facts: OutcomeFacts): Outcome {
  const failure = facts.nodeError ?? facts.sourceError;
  if (failure !== undefined) return { status: "failed", counts: facts.counts, failure: failure.toRecord() };
  if (facts.stoppedByCaller) return { status: "interrupted", counts: facts.counts };
  return { status: facts.counts.deadLettered > 0 ? "partial" : "completed", counts: facts.counts };
}

/** The counts of an engine that has done nothing. */
export function emptyCounts(): EngineCounts {
  return {
    messagesIn: 0,
    committed: 0,
    filtered: 0,
    deadLettered: 0,
    optionalDrops: 0,
    retries: 0,
    decodeErrors: 0,
    conditionErrors: 0,
    spoolFailures: 0,
    deadLetterWriteFailures: 0,
    backpressureEvents: 0,
    replayed: 0,
    inFlight: 0,
    frontierLag: 0,
    frontier: 0,
    checkpoint: 0,
    retrying: 0,
    deadLetters: {},
    nodes: {},
  };
}
