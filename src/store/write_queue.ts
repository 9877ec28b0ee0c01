/** Owns the client's side of group commit: what has queued becomes groups, and a failure takes what is behind it along. */

import { clearImmediate, setImmediate } from "node:timers";
import type { Clock } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import { SEGMENT_BYTES_MAX } from "../message/mod.ts";
import type { Marks } from "./backend.ts";
import type { AppendResult } from "./contract.ts";
import { type MarksFlight, MarksQueue } from "./marks_queue.ts";
import type { CopiedSegment } from "./segment_pack.ts";
import { segmentLast } from "./stored_segment.ts";

/** Groups under way at most. Four hide the round trip to the store's isolate behind the work of the engine's. */
export const GROUPS_IN_FLIGHT_MAX = 4;
/** Bytes of a group of several callers at most: as much as one segment may have. */
const GROUP_BYTES_MAX = SEGMENT_BYTES_MAX;
/** Turns of the event loop that callers just released get, at most, to come again. */
const COMPANION_TURNS_MAX = 16;

/** How admissions are grouped. */
export interface WriteBatchOptions {
  /** Messages in one group at most, beyond a single larger admission. */
  readonly maxRows: number;
  /** Budget for callers just released to come again, never a sleep; 0 writes each admission by itself. */
  readonly maxWaitMs: number;
}

/** What the server said of a group. */
export interface GroupAnswer {
  readonly appendError: EventboatError | null;
  readonly marksError: EventboatError | null;
}

/** A group under way. Its sender calls exactly one of the two, once. */
export interface GroupFlight {
  readonly epoch: number;
  readonly segments: readonly CopiedSegment[];
  readonly marks: Marks;
  answered(answer: GroupAnswer): void;
  /** No answer will come. */
  abandoned(error: EventboatError): void;
}

/** What one caller wants durable: all of it in one transaction. */
interface Append {
  readonly segments: readonly CopiedSegment[];
  readonly rows: number;
  readonly bytes: number;
  settle(result: AppendResult): void;
}

interface Flight {
  /** Emptied as soon as they are settled. */
  appends: readonly Append[];
  readonly marks: MarksFlight;
}

/**
 * Forms groups in the order of the calls. A full group goes at once while fewer than {@linkcode GROUPS_IN_FLIGHT_MAX}
 * are under way; one that is not full goes at the end of the turn, when none is. Bounded by the engine's slots: every
 * message that waits here holds one.
 */
export class WriteQueue {
  readonly marks: MarksQueue;
  readonly #options: WriteBatchOptions;
  readonly #clock: Clock;
  readonly #send: (flight: GroupFlight) => void;
  #waiting: Append[] = [];
  /** Of all that waits: a group is full only when these reach its limits. */
  #waitingRows = 0;
  #waitingBytes = 0;
  readonly #flights: Flight[] = [];
  #epoch = 0;
  /** Why no append is taken any more. */
  #closed: EventboatError | undefined;
  #turn: ReturnType<typeof setImmediate> | undefined;
  #released = 0;
  #companionTurns = 0;
  #companionSinceMs = 0;

  constructor(checkpoint: number, options: WriteBatchOptions, clock: Clock, send: (flight: GroupFlight) => void) {
    this.marks = new MarksQueue(checkpoint);
    this.#options = options;
    this.#clock = clock;
    this.#send = send;
  }

