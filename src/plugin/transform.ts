/** Owns the contract of a transform and the error it throws. */

import type { Message } from "../message/mod.ts";

/** One message, several, or none (filtered). The message that came in means it passes unchanged. */
export type TransformResult = Message | readonly Message[] | undefined;

/** Changes messages. One instance is used by one worker at a time. */
export interface Transform {
  /** Called once before the first message; a rejection keeps the engine from starting. */
  init(): void | Promise<void>;
  /**
   * Handles one message; never writes into its payload or meta. A promise only where something must be awaited: the
   * plain value keeps the hot path free of turns.
   * @throws {TransformError} or anything else, which counts as kind `other`.
   */
  apply(message: Message, signal: AbortSignal): TransformResult | Promise<TransformResult>;
  /** Another instance for another worker, where state may not be shared. Called after `init`; a throw is fatal. */
  clone?(): Transform | Promise<Transform>;
  close(): void | Promise<void>;
  /** What it remembers across restarts; absent where that is nothing. For a transform with `oneWorker`. */
  readonly memory?: TransformMemory;
}

/**
 * What a transform remembers across restarts, in parts that are made durable one by one. The engine writes the parts
 * that have changed in one transaction with each checkpoint, so that what is durable is never behind what is committed.
 * It may be ahead: a message beyond the checkpoint goes through the transform again after a crash, in a life that knows
 * of it what was written in the last one.
 */
export interface TransformMemory {
  /**
   * Called once, after `init` and before the first message.
   * @param parts what was last made durable, by name; none at the first start, and none that was emptied
   * @param committedThrough every message up to this sequence was committed; those beyond it come again
   */
  restore(parts: ReadonlyMap<string, Uint8Array<ArrayBuffer>>, committedThrough: number): void;
  /** Everything that is not durable yet, as far as {@linkcode TransformMemory.saved} has told. Called often. */
  changes(): MemoryChanges;
  /** All of the changes with this mark are durable; later ones of the same parts are not. */
  saved(mark: number): void;
}

/** What is to be made durable of a {@linkcode TransformMemory}. */
export interface MemoryChanges {
  /** Grows with every change. */
  readonly mark: number;
  /** Whole parts by name; an empty one is forgotten. */
  readonly parts: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** Everything that may go wrong in a transform. */
export const TRANSFORM_FAILURE_KINDS = ["compile", "steps", "timeout", "guest", "runtime", "other"] as const;

/** What went wrong in a transform; also the class of its dead letter. */
export type TransformFailureKind = typeof TRANSFORM_FAILURE_KINDS[number];

/** How a failed message is to be told. */
export interface TransformErrorOptions {
  readonly backtrace?: string;
  readonly cause?: unknown;
  /** Whether the same message may succeed another time. Default true; deterministic transforms say false. */
  readonly retryable?: boolean;
}

/** A transform could not handle one message. */
export class TransformError extends Error {
  override readonly name = "TransformError";
  readonly kind: TransformFailureKind;
  readonly backtrace: string | undefined;
  readonly retryable: boolean;

  constructor(kind: TransformFailureKind, message: string, options: TransformErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.backtrace = options.backtrace;
    this.retryable = options.retryable ?? true;
  }
}
