/**
 * Owns the border of zstd frames and blocks (RFC 8878, 3.1). The platform's decompressor stops after the first frame
 * without a word and takes a cut-off one for complete, so where a frame ends is found here.
 */

/** A piece of zstd data. */
export type ZstdPiece =
  /** Bytes of the frame, at most one block: to be given to the frame's decompressor. */
  | { readonly kind: "data"; readonly bytes: Uint8Array }
  /** The frame is complete. */
  | { readonly kind: "end" };

const MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const SKIPPABLE_MASK = 0xfffffff0;
const MAGIC_BYTES = 4;
const SKIPPABLE_HEADER_BYTES = 8;
const BLOCK_HEADER_BYTES = 3;
const CHECKSUM_BYTES = 4;
const BLOCK_RLE = 1;
const BLOCK_RESERVED = 3;
/** Bytes of the dictionary id, by the flag in the frame's descriptor. */
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
/** Bytes of the content size, by the flag in the frame's descriptor; the first is 1 where there is no window byte. */
const CONTENT_SIZE_BYTES = [0, 2, 4, 8] as const;

/** The bytes are no zstd, or are cut off. */
export class ZstdFormatError extends Error {
  override readonly name = "ZstdFormatError";
}

/** Finds the pieces of zstd data in chunks of any size. */
export class ZstdFrames {
  #bytes: Uint8Array = new Uint8Array(0);
  #state: "frame" | "block" | "checksum" = "frame";
  #checksum = false;
  #skip = 0;

  /**
   * The pieces that are complete with this chunk, as views of it where it holds them whole: the caller may not change
   * it afterwards.
   * @throws {ZstdFormatError}
   */
  *push(chunk: Uint8Array): Generator<ZstdPiece> {
    this.#bytes = this.#bytes.length === 0 ? chunk : joined(this.#bytes, chunk);
    for (;;) {
      const skipped = Math.min(this.#skip, this.#bytes.length);
      this.#skip -= skipped;
      this.#bytes = this.#bytes.subarray(skipped);
      const length = this.#skip > 0 ? undefined : this.#pieceLength();
      if (length === undefined || length > this.#bytes.length) break;
      const bytes = this.#bytes.subarray(0, length);
      const ends = this.#advance(bytes);
      this.#bytes = this.#bytes.subarray(length);
      if (length > 0) yield { kind: "data", bytes };
      if (ends) yield { kind: "end" };
    }
  }

  /** Nothing follows. @throws {ZstdFormatError} the data ends in the middle of a frame */
  end(): void {
    if (this.#state !== "frame" || this.#bytes.length > 0 || this.#skip > 0) {
      throw new ZstdFormatError("the zstd data ends in the middle of a frame: it is cut off");
    }
  }

  /** Length of the next piece; undefined while that is not known. */
  #pieceLength(): number | undefined {
    if (this.#state === "checksum") return CHECKSUM_BYTES;
    if (this.#state === "frame") return this.#frameHeaderLength();
    if (this.#bytes.length < BLOCK_HEADER_BYTES) return undefined;
    const header = blockHeader(this.#bytes);
    const type = (header >> 1) & 3;
    if (type === BLOCK_RESERVED) throw new ZstdFormatError("the zstd data is damaged: a block of an unknown type");
    return BLOCK_HEADER_BYTES + (type === BLOCK_RLE ? 1 : header >> 3);
  }

  #frameHeaderLength(): number | undefined {
    const bytes = this.#bytes;
    if (bytes.length < MAGIC_BYTES + 1) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const magic = view.getUint32(0, true);
    if ((magic & SKIPPABLE_MASK) >>> 0 === SKIPPABLE_MAGIC) {
      if (bytes.length < SKIPPABLE_HEADER_BYTES) return undefined;
      this.#skip = SKIPPABLE_HEADER_BYTES + view.getUint32(MAGIC_BYTES, true);
      return 0;
    }
    if (magic !== MAGIC) throw new ZstdFormatError("the data is no zstd: a frame does not begin with its magic number");
    const descriptor = view.getUint8(MAGIC_BYTES);
    const isSingleSegment = (descriptor & 0x20) !== 0;
    const sizeFlag = descriptor >> 6;
    const sizeBytes = sizeFlag === 0 && isSingleSegment ? 1 : CONTENT_SIZE_BYTES[sizeFlag] ?? 0;
    const windowBytes = isSingleSegment ? 0 : 1;
    return MAGIC_BYTES + 1 + windowBytes + (DICTIONARY_BYTES[descriptor & 3] ?? 0) + sizeBytes;
  }

  /** Goes behind a piece; true when it was the frame's last. */
  #advance(piece: Uint8Array): boolean {
    if (this.#state === "frame") {
      if (piece.length === 0) return false;
      this.#checksum = ((piece[MAGIC_BYTES] ?? 0) & 0x04) !== 0;
      this.#state = "block";
      return false;
    }
    if (this.#state === "block") {
      const isLast = (blockHeader(piece) & 1) === 1;
      if (isLast) this.#state = this.#checksum ? "checksum" : "frame";
      return isLast && !this.#checksum;
    }
    this.#state = "frame";
    return true;
  }
}

function blockHeader(bytes: Uint8Array): number {
  return (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8) | ((bytes[2] ?? 0) << 16);
}

/**
 * The frames of data that is there as a whole, each a view of it; skippable ones are left out.
 * @throws {ZstdFormatError} it is no zstd, or is cut off
 */
export function zstdFrames(bytes: Uint8Array): readonly Uint8Array[] {
  const splitter = new ZstdFrames();
  const frames: Uint8Array[] = [];
  let start: number | undefined;
  let end = 0;
  for (const piece of splitter.push(bytes)) {
    if (piece.kind === "data") {
      start ??= piece.bytes.byteOffset - bytes.byteOffset;
      end = piece.bytes.byteOffset - bytes.byteOffset + piece.bytes.length;
    } else {
      frames.push(bytes.subarray(start, end));
      start = undefined;
    }
  }
  splitter.end();
  return frames;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
