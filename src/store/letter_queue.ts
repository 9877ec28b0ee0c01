/** Owns the client's side of dead letters: what comes while some are being written is the next transaction. */

import { setImmediate } from "node:timers";
import type { EventboatError } from "../diagnostics/mod.ts";
import type { DeadLetterRecord } from "./contract.ts";
import { type StoredLetter, storeLetter } from "./stored_letter.ts";

/** Dead letters under way, a list for each caller. Its sender calls exactly one of the two, once. */
export interface LetterFlight {
  /** One entry for each caller, in order. */
  answered(errors: readonly (EventboatError | null)[]): void;
  failed(error: EventboatError): void;
}

/** Hands a transaction's letters to the server. */
export type SendLetters = (calls: readonly (readonly StoredLetter[])[], flight: LetterFlight) => void;

interface LetterCall {
  readonly letters: readonly StoredLetter[];
  resolve(): void;
  reject(error: EventboatError): void;
}

/** Callers in one transaction at most: one that cannot be written makes the server try each by itself. */
const CALLS_MAX = 256;

/** One transaction of dead letters is under way at a time; it passes the appends that wait for their group. */
export class LetterQueue {
  readonly send: SendLetters;
  #waiting: LetterCall[] = [];
  #busy = false;
  #closed: EventboatError | undefined;

  constructor(send: SendLetters) {
    this.send = send;
  }

  write(letters: readonly DeadLetterRecord[]): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    if (letters.length === 0) return Promise.resolve();
    const stored = letters.map(storeLetter);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ letters: stored, resolve, reject });
      if (!this.#busy) this.#awaitTurn();
    });
  }

  /** Refuses what waits and takes nothing more; what is under way may still be answered. */
  close(error: EventboatError): void {
    this.#closed ??= error;
    const calls = this.#waiting;
    this.#waiting = [];
    for (const call of calls) call.reject(error);
  }

  #awaitTurn(): void {
    this.#busy = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    const calls = this.#waiting.splice(0, CALLS_MAX);
    this.#busy = calls.length > 0;
    if (!this.#busy) return;
    this.send(calls.map((call) => call.letters), {
      answered: (errors) => {
        for (const [i, call] of calls.entries()) {
          const error = errors[i] ?? null;
          if (error === null) call.resolve();
          else call.reject(error);
        }
        this.#next();
      },
      failed: (error) => {
        for (const call of calls) call.reject(error);
        this.#next();
      },
    });
  }
}
