/** Owns the engine's end of a store: it speaks to the store's isolate over a port. */

import { type Clock, systemClock } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import { type Segment, SEGMENT_MESSAGES_MAX } from "../message/mod.ts";
import type { AppendResult, DeadLetter, DeadLetterMark, DeadLetterQuery, DeadLetterRecord, Store } from "./contract.ts";
import type { StoreStart, StoreStats } from "./contract.ts";
import { LetterQueue } from "./letter_queue.ts";
import { PendingCalls } from "./pending_calls.ts";
import { letterBuffers, loadLetter } from "./stored_letter.ts";
import { copySegment, packedBuffers, packSegments } from "./segment_pack.ts";
import { loadSegment } from "./stored_segment.ts";
import type { StoreAnswer, StoreCall, StoreCallName, StoreCalls, StoreRequest } from "./wire.ts";
import { type GroupFlight, type WriteBatchOptions, WriteQueue } from "./write_queue.ts";

/** How long a call waits for its answer: longer than any disk that still works needs. */
export const STORE_DEADLINE_MS = 60_000;
/** Budget of callers just released, unless `storage.write_batch.max_wait_ms` says otherwise. */
export const COMPANION_WAIT_MS = 2;

/** How a client groups and how long it waits. */
export interface StoreClientOptions {
  /** `storage.write_batch`; default {@linkcode SEGMENT_MESSAGES_MAX} messages and {@linkcode COMPANION_WAIT_MS} ms. */
  readonly writeBatch?: WriteBatchOptions;
  /** Limit of every call. Default {@linkcode STORE_DEADLINE_MS}. */
  readonly deadlineMs?: number;
  /** Default the platform's. */
  readonly clock?: Clock;
}

/**
 * A {@linkcode Store} over a port. The platform tells nobody that the other end of a port is gone: whoever learns of
 * the store isolate's death calls {@linkcode StoreClient.connectionLost}.
 */
