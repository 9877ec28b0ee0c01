/** Owns the contract of a source. */

import type { Emission } from "../message/mod.ts";

/**
 * Hands a batch to the engine and gives its buffers away. Resolves when all of it is durable; waits while the engine
 * holds back. A batch is accepted or refused as a whole, and several may be under way at once: they become durable in
 * the order of the calls, and when one is refused, so are those behind it.
 * @throws {EventboatError} `shutdown`: the engine stops, nothing was accepted, return quietly. `refused`: nothing is
 * durable, the batch may be sent again with the same numbers. `batch_too_large`: it never fits.
 */
export type Emit = (batch: Emission) => Promise<void>;

/**
 * Where messages come from. The engine calls `init` once, then `run` (or `pull` where there is one and the pipeline
 * wants an end), `commit` any number of times while that goes on and after it ended, then `close`.
 */
export interface Source {
  /** Called once, with the bytes the last durable `commit` returned, or undefined on a first start. */
  init(state: Uint8Array | undefined): void | Promise<void>;
  /**
   * Resolves when the source is exhausted, or soon after the signal aborts; rejects when it failed, which ends the
   * pipeline as failed.
   */
  run(emit: Emit, signal: AbortSignal): Promise<void>;
  /** Reads everything there is once, then resolves. Only for the capability `pull`. */
  pull?(emit: Emit, signal: AbortSignal): Promise<void>;
  /**
   * Everything up to and including `throughSrcSeq` is committed. Returns the state to be made durable, or undefined
   * where the source keeps none. Never called while another `commit` of the same source is under way; a rejection is
   * retried with the next advance.
   */
  commit(throughSrcSeq: number, signal: AbortSignal): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Called once, after `run` has ended, also when `init` or `run` failed. */
  close(): void | Promise<void>;
}
