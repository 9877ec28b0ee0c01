/** Owns how batches reach a node: which policy holds when several edges feed one, how large it may be. */

/** Limit of one attempt where no edge of the batch sets one. */
export const ATTEMPT_TIMEOUT_MS = 30_000;

/** Messages a node's queue holds; an edge's `buffer.max_events` raises it. */
export const NODE_QUEUE_MESSAGES = 128;

/** How messages pass one edge. */
export interface EdgeDelivery {
  readonly retries: number;
  readonly backoff: "exponential" | "constant";
  /** Limit of one attempt; {@linkcode ATTEMPT_TIMEOUT_MS} where absent. */
  readonly timeoutMs?: number;
}

/** What holds for messages injected into a node, which came over no edge: the defaults of an edge. */
const INJECTED_DELIVERY: EdgeDelivery = { retries: 3, backoff: "exponential" };

/** How one batch is delivered. */
export interface BatchPolicy {
  readonly retries: number;
  readonly backoff: "exponential" | "constant";
  readonly timeoutMs: number;
}

/**
 * The strictest of the edges' policies: most retries, longest explicit timeout; the default timeout only where no edge
 * sets one. Exponential backoff wins over constant, since it is the gentler one. Undefined stands for an injection.
 */
export function strictestPolicy(
  deliveries: Iterable<EdgeDelivery | undefined>,
  attemptTimeoutMs: number = ATTEMPT_TIMEOUT_MS,
): BatchPolicy {
  let retries = 0;
  let explicitMs: number | undefined;
  let backoff: BatchPolicy["backoff"] = "constant";
  for (const delivery of deliveries) {
    const policy = delivery ?? INJECTED_DELIVERY;
    retries = Math.max(retries, policy.retries);
    if (policy.timeoutMs !== undefined) explicitMs = Math.max(explicitMs ?? 0, policy.timeoutMs);
    if (policy.backoff === "exponential") backoff = "exponential";
  }
  return { retries, backoff, timeoutMs: explicitMs ?? attemptTimeoutMs };
}

/** What a sink's node and plugin say of its batches. */
export interface SinkBatching {
  /** As the document says. Absent: adaptive. */
  readonly batch?: { readonly size: number };
  /** As the plugin says. */
  readonly maxBatch: number;
}

/** Most messages that any sink is given at once: what a document may ask for. */
const BATCH_MESSAGES_MAX = 100_000;

/** Most messages of one batch for a sink: as its document says, or as its plugin does, which may say anything. */
export function batchMessagesMax({ batch, maxBatch }: SinkBatching): number {
  const asked = Math.floor(batch?.size ?? maxBatch);
  return asked >= 1 ? Math.min(asked, BATCH_MESSAGES_MAX) : 1;
}
