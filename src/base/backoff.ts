/** Owns how long a retry waits. */

import type { Random } from "./random.ts";

/** How waits grow from one attempt to the next. */
export interface BackoffPolicy {
  /** `exponential` doubles from `baseMs` up to `maxMs`; `constant` waits `baseMs` every time. */
  readonly kind: "exponential" | "constant";
  /** The first wait, in milliseconds. Default: {@linkcode BACKOFF_BASE_MS}. */
  readonly baseMs?: number;
  /** The longest wait, in milliseconds. Default: {@linkcode BACKOFF_MAX_MS}. */
  readonly maxMs?: number;
}

/** The first wait of a delivery, in milliseconds. */
export const BACKOFF_BASE_MS = 100;

/** The longest wait of a delivery, in milliseconds. */
export const BACKOFF_MAX_MS = 30_000;

/** How much of an exponential wait is drawn: half, so that those who failed together do not come back together. */
const JITTER_SHARE = 0.5;

/**
 * How long to wait before the next attempt, in milliseconds.
 *
 * @param attempt how many retries came before, from 0
 */
export function backoffMs(policy: BackoffPolicy, attempt: number, random: Random): number {
  const baseMs = policy.baseMs ?? BACKOFF_BASE_MS;
  if (policy.kind === "constant") return baseMs;
  const fullMs = Math.min(policy.maxMs ?? BACKOFF_MAX_MS, baseMs * 2 ** attempt);
  return fullMs * (1 - JITTER_SHARE * random.fraction());
}
