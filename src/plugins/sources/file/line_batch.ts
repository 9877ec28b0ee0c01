/** Owns the batch of messages as it is cut from a file, and the packing of messages that cannot stay where they were. */

import type { Charset } from "./charset.ts";

/** Most bytes of a batch of several messages. */
export const BATCH_BYTES_MAX = 1024 * 1024;

/** How many lines went into a batch, or were left out before it. */
export interface LineCounts {
  read: number;
  skipped: number;
  truncated: number;
  merges: number;
}

/** Messages cut from one file. Both buffers are the batch's own. */
export interface LineBatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly gap: 0 | 1;
  /** Offset in the file at which each message begins. */
  readonly starts: Float64Array<ArrayBuffer>;
  /** Index in the window behind the last message and its line end. */
  readonly next: number;
  /** Whether `next` lies inside a line that was too long and whose rest is to be left out. */
  readonly inside: boolean;
  readonly counts: LineCounts;
}

const FIRST_CAPACITY = 16 * 1024;
/** UTF-8 bytes that one UTF-16 unit can become. */
const UTF8_PER_UNIT = 3;
const NEWLINE = 0x0a;

/** Packs messages one behind the other, turning them into UTF-8 on the way. Used again for every batch. */
export class LinePacker {
  readonly #encoder = new TextEncoder();
  readonly #ends: number[] = [];
  readonly #starts: number[] = [];
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #length = 0;
  #messageStart = 0;

  /** Messages that are closed. */
  get count(): number {
    return this.#ends.length;
  }

  /** Bytes of all messages, the open one included. */
  get length(): number {
    return this.#length;
  }

  /** Forgets everything. */
  reset(): void {
    this.#ends.length = 0;
    this.#starts.length = 0;
    this.#length = 0;
    this.#messageStart = 0;
  }

  /** Puts a line into the open message. */
  append(bytes: Uint8Array, charset: Charset): void {
    if (charset.isUtf8) {
      this.#reserve(bytes.length);
      this.#bytes.set(bytes, this.#length);
      this.#length += bytes.length;
      return;
    }
    const text = charset.decode(bytes);
    this.#reserve(text.length * UTF8_PER_UNIT);
    this.#length += this.#encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written;
  }

  /** Puts a newline into the open message, between two of its lines. */
  appendNewline(): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = NEWLINE;
  }

  /** Ends the open message, which began at `start` in the file. */
  close(start: number): void {
    this.#ends.push(this.#length);
    this.#starts.push(start);
    this.#messageStart = this.#length;
  }

  /** Drops what the open message holds. */
  drop(): void {
    this.#length = this.#messageStart;
  }

  /** The closed messages as a batch. */
  batch(next: number, inside: boolean, counts: LineCounts): LineBatch {
    return {
      bytes: this.#bytes.slice(0, this.#messageStart),
      ends: Uint32Array.from(this.#ends),
      gap: 0,
      starts: Float64Array.from(this.#starts),
      next,
      inside,
      counts,
    };
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
