/** Owns the messages between a store's client and its server. Plain data; large buffers are transferred. */

import type { ErrorRecord } from "../diagnostics/mod.ts";
import type { DeadLetterMark, DeadLetterQuery, StoreStart, StoreStats } from "./contract.ts";
import type { Marks } from "./backend.ts";
import type { PackedSegments } from "./segment_pack.ts";
import type { StoredLetter, StoredLetterRow } from "./stored_letter.ts";
import type { StoredSegment } from "./stored_segment.ts";

/** Calls that are answered one by one, with what they take and give. */
export interface StoreCalls {
  readSegments: { args: readonly [afterSeq: number, bytesMax: number]; result: StoredSegment[] };
  trim: { args: readonly [seq: number]; result: null };
  sweepDeadLetters: { args: readonly [beforeMs: number, rowsMax: number]; result: number };
  readDeadLetters: { args: readonly [query: DeadLetterQuery]; result: StoredLetterRow[] };
  deleteDeadLetters: { args: readonly [ids: readonly number[]]; result: number };
  discardDeadLetters: { args: readonly [marks: readonly DeadLetterMark[]]; result: number };
  stats: { args: readonly []; result: StoreStats };
  close: { args: readonly []; result: null };
}

/** Name of a call that is answered one by one. */
export type StoreCallName = keyof StoreCalls;

/** One call by name, so that its arguments are known from its name. */
export type StoreCall = {
  [K in StoreCallName]: {
    readonly kind: "call";
    readonly id: number;
    readonly name: K;
    readonly args: StoreCalls[K]["args"];
  };
}[StoreCallName];

/** Client to server. Ids are given in ascending order. */
export type StoreRequest =
  /**
   * One group. The epoch counts the failed appends that the client knows of: after a failure the server refuses every
   * group of that epoch or an earlier one, for those were sent in ignorance of it.
   */
  | {
    readonly kind: "group";
    readonly id: number;
    readonly epoch: number;
    readonly segments: PackedSegments | null;
    readonly marks: Marks;
  }
  /** Several callers' dead letters, a list each. */
  | {
    readonly kind: "letters";
    readonly id: number;
    readonly calls: readonly (readonly StoredLetter[])[];
    readonly lastVoid: number;
  }
  | StoreCall;

/** Server to client. */
export type StoreAnswer =
  /** Comes first and once: the store is open, or why not. */
  | { readonly kind: "opened"; readonly start: StoreStart }
  | { readonly kind: "not_opened"; readonly error: ErrorRecord }
  /** The segments and the marks of a group may fare differently: marks that failed beside segments are tried alone. */
  | {
    readonly kind: "group";
    readonly id: number;
    readonly appendError: ErrorRecord | null;
    readonly marksError: ErrorRecord | null;
  }
  | { readonly kind: "letters"; readonly id: number; readonly errors: readonly (ErrorRecord | null)[] }
  | { readonly kind: "result"; readonly id: number; readonly value: StoreCalls[StoreCallName]["result"] }
  | { readonly kind: "failure"; readonly id: number; readonly error: ErrorRecord };
