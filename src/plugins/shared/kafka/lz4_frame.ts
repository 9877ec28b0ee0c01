/**
 * Owns LZ4 frames (the frame format 1.6 over LZ4 blocks), as Kafka packs records: the library knows none, and what there
 * is elsewhere is native code or a file that an isolate without read permission could not load.
 */

const MAGIC = 0x184d2204;
/** Version 1, blocks that know nothing of each other, no checksums: records have one of their own. */
const FLAGS = 0x60;
/** Blocks of at most 64 KiB. */
const BLOCK_SIZE_CODE = 0x40;
/** The second byte of the xxHash32 of the two bytes above. */
const HEADER_CHECKSUM = 0x82;
const BLOCK_BYTES_MAX = 64 * 1024;
const UNCOMPRESSED_BIT = 0x80000000;
const FLAG_DICTIONARY = 0x01;
const FLAG_CONTENT_SIZE = 0x08;
const FLAG_BLOCK_CHECKSUM = 0x10;
const HEADER_BYTES = 7;
const END_BYTES = 4;

const MIN_MATCH = 4;
/** The format wants the last five bytes to be literals, and no match to begin within the last twelve. */
const LAST_LITERALS = 5;
const MATCH_START_LIMIT = 12;
const OFFSET_MAX = 0xffff;
const HASH_BITS = 14;
const HASH_PRIME = 0x9e3779b1;
/** A run without a match is skimmed ever faster: a step more for each 64 bytes looked at. */
const SKIM_SHIFT = 6;
const LENGTH_NIBBLE_MAX = 15;

/** The data is no LZ4, is damaged, or gives more than is allowed. */
export class Lz4Error extends Error {
  override readonly name = "Lz4Error";
}

/** Packs bytes into one frame. */
export function lz4Frame(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = Math.ceil(bytes.length / BLOCK_BYTES_MAX);
  const out = new Uint8Array(HEADER_BYTES + bytes.length + blocks * 4 + END_BYTES + blockBound(BLOCK_BYTES_MAX));
  const view = new DataView(out.buffer);
  view.setUint32(0, MAGIC, true);
  out.set([FLAGS, BLOCK_SIZE_CODE, HEADER_CHECKSUM], 4);
  const table = new Int32Array(1 << HASH_BITS);
  let at = HEADER_BYTES;
  for (let from = 0; from < bytes.length; from += BLOCK_BYTES_MAX) {
    const block = bytes.subarray(from, from + BLOCK_BYTES_MAX);
    const size = compressBlock(block, out, at + 4, table);
    if (size < block.length) {
      view.setUint32(at, size, true);
      at += 4 + size;
    } else {
      view.setUint32(at, (block.length | UNCOMPRESSED_BIT) >>> 0, true);
      out.set(block, at + 4);
      at += 4 + block.length;
    }
  }
  view.setUint32(at, 0, true);
  return out.subarray(0, at + END_BYTES);
}

/** Unpacks a frame. @throws {Lz4Error} also when it would give more than `bytesMax` */
export function lz4Unframe(frame: Uint8Array, bytesMax: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) {
    throw new Lz4Error("the data is no LZ4 frame: it does not begin with its magic number");
  }
  const flags = view.getUint8(4);
  if ((flags & FLAG_DICTIONARY) !== 0) throw new Lz4Error("the LZ4 frame wants a dictionary");
  const trailerBytes = (flags & FLAG_BLOCK_CHECKSUM) !== 0 ? 4 : 0;
  let at = HEADER_BYTES + ((flags & FLAG_CONTENT_SIZE) !== 0 ? 8 : 0);
  const output = new Output(Math.min(bytesMax, frame.length * 4), bytesMax);
  for (;;) {
    if (at + 4 > frame.length) throw cutOff();
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) return output.bytes.subarray(0, output.length);
    const length = size & ~UNCOMPRESSED_BIT;
    if (at + length > frame.length) throw cutOff();
    const block = frame.subarray(at, at + length);
    if ((size & UNCOMPRESSED_BIT) !== 0) output.append(block, 0, length);
    else decompressBlock(block, output);
    at += length + trailerBytes;
  }
}

/** What has been unpacked; matches refer back into it, also into earlier blocks. */
class Output {
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;
  readonly #bytesMax: number;

  constructor(capacity: number, bytesMax: number) {
    this.bytes = new Uint8Array(capacity);
    this.#bytesMax = bytesMax;
  }

