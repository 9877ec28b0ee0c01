/** Owns the segment as a store keeps it: buffers of its own, metadata as text and one blob. */

import { type Meta, type Segment, SEGMENT_MESSAGES_MAX } from "../message/mod.ts";
import { decodeColumns } from "./meta_columns.ts";
import { parseMeta } from "./meta_text.ts";

/** A segment in the form that lies in the row: blobs, and metadata as text. */
export interface StoredSegment {
  readonly first: number;
  readonly count: number;
  readonly gap: 0 | 1;
  readonly codec: string;
  readonly source: string;
  readonly injectedAt: string | null;
  readonly idBase: Uint8Array<ArrayBuffer>;
  readonly meta: string;
  readonly columns: Uint8Array<ArrayBuffer> | null;
  /** `Uint32` values as they lie in memory, one a message. */
  readonly ends: Uint8Array<ArrayBuffer>;
  /** Ends where the last message ends. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Sequence of the last message. */
export function segmentLast(segment: Pick<StoredSegment, "first" | "count">): number {
  return segment.first + segment.count - 1;
}

/** Makes the segment again; it takes the stored form's buffers over. Throws a SyntaxError when metadata is damaged. */
export function loadSegment(stored: StoredSegment): Segment {
  return {
    first: stored.first,
    count: stored.count,
    bytes: stored.bytes,
    ends: endsOf(stored.ends),
    gap: stored.gap,
    codec: stored.codec,
    source: stored.source,
    ...(stored.injectedAt === null ? {} : { injectedAt: stored.injectedAt }),
    idBase: stored.idBase,
    meta: parseMeta(stored.meta) as Meta,
    columns: stored.columns === null ? {} : decodeColumns(stored.columns, stored.count),
  };
}

/** The ends as numbers: a view where the bytes lie aligned, else a copy. */
export function endsOf(bytes: Uint8Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const size = Uint32Array.BYTES_PER_ELEMENT;
  const lying = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  return new Uint32Array(lying.buffer, lying.byteOffset, Math.floor(lying.byteLength / size));
}

/** What is wrong with the shape of a stored segment; `undefined` when nothing is. Looks at no message's content. */
export function segmentFault(segment: StoredSegment): string | undefined {
  const { first, count, gap } = segment;
  if (!Number.isSafeInteger(first) || first < 1) return `its first sequence is ${first}`;
  if (!Number.isSafeInteger(count) || count < 1 || count > SEGMENT_MESSAGES_MAX) return `it counts ${count} messages`;
  const ends = endsOf(segment.ends);
  if (ends.length !== count) return `it counts ${count} messages and has ${ends.length} ends`;
  let start = 0;
  for (const end of ends) {
    if (end < start) return `a message ends at byte ${end}, before it begins at byte ${start}`;
    start = end + gap;
  }
  const last = ends[count - 1] ?? 0;
  if (last !== segment.bytes.length) return `its last message ends at byte ${last} of ${segment.bytes.length}`;
  return undefined;
}

/** The segment's own buffers, for a transfer list. */
export function segmentBuffers(segment: StoredSegment): ArrayBuffer[] {
  const buffers = [segment.idBase.buffer, segment.ends.buffer, segment.bytes.buffer];
  if (segment.columns !== null) buffers.push(segment.columns.buffer);
  return buffers;
}
