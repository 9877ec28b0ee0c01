/** Owns what an HTTP client makes of trouble: which answers and errors another attempt may help, and when. */

import type { Clock } from "../../base/mod.ts";
import { reasonOf } from "../../diagnostics/mod.ts";
import { SinkError } from "../../plugin/mod.ts";

/** Answers that another attempt may change: timeouts, too early, too many; and every 5xx. */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);
const SERVER_ERROR_STATUS = 500;
/** How much of an answer's body is told. */
const TOLD_CHARACTERS_MAX = 200;
/** How much of an answer's body is read, unless told, so that its connection can be used again. */
export const DRAINED_BYTES_MAX = 64 * 1024;
const DIGITS_REGEXP = /^\d+$/;
const BLANKS_REGEXP = /\s+/g;
/** What the platform's client puts in front of its reasons: the URL, which the caller names, and its own layers. */
const CLIENT_LAYERS_REGEXP = /^error sending request for url \([^)]*\): (?:client error \(\w+\): )?/;
const QUERY_REGEXP = /\?[^\s)]*/g;

/**
 * Reads an answer's body to its end, or its beginning where it is long, and lets go of it. An unread body would keep
 * its connection and memory. Gives the text that was read.
 */
export async function drain(response: Response, bytesMax: number = DRAINED_BYTES_MAX): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let [text, length] = ["", 0];
  for await (const chunk of response.body) {
    length += chunk.length;
    text += decoder.decode(chunk, { stream: true });
    if (length > bytesMax) break;
  }
  return text;
}

/** The error of an answer other than 2xx. A redirect is one: following it could change or double what was sent. */
export function statusError(what: string, response: Response, body: string, clock: Clock): SinkError {
  const { status } = response;
  const told = body.replace(BLANKS_REGEXP, " ").trim().slice(0, TOLD_CHARACTERS_MAX);
  const redirect = status >= 300 && status < 400 ? ", and redirects are not followed" : "";
  const retryable = isRetryableStatus(status);
  const retryAfterMs = retryable ? parseRetryAfter(response.headers.get("retry-after"), clock.now()) : undefined;
  return new SinkError(`${what}: answered ${status}${redirect}${told === "" ? "" : `: ${told}`}`, {
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Whether another attempt may change an answer of this status. */
export function isRetryableStatus(status: number): boolean {
  return RETRYABLE_STATUSES.has(status) || status >= SERVER_ERROR_STATUS;
}

/** The error of a request that got no answer. Another attempt uses another connection, so it may help. */
export function connectionError(what: string, caught: unknown): SinkError {
  const refused = caught instanceof Deno.errors.NotCapable;
  return new SinkError(`${what}: ${requestReason(caught)}`, { cause: caught, retryable: !refused });
}

/** A URL for messages: a query may hold a secret. */
export function shownUrl(url: string): string {
  return url.replace(QUERY_REGEXP, "?...");
}

/** Why a request got no answer: `fetch` says so only in the cause of its error. */
function requestReason(caught: unknown): string {
  const told = caught instanceof Error && caught.cause instanceof Error ? caught.cause : caught;
  return shownUrl(reasonOf(told).replace(CLIENT_LAYERS_REGEXP, ""));
}

/** Milliseconds a `Retry-After` header asks for: seconds or an HTTP date. Undefined where it says nothing usable. */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (DIGITS_REGEXP.test(text)) return Number(text) * 1000;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
