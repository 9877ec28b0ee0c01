/** Owns the retries of a batch: which policy holds, and how long each waits. */

import { backoffMs } from "../base/mod.ts";
import type { PlanEdge } from "../plan/mod.ts";
import { type BatchPolicy, strictestPolicy } from "../plugin/mod.ts";
import type { EngineOptions } from "./options.ts";

/** The policy of a batch that came over these edges. */
export function batchPolicy(edges: Iterable<PlanEdge | undefined>, options: EngineOptions): BatchPolicy {
  return strictestPolicy([...edges].map((edge) => edge?.delivery), options.attemptTimeoutMs);
}

/** How long to wait after the given number of failed attempts; a peer's own wish is honoured when it is longer. */
export function retryWaitMs(
  policy: BatchPolicy,
  failedAttempts: number,
  options: EngineOptions,
  retryAfterMs = 0,
): number {
  const own = backoffMs(
    { kind: policy.backoff, baseMs: options.backoffBaseMs, maxMs: options.backoffMaxMs },
    failedAttempts - 1,
    options.random,
  );
  return Math.max(own, Math.min(retryAfterMs, RETRY_AFTER_MAX_MS));
}

/** Longest time a peer may ask us to wait: beyond that its answer is more likely wrong than meant. */
const RETRY_AFTER_MAX_MS = 15 * 60 * 1000;
