/** Owns the injection of faults: a backend that fails when told, for the tests of everything that stands on a store. */

import { EventboatError } from "../diagnostics/mod.ts";
import { type BackendOperation, NoAnswer, type StoreBackend, type WriteGroup } from "./backend.ts";
import type { DeadLetterMark, DeadLetterQuery, StoreStart, StoreStats } from "./contract.ts";
import type { StoredLetter, StoredLetterRow } from "./stored_letter.ts";
import type { StoredSegment } from "./stored_segment.ts";

/**
 * What a fault does. `refused`: nothing is durable, `store_write`. `full`: the same with `store_full`. `unknown_lost`
 * and `unknown_kept`: `store_unknown`, and a restart will not or will find it. `hang`: no answer, to this or any call.
 */
export type FaultKind = "refused" | "full" | "unknown_lost" | "unknown_kept" | "hang";

/** The operations to tell apart: a commit with segments is an `append`, one without is `marks`. */
export type FaultOperation = Exclude<BackendOperation, "commit"> | "append" | "marks";

/** One fault: on the `nth` use, counted from 1, of `operation` (or of any operation when it is left out). */
export interface Fault {
  readonly operation?: FaultOperation;
  readonly nth: number;
  /** How many uses in a row fail. Default 1. */
  readonly times?: number;
  readonly kind: FaultKind;
}

/** Watches the uses; a test kills its process here. `use` counts from 1 for each operation. */
export type FaultObserver = (operation: FaultOperation, phase: "before" | "after", use: number) => void;

/** Wraps a backend and fails as told; what it is not told to fail passes. */
export class FaultyBackend implements StoreBackend {
  readonly start: StoreStart;
  readonly #inner: StoreBackend;
  readonly #faults: readonly Fault[];
  readonly #observe: FaultObserver;
  readonly #uses = new Map<FaultOperation, number>();
  #allUses = 0;
  #fired = 0;

  constructor(inner: StoreBackend, faults: readonly Fault[], observe: FaultObserver = () => {}) {
    this.start = inner.start;
    this.#inner = inner;
    this.#faults = faults;
    this.#observe = observe;
  }

  /** How many uses failed. A test that injected a fault asserts that it was met. */
  get fired(): number {
    return this.#fired;
  }

  /** How often an operation was used; all of them together when none is named. */
  uses(operation?: FaultOperation): number {
    return operation === undefined ? this.#allUses : this.#uses.get(operation) ?? 0;
  }

  commit(group: WriteGroup): void {
    this.#use(group.segments.length > 0 ? "append" : "marks", () => this.#inner.commit(group));
  }

  writeDeadLetters(letters: readonly StoredLetter[], lastVoid: number): void {
    this.#use("writeDeadLetters", () => this.#inner.writeDeadLetters(letters, lastVoid));
  }

  readSegments(afterSeq: number, bytesMax: number): StoredSegment[] {
    return this.#use("readSegments", () => this.#inner.readSegments(afterSeq, bytesMax));
  }

  trim(seq: number): void {
    this.#use("trim", () => this.#inner.trim(seq));
  }

  sweepDeadLetters(beforeMs: number, rowsMax: number): number {
    return this.#use("sweepDeadLetters", () => this.#inner.sweepDeadLetters(beforeMs, rowsMax));
  }

  readDeadLetters(query: DeadLetterQuery): StoredLetterRow[] {
    return this.#use("readDeadLetters", () => this.#inner.readDeadLetters(query));
  }

  deleteDeadLetters(ids: readonly number[]): number {
    return this.#use("deleteDeadLetters", () => this.#inner.deleteDeadLetters(ids));
  }

  discardDeadLetters(marks: readonly DeadLetterMark[]): number {
    return this.#use("discardDeadLetters", () => this.#inner.discardDeadLetters(marks));
  }

  stats(): StoreStats {
    return this.#use("stats", () => this.#inner.stats());
  }

  maintain(): void {
    this.#inner.maintain();
  }

  close(): void {
    this.#inner.close();
  }

  #use<T>(operation: FaultOperation, perform: () => T): T {
    const use = this.uses(operation) + 1;
    this.#uses.set(operation, use);
    this.#allUses++;
    this.#observe(operation, "before", use);
    const fault = this.#faults.find((candidate) => {
      const count = candidate.operation === undefined ? this.#allUses : use;
      if (candidate.operation !== undefined && candidate.operation !== operation) return false;
      return count >= candidate.nth && count < candidate.nth + (candidate.times ?? 1);
    });
    if (fault !== undefined) this.#fail(fault.kind, operation, perform);
    const result = perform();
    this.#observe(operation, "after", use);
    return result;
  }

  #fail(kind: FaultKind, operation: FaultOperation, perform: () => unknown): never {
    this.#fired++;
    const what = `the ${operation} was made to fail`;
    if (kind === "hang") throw new NoAnswer(what);
    if (kind === "unknown_kept") perform();
    if (kind === "unknown_kept" || kind === "unknown_lost") throw new EventboatError("store_unknown", what);
    throw new EventboatError(kind === "full" ? "store_full" : "store_write", what);
  }
}
