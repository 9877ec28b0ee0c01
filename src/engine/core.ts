/** Owns what the parts of one engine share. */

import type { EventboatError } from "../diagnostics/mod.ts";
import type { Environment } from "../languages/mod.ts";
import type { Message } from "../message/mod.ts";
import type { Plan, PlanEdge } from "../plan/mod.ts";
import type { Store } from "../store/mod.ts";
import type { FrugalLog } from "../telemetry/mod.ts";
import type { AdmissionGate } from "./admission_gate.ts";
import type { CommitLedger } from "./commit_ledger.ts";
import type { CommitTracker } from "./commit_tracker.ts";
import type { EngineCounters } from "./counters.ts";
import type { EngineOptions } from "./options.ts";
import type { SpentBuffers } from "./spent_buffers.ts";

/** Messages on their way into a node. */
export interface Delivery {
  /** The edge they came over; undefined for messages injected into the node. */
  readonly edge: PlanEdge | undefined;
  readonly messages: readonly Message[];
}

/** What every part may use. */
export interface EngineCore {
  readonly plan: Plan;
  readonly store: Store;
  readonly options: EngineOptions;
  readonly environment: Environment;
  readonly tracker: CommitTracker;
  readonly gate: AdmissionGate;
  readonly ledger: CommitLedger;
  readonly counters: EngineCounters;
  readonly spent: SpentBuffers;
  /** For what may happen to every message. */
  readonly frugalLog: FrugalLog;
  /** Aborts when the engine lets go of everything: what is not committed then stays so. */
  readonly released: AbortSignal;
  /** Aborts when no more messages will come: what waits for company goes at once. */
  readonly draining: AbortSignal;
  /** A node cannot run, or what is durable cannot be known: ends the engine as failed. The first error wins. */
  fail(error: EventboatError): void;
}
