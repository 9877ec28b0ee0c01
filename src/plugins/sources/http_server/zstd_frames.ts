/** Owns the outer form of zstd data: whether it is whole, without decoding it (RFC 8878). */

const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const SKIPPABLE_MASK = 0xfffffff0;
const CHECKSUM_BYTES = 4;
const BLOCK_HEADER_BYTES = 3;
const BLOCK_RLE = 1;

/**
 * The frames of zstd data, each a view; undefined where one is cut off or something else stands between them. The
 * platform's decoder takes a cut-off frame for a whole one and stops after the first, so frames are told apart here.
 */
export function zstdFrames(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = frameEnd(view, at);
    if (end === undefined || end > bytes.length) return undefined;
    if (view.getUint32(at, true) === FRAME_MAGIC) frames.push(bytes.subarray(at, end));
    at = end;
  }
  return frames.length === 0 ? undefined : frames;
}

/** Where the frame at `at` ends; undefined where it is cut off or no frame. */
function frameEnd(view: DataView, at: number): number | undefined {
  if (at + 8 > view.byteLength) return undefined;
  const magic = view.getUint32(at, true);
  if (((magic & SKIPPABLE_MASK) >>> 0) === SKIPPABLE_MAGIC) return at + 8 + view.getUint32(at + 4, true);
  if (magic !== FRAME_MAGIC) return undefined;
  const descriptor = view.getUint8(at + 4);
  let next: number | undefined = at + 5 + headerRest(descriptor);
  for (let last = false; !last && next !== undefined;) {
    if (next + BLOCK_HEADER_BYTES > view.byteLength) return undefined;
    const header = view.getUint16(next, true) | (view.getUint8(next + 2) << 16);
    last = (header & 1) === 1;
    next += BLOCK_HEADER_BYTES + (((header >> 1) & 3) === BLOCK_RLE ? 1 : header >> 3);
  }
  const end = next + ((descriptor & 4) === 4 ? CHECKSUM_BYTES : 0);
  return end <= view.byteLength ? end : undefined;
}

/** Bytes of the frame header that follow its descriptor: window, dictionary, content size. */
function headerRest(descriptor: number): number {
  const single = (descriptor & 0x20) === 0x20;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeBytes = [single ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  return (single ? 0 : 1) + dictionaryBytes + sizeBytes;
}
