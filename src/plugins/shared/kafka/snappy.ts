/** Owns Snappy as Kafka packs records: raw blocks, alone or in the stream of blocks that its Java clients write. */

/** Begins a stream of blocks: a magic word, its version and the oldest one that can read it. */
const STREAM_HEAD = Uint8Array.of(0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1);
const BLOCK_BYTES = 32 * 1024;

const TAG_LITERAL = 0;
const TAG_COPY_1 = 1;
const TAG_COPY_2 = 2;
/** A literal's length less one stands in the tag, or behind it in as many bytes as the tag says beyond this. */
const LITERAL_INLINE_MAX = 59;
const COPY_LENGTH_MAX = 64;
const MIN_MATCH = 4;
const HASH_BITS = 14;
const HASH_PRIME = 0x1e35a7bd;
const SKIM_SHIFT = 5;
/** Bytes at the end of a block that no match begins in. */
const TAIL_BYTES = 8;

/** The data is no Snappy, is damaged, or gives more than is allowed. */
export class SnappyError extends Error {
  override readonly name = "SnappyError";
}

/** Packs bytes into a stream of blocks. */
export function snappyStream(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = Math.ceil(bytes.length / BLOCK_BYTES);
  const out = new Uint8Array(STREAM_HEAD.length + blocks * (4 + blockBound(BLOCK_BYTES)));
  const view = new DataView(out.buffer);
  const table = new Int32Array(1 << HASH_BITS);
  out.set(STREAM_HEAD);
  let at = STREAM_HEAD.length;
  for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
    const end = compressBlock(bytes.subarray(from, from + BLOCK_BYTES), out, at + 4, table);
    view.setUint32(at, end - at - 4);
    at = end;
  }
  return out.subarray(0, at);
}

/** Unpacks a stream of blocks, or a block alone. @throws {SnappyError} also when it would give more than `bytesMax` */
export function unsnappy(bytes: Uint8Array, bytesMax: number): Uint8Array<ArrayBuffer> {
  const blocks = isStream(bytes) ? streamBlocks(bytes) : [bytes];
  const sizes = blocks.map((block) => readSize(block));
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  if (total > bytesMax) throw new SnappyError(`the Snappy data gives more than ${bytesMax} bytes`);
  const out = new Uint8Array(total);
  let at = 0;
  for (const [i, block] of blocks.entries()) {
    const { size, headBytes } = sizes[i] ?? { size: 0, headBytes: 0 };
    decompressBlock(block.subarray(headBytes), out.subarray(at, at + size));
    at += size;
  }
  return out;
}

function isStream(bytes: Uint8Array): boolean {
  return bytes.length >= STREAM_HEAD.length && STREAM_HEAD.subarray(0, 8).every((byte, i) => byte === bytes[i]);
}

function streamBlocks(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks: Uint8Array[] = [];
  for (let at = STREAM_HEAD.length; at < bytes.length;) {
    if (at + 4 > bytes.length) throw damaged();
    const length = view.getUint32(at);
    if (at + 4 + length > bytes.length) throw damaged();
    blocks.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return blocks;
}

/** What a block says of its size, and how many bytes that took. */
function readSize(block: Uint8Array): { readonly size: number; readonly headBytes: number } {
  let size = 0;
  for (let i = 0; i < 5; i++) {
    const byte = block[i];
    if (byte === undefined) throw damaged();
    size += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { size, headBytes: i + 1 };
  }
  throw damaged();
}

function decompressBlock(block: Uint8Array, out: Uint8Array): void {
  let [at, written] = [0, 0];
  while (at < block.length) {
    const tag = block[at++] ?? 0;
    const kind = tag & 3;
    if (kind === TAG_LITERAL) {
      let length = tag >> 2;
      if (length > LITERAL_INLINE_MAX) {
        const lengthBytes = length - LITERAL_INLINE_MAX;
        length = littleEndian(block, at, lengthBytes);
        at += lengthBytes;
      }
      length++;
      if (at + length > block.length || written + length > out.length) throw damaged();
      out.set(block.subarray(at, at + length), written);
      at += length;
      written += length;
      continue;
    }
    let [offset, length] = [0, 0];
    if (kind === TAG_COPY_1) {
      length = ((tag >> 2) & 7) + MIN_MATCH;
      offset = ((tag >> 5) << 8) | littleEndian(block, at, 1);
      at += 1;
    } else {
      const offsetBytes = kind === TAG_COPY_2 ? 2 : 4;
      length = (tag >> 2) + 1;
      offset = littleEndian(block, at, offsetBytes);
      at += offsetBytes;
    }
    if (offset === 0 || offset > written || written + length > out.length) throw damaged();
    if (offset >= length) out.copyWithin(written, written - offset, written - offset + length);
    else for (let i = 0; i < length; i++) out[written + i] = out[written + i - offset] ?? 0;
    written += length;
  }
  if (written !== out.length) throw damaged();
}

function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  if (at + count > bytes.length) throw damaged();
  let value = 0;
  for (let i = 0; i < count; i++) value += (bytes[at + i] ?? 0) * 2 ** (8 * i);
  return value;
}

/** Most bytes that a block of this size can become. */
function blockBound(size: number): number {
  return size + Math.ceil(size / 6) + 32;
}

/** Packs a block into `out` from `at` on; gives where it ends. */
function compressBlock(block: Uint8Array, out: Uint8Array, at: number, table: Int32Array): number {
  table.fill(-1);
  for (let size = block.length;; size >>>= 7) {
    if (size < 0x80) {
      out[at++] = size;
      break;
    }
    out[at++] = (size & 0x7f) | 0x80;
  }
  let anchor = 0;
  for (let i = 0; i < block.length - TAIL_BYTES;) {
    const word = word32(block, i);
    const slot = Math.imul(word, HASH_PRIME) >>> (32 - HASH_BITS);
    const found = table[slot] ?? -1;
    table[slot] = i;
    if (found < 0 || word32(block, found) !== word) {
      i += 1 + ((i - anchor) >> SKIM_SHIFT);
      continue;
    }
    let length = MIN_MATCH;
    while (i + length < block.length && block[found + length] === block[i + length]) length++;
    at = writeLiteral(block, anchor, i, out, at);
    at = writeCopy(i - found, length, out, at);
    i += length;
    anchor = i;
  }
  return writeLiteral(block, anchor, block.length, out, at);
}

function writeLiteral(block: Uint8Array, from: number, to: number, out: Uint8Array, at: number): number {
  if (from === to) return at;
  const length = to - from - 1;
  if (length <= LITERAL_INLINE_MAX) {
    out[at++] = (length << 2) | TAG_LITERAL;
  } else {
    // A block is shorter than two bytes can say.
    const lengthBytes = length > 0xff ? 2 : 1;
    out[at++] = ((LITERAL_INLINE_MAX + lengthBytes) << 2) | TAG_LITERAL;
    out[at++] = length & 0xff;
    if (lengthBytes === 2) out[at++] = length >> 8;
  }
  out.set(block.subarray(from, to), at);
  return at + to - from;
}

function writeCopy(offset: number, length: number, out: Uint8Array, at: number): number {
  for (let left = length; left > 0;) {
    const now = Math.min(left, COPY_LENGTH_MAX);
    out[at++] = ((now - 1) << 2) | TAG_COPY_2;
    out[at++] = offset & 0xff;
    out[at++] = offset >> 8;
    left -= now;
  }
  return at;
}

function word32(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}

function damaged(): SnappyError {
  return new SnappyError("the Snappy data is damaged or cut off");
}
