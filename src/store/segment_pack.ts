/** Owns how the segments of a group cross the port: one buffer for all the small ones, whatever they are made of. */

import { type Segment, SEGMENT_MESSAGES_MAX } from "../message/mod.ts";
import { encodeColumns } from "./meta_columns.ts";
import { printMeta } from "./meta_text.ts";
import type { StoredSegment } from "./stored_segment.ts";

/** A segment copied once, into one buffer: identity, columns, ends and bytes, one after the other. */
export interface CopiedSegment {
  readonly first: number;
  readonly count: number;
  readonly gap: 0 | 1;
  readonly codec: string;
  readonly source: string;
  readonly injectedAt: string | undefined;
  readonly meta: string;
  readonly columnsBytes: number;
  readonly payload: Uint8Array<ArrayBuffer>;
}

/**
 * Segments on the port. A port spends microseconds on every object, name and buffer, which for groups of single
 * messages would be most of the work: so numbers go in one table, texts joined, small payloads in one buffer.
 */
export interface PackedSegments {
  /** {@linkcode TABLE_FIELDS} numbers a segment. */
  readonly table: Float64Array<ArrayBuffer>;
  /** The distinct names of codecs, sources and nodes. */
  readonly names: readonly string[];
  /** The metadata of all segments, joined. */
  readonly meta: string;
  readonly small: Uint8Array<ArrayBuffer>;
  /** Payloads of {@linkcode LARGE_BYTES} and more, each as it was copied. */
  readonly large: readonly Uint8Array<ArrayBuffer>[];
}

/** first, count, gap, codec, source, injectedAt (0: none), meta letters, columns bytes, payload bytes. */
const TABLE_FIELDS = 9;
/** From this size on a payload is handed over instead of copied again. */
const LARGE_BYTES = 32 * 1024;
const ID_BYTES = 16;
const END_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** Copies what a segment holds; the caller may go on using it. A few block copies, whatever it holds. */
export function copySegment(segment: Segment): CopiedSegment {
  const { count } = segment;
  if (count < 1 || count > SEGMENT_MESSAGES_MAX) {
    throw new RangeError(`a segment holds 1 to ${SEGMENT_MESSAGES_MAX} messages, not ${count}`);
  }
  const columns = encodeColumns(segment.columns, count);
  const columnsBytes = columns?.length ?? 0;
  const endsAt = ID_BYTES + columnsBytes;
  const bytesAt = endsAt + count * END_BYTES;
  const bytesEnd = segment.ends[count - 1] ?? 0;
  const payload = new Uint8Array(bytesAt + bytesEnd);
  payload.set(segment.idBase);
  if (columns !== undefined) payload.set(columns, ID_BYTES);
  payload.set(new Uint8Array(segment.ends.buffer, segment.ends.byteOffset, count * END_BYTES), endsAt);
  payload.set(bytesEnd === segment.bytes.length ? segment.bytes : segment.bytes.subarray(0, bytesEnd), bytesAt);
  return {
    first: segment.first,
    count,
    gap: segment.gap,
    codec: segment.codec,
    source: segment.source,
    injectedAt: segment.injectedAt,
    meta: printMeta(segment.meta),
    columnsBytes,
    payload,
  };
}

/** Makes one thing of several segments; it takes their payloads over. */
export function packSegments(segments: readonly CopiedSegment[]): PackedSegments {
  const table = new Float64Array(segments.length * TABLE_FIELDS);
  const names: string[] = [];
  const large: Uint8Array<ArrayBuffer>[] = [];
  let meta = "";
  let smallBytes = 0;
  for (const [row, segment] of segments.entries()) {
    const { payload, injectedAt } = segment;
    if (payload.length >= LARGE_BYTES) large.push(payload);
    else smallBytes += payload.length;
    meta += segment.meta;
    const injected = injectedAt === undefined ? 0 : nameIndex(names, injectedAt) + 1;
    const codec = nameIndex(names, segment.codec);
    const source = nameIndex(names, segment.source);
    const { first, count, gap, columnsBytes } = segment;
    const fields = [first, count, gap, codec, source, injected, segment.meta.length, columnsBytes, payload.length];
    table.set(fields, row * TABLE_FIELDS);
  }
  const small = new Uint8Array(smallBytes);
  let at = 0;
  for (const { payload } of segments) {
    if (payload.length >= LARGE_BYTES) continue;
    small.set(payload, at);
    at += payload.length;
  }
  return { table, names, meta, small, large };
}

/** What to transfer of packed segments. Small buffers cost more to transfer than to copy. */
export function packedBuffers(packed: PackedSegments): ArrayBuffer[] {
  const buffers = packed.large.map((payload) => payload.buffer);
  if (packed.small.length >= LARGE_BYTES) buffers.push(packed.small.buffer);
  return buffers;
}

/** The segments again, as views of what came. */
export function unpackSegments(packed: PackedSegments): StoredSegment[] {
  const { table, names, meta, small, large } = packed;
  const segments: StoredSegment[] = [];
  const name = (index: number) => names[index] ?? "";
  let metaAt = 0;
  let smallAt = 0;
  let largeAt = 0;
  for (let at = 0; at < table.length; at += TABLE_FIELDS) {
    const field = (offset: number) => table[at + offset] ?? 0;
    const [count, injected, metaLetters, columnsBytes, payloadBytes] = [
      field(1),
      field(5),
      field(6),
      field(7),
      field(8),
    ];
    const isLarge = payloadBytes >= LARGE_BYTES;
    const payload = (isLarge ? large[largeAt] : undefined) ?? small;
    const base = isLarge ? 0 : smallAt;
    const endsAt = base + ID_BYTES + columnsBytes;
    const bytesAt = endsAt + count * END_BYTES;
    segments.push({
      first: field(0),
      count,
      gap: field(2) === 1 ? 1 : 0,
      codec: name(field(3)),
      source: name(field(4)),
      injectedAt: injected === 0 ? null : name(injected - 1),
      idBase: payload.subarray(base, base + ID_BYTES),
      meta: meta.slice(metaAt, metaAt + metaLetters),
      columns: columnsBytes === 0 ? null : payload.subarray(base + ID_BYTES, endsAt),
      ends: payload.subarray(endsAt, bytesAt),
      bytes: payload.subarray(bytesAt, base + payloadBytes),
    });
    metaAt += metaLetters;
    if (isLarge) largeAt++;
    else smallAt += payloadBytes;
  }
  return segments;
}

/** Position of a name, which is added when it is new. A group knows few names. */
function nameIndex(names: string[], name: string): number {
  const found = names.indexOf(name);
  return found >= 0 ? found : names.push(name) - 1;
}
