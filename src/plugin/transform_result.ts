/** Owns what a transform may give for a message: none, one or several, all of them made from that message. */

import { EventboatError } from "../diagnostics/mod.ts";
import { Message } from "../message/mod.ts";
import { TRANSFORM_FAILURE_KINDS, TransformError, type TransformResult } from "./transform.ts";

/** What one message came to: a result, or the error of its last attempt. */
export type Applied = TransformResult | TransformError;

const KINDS: ReadonlySet<string> = new Set(TRANSFORM_FAILURE_KINDS);

/**
 * The result, or a failure where it is none. A message's branches are counted by its sequence, so an output that was
 * made from another message would close that one and leave this one open for ever.
 */
export function checkedResult(given: TransformResult, message: Message): Applied {
  if (given === message || given === undefined) return given;
  if (!Array.isArray(given)) return isFrom(given, message) ? given : garbage(given);
  for (let i = 0; i < given.length; i++) if (!isFrom(given[i], message)) return garbage(given[i]);
  return given;
}

/** Several outputs of one message, told apart by their position, whatever they are called already. */
export function spreadOutputs(results: readonly Message[], outputs: Message[]): void {
  if (results.length === 1) return void outputs.push(results[0]!); // Its length was seen.
  for (const [position, output] of results.entries()) outputs.push(output.derive({ branch: String(position) }));
}

/** What a transform threw, as a dead letter can hold it. A refused permission cannot get better by another try. */
export function asTransformError(caught: unknown): TransformError {
  if (caught instanceof TransformError) return isWellFormed(caught) ? caught : wellFormed(caught);
  const error = EventboatError.from(caught, "internal");
  return new TransformError("other", error.message, {
    cause: caught,
    retryable: error.code !== "permission",
    ...(caught instanceof Error && typeof caught.stack === "string" ? { backtrace: caught.stack } : {}),
  });
}

function isFrom(given: unknown, message: Message): given is Message {
  return given instanceof Message && given.segment === message.segment && given.index === message.index;
}

function garbage(given: unknown): TransformError {
  const found = given instanceof Message ? "another message than it was given" : given === null ? "null" : typeof given;
  return new TransformError("other", `gave ${found}; it must give messages made from the one it was given, or none`, {
    retryable: false,
  });
}

function isWellFormed(error: TransformError): boolean {
  return KINDS.has(error.kind) && (error.backtrace === undefined || typeof error.backtrace === "string");
}

function wellFormed(error: TransformError): TransformError {
  return new TransformError(KINDS.has(error.kind) ? error.kind : "other", error.message, {
    cause: error,
    retryable: error.retryable,
    ...(typeof error.backtrace === "string" ? { backtrace: error.backtrace } : {}),
  });
}
