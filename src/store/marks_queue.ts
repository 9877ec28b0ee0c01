/** Owns the checkpoint, the source states and the last void that wait for a transaction to ride. */

import type { EventboatError } from "../diagnostics/mod.ts";
import type { Marks } from "./backend.ts";

interface Waiter {
  resolve(): void;
  reject(error: EventboatError): void;
}

interface CheckpointWaiter extends Waiter {
  readonly seq: number;
}

interface StateWaiter extends Waiter {
  readonly source: string;
  readonly srcSeq: number;
}

interface PendingState {
  readonly srcSeq: number;
  readonly state: Uint8Array<ArrayBuffer>;
}

/** Marks on their way in one transaction, with everyone who waits for them. */
export interface MarksFlight {
  readonly marks: Marks;
  readonly checkpointWaiters: readonly CheckpointWaiter[];
  readonly stateWaiters: readonly StateWaiter[];
  readonly srcSeqs: ReadonlyMap<string, number>;
}

/**
 * Coalesces: of several checkpoints the highest goes, of several states of a source the one of the highest `srcSeq`.
 * What is already durable succeeds, whatever happens to the transaction it asked for.
 */
export class MarksQueue {
  #checkpointDurable: number;
  #checkpoint = 0;
  #checkpointWaiters: CheckpointWaiter[] = [];
  readonly #srcSeqsDurable = new Map<string, number>();
  #states = new Map<string, PendingState>();
  #stateWaiters: StateWaiter[] = [];
  #voidDurable = 0;
  #void = 0;

  /** @param checkpoint the durable checkpoint at opening */
  constructor(checkpoint: number) {
    this.#checkpointDurable = checkpoint;
  }

  /** Whether somebody waits. A void alone waits for the next transaction; it asks for none. */
  get waiting(): boolean {
    return this.#checkpointWaiters.length > 0 || this.#stateWaiters.length > 0;
  }

  /** The highest void that is not durable yet; 0 when there is none. */
  get lastVoid(): number {
    return this.#void > this.#voidDurable ? this.#void : 0;
  }

  raiseVoid(seq: number): void {
    this.#void = Math.max(this.#void, seq);
  }

  voidWritten(seq: number): void {
    this.#voidDurable = Math.max(this.#voidDurable, seq);
  }

  setCheckpoint(seq: number): Promise<void> {
    if (seq <= this.#checkpointDurable) return Promise.resolve();
    this.#checkpoint = Math.max(this.#checkpoint, seq);
    return new Promise((resolve, reject) => this.#checkpointWaiters.push({ seq, resolve, reject }));
  }

  setSourceState(source: string, srcSeq: number, state: Uint8Array<ArrayBuffer>): Promise<void> {
    if (srcSeq <= (this.#srcSeqsDurable.get(source) ?? -1)) return Promise.resolve();
    const pending = this.#states.get(source);
    if (pending === undefined || pending.srcSeq <= srcSeq) this.#states.set(source, { srcSeq, state: state.slice() });
    return new Promise((resolve, reject) => this.#stateWaiters.push({ source, srcSeq, resolve, reject }));
  }

  /** Takes everything that waits, for one transaction. */
  take(): MarksFlight {
    const states = [...this.#states].map(([source, { state }]) => ({ source, state }));
    const flight = {
      marks: { lastVoid: this.lastVoid, checkpoint: this.#checkpoint, states },
      checkpointWaiters: this.#checkpointWaiters,
      stateWaiters: this.#stateWaiters,
      srcSeqs: new Map([...this.#states].map(([source, { srcSeq }]) => [source, srcSeq])),
    };
    this.#checkpoint = 0;
    this.#checkpointWaiters = [];
    this.#stateWaiters = [];
    if (this.#states.size > 0) this.#states = new Map();
    return flight;
  }

  /** The transaction is durable. */
  landed(flight: MarksFlight): void {
    this.voidWritten(flight.marks.lastVoid);
    this.#checkpointDurable = Math.max(this.#checkpointDurable, flight.marks.checkpoint);
    for (const [source, srcSeq] of flight.srcSeqs) {
      this.#srcSeqsDurable.set(source, Math.max(srcSeq, this.#srcSeqsDurable.get(source) ?? -1));
    }
    for (const waiter of flight.checkpointWaiters) waiter.resolve();
    for (const waiter of flight.stateWaiters) waiter.resolve();
  }

  /** The transaction failed: whoever asked for what an earlier or later one has made durable succeeds all the same. */
  failed(flight: MarksFlight, error: EventboatError): void {
    for (const waiter of flight.checkpointWaiters) {
      if (waiter.seq <= this.#checkpointDurable) waiter.resolve();
      else waiter.reject(error);
    }
    for (const waiter of flight.stateWaiters) {
      if (waiter.srcSeq <= (this.#srcSeqsDurable.get(waiter.source) ?? -1)) waiter.resolve();
      else waiter.reject(error);
    }
  }
}
