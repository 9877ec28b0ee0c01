/** Owns the one error class of run-time trouble and its closed set of codes. */

import { wholeReasonOf } from "./reason.ts";

/** Every code a run-time error can carry. Callers branch on these, never on message text. */
export const ERROR_CODES = [
  /** The command line or an operation's input is wrong. */
  "usage",
  /** The pipeline or Runtime document failed verification. */
  "config_invalid",
  /** A file or directory could not be read, written or created. */
  "io",
  /** The caller stopped what was going on; stop quietly. */
  "shutdown",
  /** A message or batch was not accepted: nothing is durable, it is safe to send again. */
  "refused",
  /** A batch holds more messages or bytes than can ever be admitted. */
  "batch_too_large",
  /** An attempt took longer than its limit. */
  "timeout",
  /** The store cannot be opened. */
  "store_open",
  /** Another process writes this store. */
  "store_locked",
  /** The platform or file system has no working file locks. */
  "store_lock_unsupported",
  /** The store's schema is newer than this program. */
  "store_version",
  /** The store's file is damaged. */
  "store_corrupt",
  /** The store's folder or file cannot be written. */
  "store_readonly",
  /** There is no room on the disk that holds the store. */
  "store_full",
  /** The store answered a write with an error; nothing of it is durable. */
  "store_write",
  /** Whether a write is durable cannot be known; the restart decides. */
  "store_unknown",
  /** The store was closed. */
  "store_closed",
  /** A source ended in an error. */
  "source_failed",
  /** A node cannot run at all. */
  "node_failed",
  /** A sink's write failed. */
  "sink_failed",
  /** A plugin reached for something its isolate may not touch. */
  "permission",
  /** An isolate or child process ended without being asked. */
  "isolate_died",
  /** An expression or script failed while it ran. */
  "expression",
  /** An expression used up its cost limit, or a script its steps. */
  "budget",
  /** A programmer's mistake inside Eventboat: please report it. */
  "internal",
] as const;

/** A code of a run-time error. */
export type ErrorCode = typeof ERROR_CODES[number];

/** What an error may carry beside its message. */
export interface EventboatErrorOptions {
  readonly cause?: unknown;
  /** The node that failed, when one did. */
  readonly node?: string;
  /** What the user can do about it, in one sentence. */
  readonly hint?: string;
}

/**
 * Run-time trouble. The message says what was attempted, what is required and what was found; `code` says what kind
 * of trouble it is.
 */
export class EventboatError extends Error {
  override readonly name = "EventboatError";
  readonly code: ErrorCode;
  readonly node: string | undefined;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: EventboatErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.node = options.node;
    this.hint = options.hint;
  }

  /**
   * Turns anything caught into an `EventboatError`: one passes as it is, an abort becomes `shutdown`, a refused
   * permission `permission`, everything else gets `fallback`.
   */
  static from(caught: unknown, fallback: ErrorCode = "internal", options: EventboatErrorOptions = {}): EventboatError {
    if (caught instanceof EventboatError) return caught;
    const details = { ...options, cause: caught };
    const message = wholeReasonOf(caught);
    if (caught instanceof Error) {
      if (caught.name === "AbortError") return new EventboatError("shutdown", message, details);
      if (caught.name === "TimeoutError") return new EventboatError("timeout", message, details);
      if (caught.name === "NotCapable") return new EventboatError("permission", message, details);
    }
    return new EventboatError(fallback, message, details);
  }

  /** The plain form that crosses an isolate's border; {@linkcode EventboatError.revive} reads it. */
  toRecord(): ErrorRecord {
    return {
      code: this.code,
      message: this.message,
      ...(this.node === undefined ? {} : { node: this.node }),
      ...(this.hint === undefined ? {} : { hint: this.hint }),
    };
  }

  /** Makes the error again from its plain form. */
  static revive(record: ErrorRecord): EventboatError {
    return new EventboatError(record.code, record.message, {
      ...(record.node === undefined ? {} : { node: record.node }),
      ...(record.hint === undefined ? {} : { hint: record.hint }),
    });
  }
}

/** The plain form of an {@linkcode EventboatError}, as it crosses a port and as `--json` prints it. */
export interface ErrorRecord {
  readonly code: ErrorCode;
  readonly message: string;
  readonly node?: string;
  readonly hint?: string;
}
