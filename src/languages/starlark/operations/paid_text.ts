/** Owns text that is written piece by piece, each piece paid for before it is kept. */

import type { Thread } from "../values/thread.ts";

/** A text in the making. */
export class PaidText {
  readonly #thread: Thread;
  readonly #parts: string[] = [];

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  /** Adds a piece. @throws {Fault} of kind `steps` when it is more than the script can pay for */
  put(text: string): void {
    this.#thread.chargeText(text.length);
    this.#parts.push(text);
  }

  /** Adds what stands between values; it is paid for with them. */
  punctuate(text: string): void {
    this.#parts.push(text);
  }

  /** All pieces, joined. */
  whole(): string {
    return this.#parts.join("");
  }
}
