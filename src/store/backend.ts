/** Owns the backend's contract: what a store server asks, one call at a time, of whatever keeps the data. */

import type { DeadLetterMark, DeadLetterQuery, StoreStart, StoreStats } from "./contract.ts";
import type { StoredLetter, StoredLetterRow } from "./stored_letter.ts";
import type { StoredSegment } from "./stored_segment.ts";

/** A source's state as it is to be written. */
export interface SourceState {
  readonly source: string;
  readonly state: Uint8Array<ArrayBuffer>;
}

/** What small things ride a transaction beside its segments. */
export interface Marks {
  /** The highest sequence that will never be used; 0 when none is known. */
  readonly lastVoid: number;
  /** The checkpoint to be reached; 0 leaves it. */
  readonly checkpoint: number;
  readonly states: readonly SourceState[];
}

/** One transaction: whole or not at all. */
export interface WriteGroup extends Marks {
  /** Ascending, without overlap, beyond everything stored. */
  readonly segments: readonly StoredSegment[];
}

/**
 * Keeps a pipeline's data. Synchronous: it has its isolate to itself. Every method throws `EventboatError`, whose code
 * decides what the caller is told: `store_unknown` means that nobody can say whether the write is durable and that
 * the backend takes no further write; any other code means that nothing of the call is durable.
 *
 * Buffers that are handed in belong to the backend; what a read returns belongs to the caller.
 */
export interface StoreBackend {
  /** What was found at opening. */
  readonly start: StoreStart;
  commit(group: WriteGroup): void;
  writeDeadLetters(letters: readonly StoredLetter[], lastVoid: number): void;
  readSegments(afterSeq: number, bytesMax: number): StoredSegment[];
  trim(seq: number): void;
  sweepDeadLetters(beforeMs: number, rowsMax: number): number;
  readDeadLetters(query: DeadLetterQuery): StoredLetterRow[];
  deleteDeadLetters(ids: readonly number[]): number;
  discardDeadLetters(marks: readonly DeadLetterMark[]): number;
  stats(): StoreStats;
  /** Housekeeping that nobody waits for; called after a write was answered. Throws only `store_unknown`. */
  maintain(): void;
  close(): void;
}

/** The operations of a backend that faults can be injected into. */
export type BackendOperation = Exclude<keyof StoreBackend, "start" | "maintain" | "close">;

/**
 * A backend that throws this never answers: the server falls silent, as it would under a disk that hangs. Only the
 * fault-injecting backend does.
 */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Bytes of dead letters one read returns at most, beyond the first letter: a page of large ones must fit a heap. */
export const DEAD_LETTER_PAGE_BYTES_MAX = 16 * 1024 * 1024;
