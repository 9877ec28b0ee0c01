/** Owns the engine's options and the reason for each default. */

import {
  BACKOFF_BASE_MS,
  BACKOFF_MAX_MS,
  type Clock,
  type Data,
  type Random,
  systemClock,
  systemRandom,
} from "../base/mod.ts";
import { type Meta, type MetaValue, SEGMENT_MESSAGES_MAX } from "../message/mod.ts";
import { ATTEMPT_TIMEOUT_MS, NODE_QUEUE_MESSAGES } from "../plugin/mod.ts";
import type { Durability } from "../store/mod.ts";
import { type Logger, type Meter, silentLogger, silentMeter } from "../telemetry/mod.ts";
import type { LaneProvider } from "./lane.ts";

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
  /** How long one call of a plugin may take before a warning is logged. */
  readonly slowCallWarnMs: number;
  /** Least time between two commits of one source's state: each costs a store write and may cost a sink sync. */
  readonly sourceCommitIntervalMs: number;
  /** Wait before a failed commit of a source is tried again, should no message commit before. */
  readonly sourceCommitRetryMs: number;
  /** How long a checkpoint waits for an append to ride with before it goes alone. */
  readonly checkpointIdleMs: number;
  /** Bytes of payload in flight at which admission waits. */
  readonly inFlightBytesMax: number;
  /** `max_in_flight` times this is the furthest the newest sequence may be from the frontier. */
  readonly frontierLagFactor: number;
  readonly parameters: { readonly [name: string]: Data };
  /** Metadata stamped on every live message, such as a run's id. */
  readonly stamps: { readonly [key: string]: MetaValue };
  readonly runId: string | undefined;
  /** Isolates for transforms with several workers; without, these share the engine's. */
  readonly lanes: LaneProvider | undefined;
  /** What a log line may quote of a text about a message. Dead letters are kept as they are. */
  readonly masked: (text: string, message: { readonly payload: unknown; readonly meta: Meta }) => string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly meter: Meter;
}

/** Fills in what was left out. */
export function resolveEngineOptions(given: Partial<EngineOptions> = {}): EngineOptions {
  const durability = given.durability ?? "power";
  return {
    durability,
    // Enough to look back at what just passed, little enough not to matter on disk.
    spoolRetention: given.spoolRetention ?? 10_000,
    segmentMessagesMax: given.segmentMessagesMax ?? SEGMENT_MESSAGES_MAX,
    nodeQueueMessages: given.nodeQueueMessages ?? NODE_QUEUE_MESSAGES,
    backoffBaseMs: given.backoffBaseMs ?? BACKOFF_BASE_MS,
    backoffMaxMs: given.backoffMaxMs ?? BACKOFF_MAX_MS,
    deadLetterRetryMs: given.deadLetterRetryMs ?? 500,
    attemptTimeoutMs: given.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS,
    slowCallWarnMs: given.slowCallWarnMs ?? 5_000,
    // Under `process` each commit syncs the sinks first, which `power` has done batch by batch.
    sourceCommitIntervalMs: given.sourceCommitIntervalMs ?? (durability === "process" ? 50 : 0),
    sourceCommitRetryMs: given.sourceCommitRetryMs ?? 500,
    // Longer than the gap between two turns of a busy producer, shorter than anybody notices.
    checkpointIdleMs: given.checkpointIdleMs ?? 20,
    inFlightBytesMax: given.inFlightBytesMax ?? 64 * 1024 * 1024,
    frontierLagFactor: given.frontierLagFactor ?? 8,
    parameters: given.parameters ?? {},
    stamps: given.stamps ?? {},
    runId: given.runId,
    lanes: given.lanes,
    masked: given.masked ?? ((text) => text),
    clock: given.clock ?? systemClock,
    random: given.random ?? systemRandom,
    log: given.log ?? silentLogger,
    meter: given.meter ?? silentMeter,
  };
}
