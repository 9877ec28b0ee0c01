/** Owns one decompressor of the platform, fed a slice at a time. */

import type { Transform } from "node:stream";

/**
 * Feeds a decompressor of `node:zlib`. There is never more than one slice inside: what comes out is bounded by what one
 * slice can become, and an error meets somebody who waits for it (one of a second queued slice would end the isolate).
 */
export class Inflater implements Disposable {
  readonly #stream: Transform;
  #chunks: Uint8Array[] = [];
  #error: Error | undefined;
  #wake: (() => void) | undefined;
  #ended = false;

  constructor(stream: Transform) {
    this.#stream = stream;
    stream.on("data", (chunk: Uint8Array) => this.#chunks.push(chunk));
    stream.on("end", () => {
      this.#ended = true;
      this.#wake?.();
    });
    stream.on("error", (error: Error) => {
      this.#error ??= error;
      this.#wake?.();
    });
  }

  /** Gives a slice and returns what came out of it. @throws the decompressor's error */
  async write(slice: Uint8Array): Promise<Uint8Array[]> {
    await this.#wait((wake) => this.#stream.write(slice, wake));
    return this.#take();
  }

  /** Says that nothing follows and returns what was left. @throws the decompressor's error: the data is cut off */
  async end(): Promise<Uint8Array[]> {
    await this.#wait((wake) => {
      this.#wake = wake;
      this.#stream.end();
      if (this.#ended) wake();
    });
    return this.#take();
  }

  [Symbol.dispose](): void {
    this.#stream.destroy();
  }

  async #wait(start: (wake: () => void) => void): Promise<void> {
    if (this.#error === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        start(resolve);
      });
    }
    this.#wake = undefined;
    if (this.#error !== undefined) throw this.#error;
  }

  #take(): Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }
}
