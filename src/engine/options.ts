/** Owns the engine's options and the reason for each default. */

import type { Clock, Data, Random } from "../base/mod.ts";
import type { MetaValue } from "../message/mod.ts";
import type { Durability } from "../store/mod.ts";
import type { Logger, Meter } from "../telemetry/mod.ts";

/** Everything the engine is told beside its plan and its store; see {@linkcode resolveEngineOptions} for defaults. */
export interface EngineOptions {
  readonly durability: Durability;
  /** Messages kept behind the checkpoint. */
  readonly spoolRetention: number;
  /** Most messages in one segment. */
  readonly segmentMessagesMax: number;
  /** Messages a node's queue holds; an edge's `buffer.max_events` raises it. */
  readonly nodeQueueMessages: number;
  /** First wait of an exponential backoff, and every wait of a constant one. */
  readonly backoffBaseMs: number;
  readonly backoffMaxMs: number;
  /** Wait between two attempts to write a dead letter. */
  readonly deadLetterRetryMs: number;
  /** Limit of one attempt where no edge of the batch sets one. */
  readonly attemptTimeoutMs: number;
  /** How long a stop waits for what is in flight. */
  readonly drainTimeoutMs: number;
  /** Least time between two commits of one source's state: each costs a store write and may cost a sink sync. */
  readonly sourceCommitIntervalMs: number;
  /** Bytes of payload in flight at which admission waits. */
  readonly inFlightBytesMax: number;
  /** `max_in_flight` times this is the furthest the newest sequence may be from the frontier. */
  readonly frontierLagFactor: number;
  readonly parameters: { readonly [name: string]: Data };
  /** Metadata stamped on every live message, such as a run's id. */
  readonly stamps: { readonly [key: string]: MetaValue };
  readonly runId: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly meter: Meter;
}
