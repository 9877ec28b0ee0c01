/** Owns the reading of compressed files: positions count the bytes of what they hold, unpacked. */

import { type CompressionFormat, decompressFile } from "./decompression.ts";
import { ANCHOR_BYTES, fingerprint } from "./fingerprint.ts";
import type { FilePump } from "./file_pump.ts";
import { FileReadError, type TrackedFile } from "./tracked_file.ts";

/**
 * Reads a compressed file from its position to its end.
 * @throws {FileReadError} the file cannot be read, or its data is damaged or cut off;
 * {@linkcode EventboatError} a batch was not accepted
 */
export async function pumpCompressed(
  file: TrackedFile,
  format: CompressionFormat,
  pump: FilePump,
  signal: AbortSignal,
): Promise<void> {
  const { packedSize } = file.place;
  if (packedSize > 0 && packedSize === file.size) return;
  if (await pass(file, format, pump, signal)) return;
  file.restart();
  await pass(file, format, pump, signal);
}

/** False when the file does not hold what was read before. */
async function pass(
  file: TrackedFile,
  format: CompressionFormat,
  pump: FilePump,
  signal: AbortSignal,
): Promise<boolean> {
  await using text = new UnpackedText(file.path, format, pump.buffer);
  if (!await text.goTo(file)) return false;
  for (;;) {
    if (signal.aborted) return true;
    const at = await pump.cut(file, text.window());
    if (text.isEnded) break;
    text.keepFrom(at);
    await text.fill();
  }
  file.place = { ...file.place, packedSize: file.size };
  pump.mark(file);
  return true;
}

/** A window that slides over the unpacked text. */
class UnpackedText implements AsyncDisposable {
  readonly #path: string;
  readonly #format: CompressionFormat;
  readonly #chunks: AsyncGenerator<Uint8Array>;
  readonly #buffer: Uint8Array;
  #chunk = new Uint8Array(0);
  #base = 0;
  #from = 0;
  #length = 0;
  #ended = false;

  constructor(path: string, format: CompressionFormat, buffer: Uint8Array) {
    this.#path = path;
    this.#format = format;
    this.#chunks = decompressFile(path, format);
    this.#buffer = buffer;
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  /** What is to be cut. */
  window() {
    return {
      buffer: this.#buffer,
      from: this.#from,
      to: this.#length,
      base: this.#base,
      more: !this.#ended,
      final: this.#ended,
      flush: false,
    };
  }

  /** Goes to the file's position; false when what lies before it is not what was read. */
  async goTo(file: TrackedFile): Promise<boolean> {
    const { offset, anchor } = file.place;
    await this.fill();
    if (!file.proveHead(this.#buffer.subarray(0, this.#length))) return false;
    if (!await this.#skipTo(anchor.at)) return false;
    const end = anchor.at - this.#base;
    if (anchor.length > 0 && fingerprint(this.#buffer, end - anchor.length, end) !== anchor.hash) return false;
    if (!await this.#skipTo(offset)) return false;
    this.#from = offset === 0 ? Math.min(file.markLength, this.#length) : offset - this.#base;
    return true;
  }

  /** Lets go of what lies before the index, but for the bytes that prove a position. */
  keepFrom(index: number): void {
    const first = Math.max(0, index - ANCHOR_BYTES);
    this.#buffer.copyWithin(0, first, this.#length);
    this.#length -= first;
    this.#base += first;
    this.#from = index - first;
  }

  /** Fills the window, as far as there is text. @throws {FileReadError} */
  async fill(): Promise<void> {
    while (this.#length < this.#buffer.length && !this.#ended) {
      if (this.#chunk.length === 0) {
        const next = await this.#next();
        if (next === undefined) this.#ended = true;
        else this.#chunk = next;
        continue;
      }
      const taken = this.#chunk.subarray(0, this.#buffer.length - this.#length);
      this.#buffer.set(taken, this.#length);
      this.#length += taken.length;
      this.#chunk = this.#chunk.subarray(taken.length);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return(undefined);
  }

  async #skipTo(offset: number): Promise<boolean> {
    while (this.#base + this.#length < offset) {
      if (this.#ended) return false;
      this.keepFrom(this.#length);
      await this.fill();
    }
    return true;
  }

  async #next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      const { value, done } = await this.#chunks.next();
      return done === true ? undefined : new Uint8Array(value);
    } catch (cause) {
      throw new FileReadError("unpack", this.#path, cause);
    }
  }
}
