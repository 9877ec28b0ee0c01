/** Owns the store isolate's end of a port: it executes what the client asks, in order, and answers. */

import { EventboatError } from "../diagnostics/mod.ts";
import { type Marks, NoAnswer, type StoreBackend } from "./backend.ts";
import { type PackedSegments, unpackSegments } from "./segment_pack.ts";
import { letterBuffers, type StoredLetter } from "./stored_letter.ts";
import { segmentBuffers } from "./stored_segment.ts";
import type { StoreAnswer, StoreCall, StoreCallName, StoreRequest } from "./wire.ts";

/** Calls that change what is stored. */
const WRITING_CALLS: ReadonlySet<StoreCallName> = new Set<StoreCallName>([
  "trim",
  "sweepDeadLetters",
  "deleteDeadLetters",
  "discardDeadLetters",
]);

type GroupRequest = Extract<StoreRequest, { kind: "group" }>;
type LettersRequest = Extract<StoreRequest, { kind: "letters" }>;

/**
 * Serves one client. The server owns the backend and the port from the start; both are closed when the client closes, or
 * is lost.
 */
export class StoreServer {
  /** Settles when the client closed the store. */
  readonly closed: Promise<void>;
  readonly #port: MessagePort;
  readonly #backend: StoreBackend;
  readonly #settleClosed: () => void;
  /** Append groups of this epoch and of earlier ones are refused: an append that came before them failed. */
  #refusedEpoch = -1;
  #refusal: EventboatError | undefined;
  /**
   * Why nothing is written any more: after an unknown write, whichever it was, only a restart can tell what is durable.
   * It has the code that makes the engine end, so that a failed trim does not leave a pipeline refusing for ever.
   */
  #poison: EventboatError | undefined;
  #ended = false;

  constructor(port: MessagePort, backend: StoreBackend) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#settleClosed = resolve;
    this.#port = port;
    this.#backend = backend;
    this.#post({ kind: "opened", start: backend.start }, []);
    port.onmessage = ({ data }: MessageEvent<StoreRequest>) => this.#receive(data);
  }

  #receive(request: StoreRequest): void {
    try {
      if (request.kind === "group") return this.#group(request);
      if (request.kind === "letters") return this.#letters(request);
      this.#call(request);
    } catch (caught) {
      if (!(caught instanceof NoAnswer)) throw caught;
      this.#port.onmessage = () => {};
    }
  }

  #post(answer: StoreAnswer, buffers: ArrayBuffer[]): void {
    this.#port.postMessage(answer, buffers);
  }

  #group({ id, epoch, segments, marks }: GroupRequest): void {
    const appendError = segments === null ? undefined : this.#append(epoch, segments, marks);
    // Marks do not share the fate of the segments they ride with, unless nobody can tell what that is.
    const alone = (appendError !== undefined || segments === null) && hasMarks(marks);
    const marksError = alone ? this.#write(() => this.#backend.commit({ ...marks, segments: [] })) : undefined;
    const answer = { appendError: appendError?.toRecord() ?? null, marksError: marksError?.toRecord() ?? null };
    this.#post({ kind: "group", id, ...answer }, []);
    this.#maintain();
  }

  #append(epoch: number, segments: PackedSegments, marks: Marks): EventboatError | undefined {
    if (epoch <= this.#refusedEpoch) return this.#refusal;
    const error = this.#write(() => this.#backend.commit({ ...marks, segments: unpackSegments(segments) }));
    if (error === undefined) return undefined;
    this.#refusedEpoch = epoch;
    this.#refusal = error;
    return error;
  }

  #letters({ id, calls, lastVoid }: LettersRequest): void {
    const error = this.#write(() => this.#backend.writeDeadLetters(calls.flat(), lastVoid));
    const errors = error === undefined
      ? calls.map(() => null)
      : calls.length === 1
      ? [error.toRecord()]
      : calls.map((letters) => this.#lettersOf(letters, lastVoid));
    this.#post({ kind: "letters", id, errors }, []);
    this.#maintain();
  }

  /** One caller's letters by themselves, so that a letter that cannot be written holds up no other caller's. */
  #lettersOf(letters: readonly StoredLetter[], lastVoid: number) {
    return this.#write(() => this.#backend.writeDeadLetters(letters, lastVoid))?.toRecord() ?? null;
  }

  /** Runs one write; answers how it failed. */
  #write(write: () => void): EventboatError | undefined {
    if (this.#poison !== undefined) return this.#poison;
    try {
      write();
      return undefined;
    } catch (caught) {
      return this.#failure(caught);
    }
  }

  #failure(caught: unknown): EventboatError {
    if (caught instanceof NoAnswer) throw caught;
    const error = EventboatError.from(caught, "store_write");
    if (error.code === "store_unknown") {
      this.#poison = new EventboatError(
        "store_unknown",
        `nothing more is written to the store, because what became of an earlier write is unknown: ${error.message}`,
      );
    }
    return error;
  }

  #maintain(): void {
    if (this.#poison === undefined) this.#write(() => this.#backend.maintain());
  }

  #call(call: StoreCall): void {
    try {
      this.#answerCall(call);
    } catch (caught) {
      const error = this.#failure(caught);
      this.#post({ kind: "failure", id: call.id, error: error.toRecord() }, []);
    } finally {
      if (call.name === "close") this.#end();
    }
  }

  #answerCall(call: StoreCall): void {
    const { id, name } = call;
    const writes = WRITING_CALLS.has(name);
    if (writes && this.#poison !== undefined) throw this.#poison;
    if (name === "readSegments") {
      const value = this.#backend.readSegments(...call.args);
      return this.#post({ kind: "result", id, value }, value.flatMap(segmentBuffers));
    }
    if (name === "readDeadLetters") {
      const value = this.#backend.readDeadLetters(...call.args);
      return this.#post({ kind: "result", id, value }, value.flatMap(letterBuffers));
    }
    this.#post({ kind: "result", id, value: this.#plainCall(call) }, []);
    if (writes) this.#maintain();
  }

  #plainCall(call: Exclude<StoreCall, { name: "readSegments" | "readDeadLetters" }>) {
    switch (call.name) {
      case "trim":
        this.#backend.trim(...call.args);
        return null;
      case "sweepDeadLetters":
        return this.#backend.sweepDeadLetters(...call.args);
      case "deleteDeadLetters":
        return this.#backend.deleteDeadLetters(...call.args);
      case "discardDeadLetters":
        return this.#backend.discardDeadLetters(...call.args);
      case "stats":
        return this.#backend.stats();
      case "close":
        this.#backend.close();
        return null;
    }
  }

  /** Closes the store in the place of a client that died without doing so; after its close this does nothing. */
  clientLost(): void {
    if (this.#ended) return;
    try {
      this.#backend.close();
    } catch {
      // Nobody is left to be told. What is durable the next opening finds.
    }
    this.#end();
  }

  #end(): void {
    this.#ended = true;
    this.#port.close();
    this.#settleClosed();
  }
}

function hasMarks(marks: Marks): boolean {
  return marks.checkpoint > 0 || marks.lastVoid > 0 || marks.states.length > 0;
}
