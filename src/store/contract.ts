/** Owns the store's contract: what the engine and the operator's verbs may ask of a pipeline's store. */

import type { EventboatError } from "../diagnostics/mod.ts";
import type { Meta, Segment } from "../message/mod.ts";

/** How durable "accepted" is: `power` survives a power cut, `process` a killed process. */
export type Durability = "power" | "process";

/** What a store knew when it was opened. */
export interface StoreStart {
  /** Highest sequence whose whole prefix is committed; 0 for a new store. */
  readonly checkpoint: number;
  /** Highest sequence of a stored message; 0 when the spool is empty. */
  readonly lastSeq: number;
  /** The first sequence that may be given: beyond the last segment, the checkpoint and the last void. */
  readonly nextSeq: number;
  /** The durable state of each source that has one, and each part of a transform's memory as `node/part`. */
  readonly sourceStates: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/**
 * What became of an append. `refused`: nothing of it is durable, its sequences are void and stay unused. `unknown`:
 * it cannot be told; the engine must end as failed and let the restart decide.
 */
export type AppendResult =
  | { readonly kind: "durable" }
  | { readonly kind: "refused"; readonly error: EventboatError }
  | { readonly kind: "unknown"; readonly error: EventboatError };

/** Where a dead letter's failure arose: a class of the engine or the kind of a transform's failure. */
export type DeadLetterClass =
  | "decode"
  | "codec"
  | "encode"
  | "delivery"
  | "canceled"
  | "compile"
  | "steps"
  | "timeout"
  | "guest"
  | "runtime"
  | "other";

/** A dead letter to be written. (`seq`, `node`, `edge`, `branch`) is its key: writing it again replaces it. */
export interface DeadLetterRecord {
  readonly seq: number;
  readonly node: string;
  /** `from->to`, or empty where no edge was involved. */
  readonly edge: string;
  readonly branch: string;
  /** The message's identity. */
  readonly messageId: string;
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  readonly reason: string;
  readonly class: DeadLetterClass;
  readonly backtrace?: string;
  readonly runId?: string;
  /** Attempts made, the last one included. */
  readonly attempts: number;
  /** The source node of the message. */
  readonly source: string;
  /** The message as the failing node received it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly codec: string;
  readonly meta: Meta;
  /** The bytes as spooled, where they differ from {@linkcode DeadLetterRecord.bytes}. */
  readonly original?: Uint8Array<ArrayBuffer>;
  /**
   * The letter of which the failed message is a replay. The first failure of a replay takes that letter's record over,
   * adding its attempts; what else fails of the same replay has records of its own.
   */
  readonly replayOf?: number;
}

/** A dead letter as it is stored. */
export interface DeadLetter extends Omit<DeadLetterRecord, "replayOf"> {
  readonly id: number;
}

/** A dead letter as it was read: a failure that has taken its record over since gave it another sequence. */
export type DeadLetterMark = Pick<DeadLetter, "id" | "seq">;

/** Which dead letters to read. */
export interface DeadLetterQuery {
  /** Only letters with an id beyond this one. Default 0. */
  readonly afterId?: number;
  readonly sinceMs?: number;
  readonly ids?: readonly number[];
  readonly runId?: string;
  readonly node?: string;
  readonly class?: string;
  /** Whether messages are to be read too; without, `bytes` are empty and `original` is left out. Default true. */
  readonly content?: boolean;
  /** At most this many. */
  readonly limit: number;
}

/** Numbers about a store, for `store stats` and the status. */
export interface StoreStats {
  readonly schemaVersion: number;
  readonly checkpoint: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly segments: number;
  readonly messages: number;
  readonly bytes: number;
  readonly uncommitted: number;
  readonly deadLetters: number;
  readonly sourceStates: number;
  readonly fileBytes: number;
}

/** What `store check` found. */
export interface StoreFinding {
  readonly severity: "error" | "warning";
  readonly what: string;
}

/**
 * A pipeline's store as the engine sees it. Every call is answered in a later turn, has a deadline, and is grouped
 * with what has queued: one transaction, one answer for every caller in it. After {@linkcode Store.close} every
 * waiter is answered `store_closed`.
 */
export interface Store {
  readonly start: StoreStart;
  /**
   * Makes a segment durable. The store copies what it needs before it returns, so the caller may go on using the
   * segment's buffers. Segments come in ascending order without overlap, beyond everything stored or committed. When a
   * group fails, every append queued behind it fails with it, in order. Throws a RangeError for a segment of no message
   * or of more than fit one.
   */
  append(segment: Segment): Promise<AppendResult>;
  /** Makes several segments durable together, as {@linkcode Store.append} does one: all of them are or none is. */
  appendAll(segments: readonly Segment[]): Promise<AppendResult>;
  /** Raises the durable checkpoint; a lower value than the durable one succeeds at once. Coalesced. */
  setCheckpoint(seq: number): Promise<void>;
  /**
   * Sets a source's state, or a part of a transform's memory; of several queued, the one with the highest `srcSeq` is
   * kept. Coalesced. What is asked for in one turn, a checkpoint included, goes in one transaction.
   */
  setSourceState(source: string, srcSeq: number, state: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Writes dead letters in a transaction of their own that passes queued appends. */
  writeDeadLetters(letters: readonly DeadLetterRecord[]): Promise<void>;
  /** Segments that end beyond `afterSeq`, ascending, until `bytesMax` is passed; at least one when any is left. */
  readSegments(afterSeq: number, bytesMax: number): Promise<readonly Segment[]>;
  /** Deletes whole segments that end at or below `seq`. */
  trim(seq: number): Promise<void>;
  /** Deletes dead letters older than `beforeMs`, at most `rowsMax`; answers how many. */
  sweepDeadLetters(beforeMs: number, rowsMax: number): Promise<number>;
  /**
   * Dead letters in the order of their ids. Fewer than the limit when they are large; an empty answer means that there
   * are no more.
   */
  readDeadLetters(query: DeadLetterQuery): Promise<readonly DeadLetter[]>;
  deleteDeadLetters(ids: readonly number[]): Promise<number>;
  /** Deletes dead letters unless they failed again since they were read; answers how many. */
  discardDeadLetters(marks: readonly DeadLetterMark[]): Promise<number>;
  stats(): Promise<StoreStats>;
  /** Settles once the connection to the store's isolate is lost, with the reason; never rejects. */
  readonly lost: Promise<EventboatError>;
  close(): Promise<void>;
}
