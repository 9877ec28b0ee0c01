/** Owns the delivery policy of a batch: what holds when several edges feed it. */

import { backoffMs } from "../base/mod.ts";
import type { DeliveryPolicy } from "../config/mod.ts";
import type { PlanEdge } from "../plan/mod.ts";
import type { EngineOptions } from "./options.ts";

/** What holds for messages injected into a node, which came over no edge: the defaults of an edge. */
const INJECTED_POLICY: DeliveryPolicy = { retries: 3, backoff: "exponential" };

/** How one batch is delivered. */
export interface BatchPolicy {
  readonly retries: number;
  readonly backoff: "exponential" | "constant";
  readonly timeoutMs: number;
}

/**
 * The strictest of the edges' policies: most retries, longest explicit timeout; the default timeout only where no edge
 * sets one. Exponential backoff wins over constant, since it is the gentler one.
 */
export function strictestPolicy(edges: Iterable<PlanEdge | undefined>, options: EngineOptions): BatchPolicy {
  let retries = 0;
  let explicitMs: number | undefined;
  let backoff: BatchPolicy["backoff"] = "constant";
  for (const edge of edges) {
    const policy = edge?.delivery ?? INJECTED_POLICY;
    retries = Math.max(retries, policy.retries);
    if (policy.timeoutMs !== undefined) explicitMs = Math.max(explicitMs ?? 0, policy.timeoutMs);
    if (policy.backoff === "exponential") backoff = "exponential";
  }
  return { retries, backoff, timeoutMs: explicitMs ?? options.attemptTimeoutMs };
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