export class StoreClient implements Store {
  readonly start: StoreStart;
  readonly lost: Promise<EventboatError>;
  readonly #port: MessagePort;
  readonly #pending: PendingCalls;
  readonly #writes: WriteQueue;
  readonly #letters: LetterQueue;
  readonly #settleLost: (error: EventboatError) => void;
  #nextId = 1;
  #lost = false;
  /** Why no call is taken any more. */
  #ended: EventboatError | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    port: MessagePort,
    start: StoreStart,
    pending: PendingCalls,
    clock: Clock,
    batch: WriteBatchOptions,
  ) {
    const { promise, resolve } = Promise.withResolvers<EventboatError>();
    this.start = start;
    this.lost = promise;
    this.#settleLost = resolve;
    this.#port = port;
    this.#pending = pending;
    this.#writes = new WriteQueue(start.checkpoint, batch, clock, (flight) => this.#sendGroup(flight));
    this.#letters = new LetterQueue((calls, flight) => this.#sendLetters(calls, flight));
  }

  /**
   * Takes a port over whose other end a server holds, and waits until the store is open. Rejects with the reason it
   * could not be opened, with `timeout`, or with what `signal` was aborted with; the port is closed then.
   */
  static async connect(
    port: MessagePort,
    options: StoreClientOptions = {},
    signal?: AbortSignal,
  ): Promise<StoreClient> {
    const clock = options.clock ?? systemClock;
    const pending = new PendingCalls(clock, options.deadlineMs ?? STORE_DEADLINE_MS);
    const batch = options.writeBatch ?? { maxRows: SEGMENT_MESSAGES_MAX, maxWaitMs: COMPANION_WAIT_MS };
    const { promise, resolve, reject } = Promise.withResolvers<StoreStart>();
    const abort = () => reject(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    const opening = 0;
    pending.add(opening, {
      answered: (answer) => {
        if (answer.kind === "opened") resolve(answer.start);
        else if (answer.kind === "not_opened") reject(EventboatError.revive(answer.error));
        else reject(new EventboatError("internal", `the store answered "${answer.kind}" before it was open`));
      },
      failed: reject,
    });
    port.onmessage = ({ data }: MessageEvent<StoreAnswer>) => pending.answer(opening, data);
    try {
      const client = new StoreClient(port, await promise, pending, clock, batch);
      port.onmessage = ({ data }: MessageEvent<StoreAnswer>) => client.#receive(data);
      port.onmessageerror = () =>
        client.connectionLost(new EventboatError("internal", "a message from the store's isolate could not be read"));
      return client;
    } catch (caught) {
      await pending.stop(new EventboatError("store_closed", "the store was not opened"));
      port.close();
      throw caught;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  append(segment: Segment): Promise<AppendResult> {
    return this.#writes.append([copySegment(segment)]);
  }

  appendAll(segments: readonly Segment[]): Promise<AppendResult> {
    return this.#writes.append(segments.map(copySegment));
  }

  setCheckpoint(seq: number): Promise<void> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const durable = this.#writes.marks.setCheckpoint(seq);
    this.#writes.awaitTurn();
    return durable;
  }

  setSourceState(source: string, srcSeq: number, state: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const durable = this.#writes.marks.setSourceState(source, srcSeq, state);
    this.#writes.awaitTurn();
    return durable;
  }

  writeDeadLetters(letters: readonly DeadLetterRecord[]): Promise<void> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return this.#letters.write(letters);
  }

  async readSegments(afterSeq: number, bytesMax: number): Promise<readonly Segment[]> {
    const stored = await this.#call("readSegments", [afterSeq, bytesMax]);
    return stored.map((segment) => loaded("segment", segment.first, () => loadSegment(segment)));
  }

  async trim(seq: number): Promise<void> {
    await this.#call("trim", [seq]);
  }

  sweepDeadLetters(beforeMs: number, rowsMax: number): Promise<number> {
    return this.#call("sweepDeadLetters", [beforeMs, rowsMax]);
  }

  async readDeadLetters(query: DeadLetterQuery): Promise<readonly DeadLetter[]> {
    const stored = await this.#call("readDeadLetters", [query]);
    return stored.map((letter) => loaded("dead letter", letter.id, () => loadLetter(letter)));
  }

  deleteDeadLetters(ids: readonly number[]): Promise<number> {
    return this.#call("deleteDeadLetters", [ids]);
  }

  discardDeadLetters(marks: readonly DeadLetterMark[]): Promise<number> {
    return this.#call("discardDeadLetters", [marks.map(({ id, seq }) => ({ id, seq }))]);
  }

  stats(): Promise<StoreStats> {
    return this.#call("stats", []);
  }

  /**
   * Tells that no further answer will come. Every append under way is `unknown`, every other call fails with `error`,
   * and {@linkcode Store.lost} settles. Does nothing after the first time.
   */
  connectionLost(error: EventboatError): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#ended ??= error;
    this.#letters.close(error);
    // Oldest first: what is under way comes before what waits behind it.
    this.#pending.failAll(error);
    this.#writes.close(error);
    this.#settleLost(error);
    this.#closing ??= this.#disconnect(error);
  }

  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    const closed = new EventboatError("store_closed", "the store was closed");
    // What is under way was sent before the close and is answered before it, truthfully.
    const answer = this.#call("close", []);
    this.#ended = closed;
    this.#writes.close(closed);
    this.#letters.close(closed);
    try {
      await answer;
    } catch (caught) {
      // Whoever watches `lost` has been told; that nothing is left to close is no further trouble.
      if (!this.#lost) throw caught;
    } finally {
      await this.#disconnect(closed);
    }
  }

  async #disconnect(error: EventboatError): Promise<void> {
    await this.#pending.stop(error);
    this.#port.close();
  }

  #receive(answer: StoreAnswer): void {
    if ("id" in answer) this.#pending.answer(answer.id, answer);
  }

  #post(request: StoreRequest, buffers: ArrayBuffer[]): void {
    this.#port.postMessage(request, buffers);
  }

  #sendGroup(flight: GroupFlight): void {
    const id = this.#nextId++;
    this.#pending.add(id, {
      answered: (answer) => {
        if (answer.kind !== "group") return flight.abandoned(misfit(answer));
        flight.answered({ appendError: revived(answer.appendError), marksError: revived(answer.marksError) });
      },
      failed: (error) => flight.abandoned(error),
    });
    const segments = flight.segments.length === 0 ? null : packSegments(flight.segments);
    const { epoch, marks } = flight;
    this.#post({ kind: "group", id, epoch, segments, marks }, segments === null ? [] : packedBuffers(segments));
  }

  #sendLetters(calls: Parameters<LetterQueue["send"]>[0], flight: Parameters<LetterQueue["send"]>[1]): void {
    const id = this.#nextId++;
    const { marks } = this.#writes;
    const { lastVoid } = marks;
    this.#pending.add(id, {
      answered: (answer) => {
        if (answer.kind !== "letters") return flight.failed(misfit(answer));
        if (answer.errors.every((error) => error === null)) marks.voidWritten(lastVoid);
        flight.answered(answer.errors.map(revived));
      },
      failed: (error) => flight.failed(error),
    });
    this.#post({ kind: "letters", id, calls, lastVoid }, calls.flat().flatMap(letterBuffers));
  }

  #call<K extends StoreCallName>(name: K, args: StoreCalls[K]["args"]): Promise<StoreCalls[K]["result"]> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#pending.add(id, {
        answered: (answer) => {
          // The server answers a call with the result of the same name's backend method.
          if (answer.kind === "result") resolve(answer.value as StoreCalls[K]["result"]);
          else reject(answer.kind === "failure" ? EventboatError.revive(answer.error) : misfit(answer));
        },
        failed: reject,
      });
      this.#post({ kind: "call", id, name, args } as StoreCall, []);
    });
  }
}

function revived(record: Parameters<typeof EventboatError.revive>[0] | null): EventboatError | null {
  return record === null ? null : EventboatError.revive(record);
}

function misfit(answer: StoreAnswer): EventboatError {
  return new EventboatError("internal", `the store answered a call of another kind with "${answer.kind}"`);
}

function loaded<T>(what: string, number: number, load: () => T): T {
  try {
    return load();
  } catch (caught) {
    throw new EventboatError("store_corrupt", `${what} ${number} of the store has metadata that cannot be read`, {
      cause: caught,
      hint:
        "Stop the pipeline and run `eventboat store check` to see what is damaged, `eventboat store salvage` to save the rest.",
    });
  }
}