  reserve(more: number): void {
    const wanted = this.length + more;
    if (wanted <= this.bytes.length) return;
    if (wanted > this.#bytesMax) throw new Lz4Error(`the LZ4 data gives more than ${this.#bytesMax} bytes`);
    const grown = new Uint8Array(Math.min(this.#bytesMax, Math.max(wanted, this.bytes.length * 2)));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  append(from: Uint8Array, start: number, length: number): void {
    this.reserve(length);
    this.bytes.set(from.subarray(start, start + length), this.length);
    this.length += length;
  }

  /** Repeats what stands `offset` bytes back; the two may overlap. */
  repeat(offset: number, length: number): void {
    if (offset === 0 || offset > this.length) throw new Lz4Error("the LZ4 data is damaged: a match before its start");
    this.reserve(length);
    const { bytes, length: at } = this;
    if (offset >= length) bytes.copyWithin(at, at - offset, at - offset + length);
    else for (let i = 0; i < length; i++) bytes[at + i] = bytes[at + i - offset] ?? 0;
    this.length = at + length;
  }
}

function decompressBlock(block: Uint8Array, output: Output): void {
  let at = 0;
  const more = (length: number): number => {
    if (length < LENGTH_NIBBLE_MAX) return length;
    for (;;) {
      const byte = block[at++];
      if (byte === undefined) throw cutOff();
      length += byte;
      if (byte !== 0xff) return length;
    }
  };
  while (at < block.length) {
    const token = block[at++] ?? 0;
    const literals = more(token >> 4);
    if (at + literals > block.length) throw cutOff();
    output.append(block, at, literals);
    at += literals;
    if (at === block.length) return;
    if (at + 2 > block.length) throw cutOff();
    const offset = (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8);
    at += 2;
    output.repeat(offset, more(token & LENGTH_NIBBLE_MAX) + MIN_MATCH);
  }
}

/** Most bytes that a block of this size can become. */
function blockBound(size: number): number {
  return size + Math.ceil(size / 255) + 16;
}

/** Packs a block into `out` from `at` on; gives its size, which may be more than the block's own. */
function compressBlock(block: Uint8Array, out: Uint8Array, at: number, table: Int32Array): number {
  table.fill(-1);
  const start = at;
  const limit = block.length - MATCH_START_LIMIT;
  let anchor = 0;
  for (let i = 0; i < limit;) {
    const word = word32(block, i);
    const slot = Math.imul(word, HASH_PRIME) >>> (32 - HASH_BITS);
    const found = table[slot] ?? -1;
    table[slot] = i;
    if (found < 0 || i - found > OFFSET_MAX || word32(block, found) !== word) {
      i += 1 + ((i - anchor) >> SKIM_SHIFT);
      continue;
    }
    const matchEnd = block.length - LAST_LITERALS;
    let length = MIN_MATCH;
    while (i + length < matchEnd && block[found + length] === block[i + length]) length++;
    at = writeSequence(block, anchor, i, { offset: i - found, length }, out, at);
    i += length;
    anchor = i;
  }
  return writeLastLiterals(block, anchor, out, at) - start;
}

interface Match {
  readonly offset: number;
  readonly length: number;
}

function writeSequence(
  block: Uint8Array,
  from: number,
  to: number,
  match: Match,
  out: Uint8Array,
  at: number,
): number {
  const literals = to - from;
  const extra = match.length - MIN_MATCH;
  out[at++] = (Math.min(literals, LENGTH_NIBBLE_MAX) << 4) | Math.min(extra, LENGTH_NIBBLE_MAX);
  at = writeLength(literals, out, at);
  out.set(block.subarray(from, to), at);
  at += literals;
  out[at++] = match.offset & 0xff;
  out[at++] = match.offset >> 8;
  return writeLength(extra, out, at);
}

function writeLastLiterals(block: Uint8Array, from: number, out: Uint8Array, at: number): number {
  const literals = block.length - from;
  out[at++] = Math.min(literals, LENGTH_NIBBLE_MAX) << 4;
  at = writeLength(literals, out, at);
  out.set(block.subarray(from), at);
  return at + literals;
}

/** What of a length does not fit its half of the token. */
function writeLength(length: number, out: Uint8Array, at: number): number {
  if (length < LENGTH_NIBBLE_MAX) return at;
  let left = length - LENGTH_NIBBLE_MAX;
  for (; left >= 0xff; left -= 0xff) out[at++] = 0xff;
  out[at++] = left;
  return at;
}

function word32(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}

function cutOff(): Lz4Error {
  return new Lz4Error("the LZ4 data is damaged or cut off");
}
