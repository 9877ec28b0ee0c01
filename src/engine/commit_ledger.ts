/** Owns what commits when: branches of messages, slots, the frontier and each source's share of it. */

import type { Message } from "../message/mod.ts";
import type { AdmissionGate } from "./admission_gate.ts";
import type { CommitTracker } from "./commit_tracker.ts";

/** One admission between its first sequence and the frontier. */
export interface AdmissionRecord {
  readonly first: number;
  readonly count: number;
  readonly bytes: number;
  /** A payload of which nothing is needed once this record has been passed. */
  readonly payload?: Uint8Array<ArrayBuffer>;
  /** Node and srcSeq of message 0, for live admissions. */
  readonly origin?: { readonly source: string; readonly firstSrcSeq: number };
  /** When it was accepted, by the monotonic clock; for live admissions. */
  acceptedAtMs?: number;
  /** To be called once it has committed whole. */
  readonly committed?: () => void;
  /** Its append failed: its numbers are crossed, nothing is committed by that. */
  void?: boolean;
}

/** What the ledger tells, after each settling in which something moved. */
export interface LedgerListener {
  /** Messages whose every branch has ended. */
  committed(count: number): void;
  /** The frontier moved; `sources` holds the sources whose watermark moved with it. */
  advanced(frontier: number, sources: ReadonlyMap<string, number>): void;
  /** An admission has committed whole. */
  completed(record: AdmissionRecord): void;
}

/** Where one source stands. */
interface SourceMark {
  committedThrough: number;
  /** The lowest srcSeq that was turned away and has not been accepted since: the watermark stays below it. */
  refusedFrom: number | undefined;
}

/**
 * The books of one engine. `done` and `branch` only change counts; {@linkcode CommitLedger.settle} draws the
 * consequences for a whole batch at once.
 */
export class CommitLedger {
  readonly #tracker: CommitTracker;
  readonly #gate: AdmissionGate;
  readonly #listener: LedgerListener;
  readonly #sources = new Map<string, SourceMark>();
  readonly #idleWaiters = new Set<() => void>();
  #records: AdmissionRecord[] = [];
  /** Records before this index have been passed; they are cut off once they are many. */
  #passed = 0;
  #ended = 0;
  /** Admissions that have a slot and no answer from the store yet. */
  #entering = 0;

  constructor(tracker: CommitTracker, gate: AdmissionGate, listener: LedgerListener) {
    this.#tracker = tracker;
    this.#gate = gate;
    this.#listener = listener;
  }

  /** Whether nothing is admitted, being admitted or open. */
  get idle(): boolean {
    return this.#entering === 0 && !this.#gate.waiting && this.#tracker.settled;
  }

  /** Resolves as soon as the ledger is idle; rejects with the signal's reason. */
  whenIdle(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.idle) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#idleWaiters.delete(wake);
        reject(signal.reason);
      };
      const wake = () => {
        signal.removeEventListener("abort", stop);
        resolve();
      };
      this.#idleWaiters.add(wake);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  /** An admission took its slots and gave its sequences out: they are holes until the store has answered. */
  assigned(record: AdmissionRecord): void {
    this.#tracker.assign(record.first, record.count);
    this.#records.push(record);
    this.#entering++;
  }

  /** The store has answered: the admission's messages are durable and open. */
  arrived(record: AdmissionRecord, nowMs: number | undefined): void {
    this.#entering--;
    this.#tracker.arrive(record.first, record.count);
    if (nowMs !== undefined) record.acceptedAtMs = nowMs;
    const mark = record.origin && this.#mark(record.origin.source);
    if (mark?.refusedFrom !== undefined && record.origin && record.origin.firstSrcSeq <= mark.refusedFrom) {
      mark.refusedFrom = undefined;
    }
  }

  /** The store refused: the numbers are void, the slots free, the source's watermark stays below what was refused. */
  refused(record: AdmissionRecord): void {
    this.#entering--;
    record.void = true;
    this.#tracker.void(record.first, record.count);
    if (record.origin) this.turnedAway(record.origin.source, record.origin.firstSrcSeq);
    this.#gate.releaseSlots(record.count);
    this.settle();
  }

  /**
   * A batch of a source is not durable, for whatever reason: the source's watermark stays below it until it is
   * accepted, however much of what came behind it commits.
   */
  turnedAway(source: string, firstSrcSeq: number): void {
    const mark = this.#mark(source);
    mark.refusedFrom = Math.min(mark.refusedFrom ?? Infinity, firstSrcSeq);
  }

  /** The store gave no usable answer: the sequences stay holes for the rest of this engine's life. */
  lost(): void {
    this.#entering--;
  }

  /** Opens `extra` more branches of a message. */
  branch(seq: number, extra: number): void {
    this.#tracker.branch(seq, extra);
  }

  /** Ends one branch of each message. */
  done(messages: readonly Message[]): void {
    for (const message of messages) if (this.#tracker.done(message.seq)) this.#ended++;
  }

  /** Ends one branch of one message. */
  doneOne(seq: number): void {
    if (this.#tracker.done(seq)) this.#ended++;
  }

  /** Draws the consequences of what ended: frees slots, moves the frontier, tells the listener. */
  settle(): void {
    const ended = this.#ended;
    if (ended > 0) {
      this.#ended = 0;
      this.#listener.committed(ended);
    }
    const advance = this.#tracker.advance();
    if (advance !== undefined) this.#pass(advance.to);
    if (ended > 0) this.#gate.releaseSlots(ended);
    if (this.idle) {
      for (const wake of this.#idleWaiters) wake();
      this.#idleWaiters.clear();
    }
  }

  #pass(frontier: number): void {
    const moved = new Map<string, number>();
    let sequences = 0;
    let bytes = 0;
    for (let record = this.#records[this.#passed]; record !== undefined; record = this.#records[this.#passed]) {
      if (record.first > frontier) break;
      const last = record.first + record.count - 1;
      if (!record.void && record.origin) this.#move(record.origin, Math.min(frontier, last) - record.first, moved);
      if (last > frontier) break;
      sequences += record.count;
      bytes += record.bytes;
      this.#passed++;
      if (!record.void) this.#listener.completed(record);
    }
    if (this.#passed > this.#records.length / 2) {
      this.#records = this.#records.slice(this.#passed);
      this.#passed = 0;
    }
    this.#gate.releaseWindow(sequences, bytes);
    this.#listener.advanced(frontier, moved);
  }

  #move(origin: NonNullable<AdmissionRecord["origin"]>, index: number, moved: Map<string, number>): void {
    const mark = this.#mark(origin.source);
    const through = Math.min(origin.firstSrcSeq + index, (mark.refusedFrom ?? Infinity) - 1);
    if (through <= mark.committedThrough) return;
    mark.committedThrough = through;
    moved.set(origin.source, through);
  }

  #mark(source: string): SourceMark {
    let mark = this.#sources.get(source);
    if (mark === undefined) this.#sources.set(source, mark = { committedThrough: 0, refusedFrom: undefined });
    return mark;
  }
}
