/** Owns the contract of a sink, the batch it is given and the errors it throws. */

import type { Message } from "../message/mod.ts";

/** Encoded messages, in order. Views are valid until `write` settles. */
export interface SinkBatch {
  readonly size: number;
  /** The message: payload, meta, id. */
  message(index: number): Message;
  /** Its encoded bytes. */
  bytes(index: number): Uint8Array<ArrayBuffer>;
  /** All encoded messages, each followed by a newline, in one buffer: the cheapest way to write text lines. */
  lines(): Uint8Array<ArrayBuffer>;
  /** What a file of such messages begins with, its newline included; undefined where that is nothing. */
  readonly head?: Uint8Array<ArrayBuffer> | undefined;
}

/** Where messages go. The engine batches, retries, times out and dead-letters. */
export interface Sink {
  /** Called once before the first write; a rejection keeps the engine from starting. */
  open?(): void | Promise<void>;
  /**
   * Writes a batch: resolves when all of it has arrived.
   * @throws {SinkError} the whole batch failed. {@linkcode PartialWriteError} only some messages failed. Anything
   * else counts as a `SinkError` that may be retried.
   */
  write(batch: SinkBatch, signal: AbortSignal): void | Promise<void>;
  /**
   * Makes everything written so far survive a power cut, where `write` does not. Called before a source's state is
   * committed.
   */
  sync?(): void | Promise<void>;
  close(): void | Promise<void>;
}

/** How a failed write is to be treated. */
export interface SinkErrorOptions {
  readonly cause?: unknown;
  /** Whether the same write may succeed another time. Default true. */
  readonly retryable?: boolean;
  /** The peer asked for at least this much time before the next attempt. */
  readonly retryAfterMs?: number;
}

/** A write failed as a whole. */
export class SinkError extends Error {
  override readonly name: string = "SinkError";
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: SinkErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryable = options.retryable ?? true;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** One message of a batch that failed. */
export interface PartialFailure {
  readonly index: number;
  readonly error: SinkError;
}

/** Some messages of a batch failed, the others arrived: only the failed ones are retried or dead-lettered. */
export class PartialWriteError extends SinkError {
  override readonly name = "PartialWriteError";
  readonly failures: readonly PartialFailure[];

  constructor(message: string, failures: readonly PartialFailure[]) {
    super(message, { retryable: failures.some((failure) => failure.error.retryable) });
    this.failures = failures;
  }
}