  /** Appends segments in one transaction. */
  append(segments: readonly CopiedSegment[]): Promise<AppendResult> {
    if (this.#closed !== undefined) {
      this.#void(segments);
      return Promise.resolve({ kind: "refused", error: this.#closed });
    }
    let [rows, bytes] = [0, 0];
    for (const segment of segments) {
      rows += segment.count;
      bytes += segment.payload.length;
    }
    return new Promise((settle) => {
      this.#waiting.push({ segments, rows, bytes, settle });
      this.#waitingRows += rows;
      this.#waitingBytes += bytes;
      this.#sendFull();
      this.awaitTurn();
    });
  }

  /** Sees to it that what waits goes at the end of this turn, unless a group under way takes it along when it ends. */
  awaitTurn(): void {
    if (this.#turn !== undefined || this.#flights.length > 0) return;
    if (this.#waiting.length > 0 || this.marks.waiting) this.#turn = setImmediate(() => this.#endTurn());
  }

  /** Refuses what waits and takes nothing more; what is under way may still be answered. */
  close(error: EventboatError): void {
    this.#closed ??= error;
    if (this.#turn !== undefined) clearImmediate(this.#turn);
    this.#turn = undefined;
    this.#refuseWaiting(error);
    this.marks.failed(this.marks.take(), error);
  }

  #endTurn(): void {
    this.#turn = undefined;
    if (this.#flights.length > 0) return;
    if (this.#companionsMayCome()) {
      this.#companionTurns++;
      this.#turn = setImmediate(() => this.#endTurn());
      return;
    }
    this.#released = 0;
    if (this.#waiting.length > 0 || this.marks.waiting) this.#sendGroup(this.#nextGroup());
  }

  /** Whether some of those that the last group released have not come again and their budget is not used up. */
  #companionsMayCome(): boolean {
    return this.#waiting.length < this.#released && this.#companionTurns < COMPANION_TURNS_MAX &&
      this.#clock.monotonic() - this.#companionSinceMs < this.#options.maxWaitMs;
  }

  #sendFull(): void {
    while (this.#waiting.length > 0 && this.#flights.length < GROUPS_IN_FLIGHT_MAX) {
      if (this.#waitingRows < this.#rowsMax && this.#waitingBytes < GROUP_BYTES_MAX) return;
      this.#sendGroup(this.#nextGroup());
    }
  }

  get #rowsMax(): number {
    return this.#options.maxWaitMs === 0 ? 0 : this.#options.maxRows;
  }

  /** How many of the waiting appends make the next group. */
  #nextGroup(): number {
    let [rows, bytes] = [0, 0];
    for (const [count, append] of this.#waiting.entries()) {
      rows += append.rows;
      bytes += append.bytes;
      if (count > 0 && (rows > this.#rowsMax || bytes > GROUP_BYTES_MAX)) return count;
      if (rows >= this.#rowsMax || bytes >= GROUP_BYTES_MAX) return count + 1;
    }
    return this.#waiting.length;
  }

  #sendGroup(count: number): void {
    const appends = this.#waiting.splice(0, count);
    for (const { rows, bytes } of appends) {
      this.#waitingRows -= rows;
      this.#waitingBytes -= bytes;
    }
    const marks = this.marks.take();
    const flight: Flight = { appends, marks };
    this.#flights.push(flight);
    this.#send({
      epoch: this.#epoch,
      segments: appends.flatMap((append) => append.segments),
      marks: marks.marks,
      answered: (answer) => this.#answered(flight, answer),
      abandoned: (error) => this.#abandoned(flight, error),
    });
  }

  #answered(flight: Flight, answer: GroupAnswer): void {
    if (answer.marksError === null) this.marks.landed(flight.marks);
    else this.marks.failed(flight.marks, answer.marksError);
    this.#end(flight);
    if (answer.appendError === null) {
      this.#released = flight.appends.length;
      for (const append of flight.appends) append.settle({ kind: "durable" });
      flight.appends = [];
    } else if (flight.appends.length > 0) {
      this.#failAppends(flight, answer.appendError);
    }
    this.#companionTurns = 0;
    this.#companionSinceMs = this.#clock.monotonic();
    this.#sendFull();
    this.awaitTurn();
  }

  #abandoned(flight: Flight, error: EventboatError): void {
    this.marks.failed(flight.marks, error);
    this.#end(flight);
    if (flight.appends.length === 0) return this.awaitTurn();
    const unknown = new EventboatError(
      "store_unknown",
      `whether the messages are durable is unknown: ${error.message}`,
      {
        cause: error,
      },
    );
    this.#failAppends(flight, unknown);
  }

  #end(flight: Flight): void {
    const at = this.#flights.indexOf(flight);
    if (at >= 0) this.#flights.splice(at, 1);
  }

  /**
   * Settles a failed group, then those under way behind it, then those that wait. The server refuses the ones under
   * way unseen, because they are of an epoch whose failure it knows; where the failure is an unknown one, so may theirs be.
   */
  #failAppends(flight: Flight, error: EventboatError): void {
    const kind = error.code === "store_unknown" ? "unknown" : "refused";
    this.#epoch++;
    for (const failed of [flight, ...this.#flights]) {
      for (const { segments, settle } of failed.appends) {
        if (kind === "refused") this.#void(segments);
        settle({ kind, error });
      }
      failed.appends = [];
    }
    if (kind === "unknown") this.#closed ??= error;
    this.#refuseWaiting(error);
  }

  #refuseWaiting(error: EventboatError): void {
    const refused = this.#waiting;
    this.#waiting = [];
    this.#waitingRows = this.#waitingBytes = 0;
    for (const { segments, settle } of refused) {
      this.#void(segments);
      settle({ kind: "refused", error });
    }
  }

  /** The numbers of segments that were refused are not used again. */
  #void(segments: readonly CopiedSegment[]): void {
    for (const segment of segments) this.marks.raiseVoid(segmentLast(segment));
  }
}
