/** Owns the segment: one admission as the spool keeps it, many messages in one record. */

import { idText } from "../base/mod.ts";
import type { Meta, MetaColumns } from "./meta.ts";

/** Most messages a segment may hold; also the upper limit of `storage.write_batch.max_rows`. */
export const SEGMENT_MESSAGES_MAX = 2000;
/** Most bytes a segment of several messages may hold; a single message may be larger. */
export const SEGMENT_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Columns that the engine keeps for itself begin with this character. They are spooled with the message and are no
 * metadata: no node sees them, and no source can set one.
 */
export const HIDDEN_COLUMN_PREFIX = "\0";
/** Of a message that is replayed from the dead letters: the letter's id. */
export const LETTER_COLUMN = `${HIDDEN_COLUMN_PREFIX}letter`;
/** Of a message that is replayed into the node where it failed: the edge it had come over, as `from->to`. */
export const EDGE_COLUMN = `${HIDDEN_COLUMN_PREFIX}edge`;

/** One admission: consecutive sequences from one source (or injection node) with one codec. */
export interface Segment {
  /** Sequence of message 0; message i has `first + i`. Sequences count from 1. */
  readonly first: number;
  readonly count: number;
  /** Message i is `bytes[start(i), ends[i])`; see {@linkcode segmentStart}. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly gap: 0 | 1;
  /** Name of the codec the bytes are in. */
  readonly codec: string;
  /** Name of the source node, or of the node an injection entered. */
  readonly source: string;
  /** The internal node an injection entered, when it was no source. */
  readonly injectedAt?: string;
  /** UUIDv7 of message 0; message i is i further. */
  readonly idBase: Uint8Array<ArrayBuffer>;
  /** Stamps and metadata that all messages share. */
  readonly meta: Meta;
  readonly columns: MetaColumns;
}

/** Where message `index` begins in the segment's bytes. */
export function segmentStart(segment: Pick<Segment, "ends" | "gap">, index: number): number {
  return index === 0 ? 0 : (segment.ends[index - 1] ?? 0) + segment.gap;
}

/** The raw bytes of one message: a view, not a copy. */
export function segmentBytes(segment: Pick<Segment, "ends" | "gap" | "bytes">, index: number): Uint8Array<ArrayBuffer> {
  return segment.bytes.subarray(segmentStart(segment, index), segment.ends[index]);
}

/** The identity of one message: the caller's own when it supplied one, else counted from the base. */
export function segmentMessageId(segment: Pick<Segment, "columns" | "idBase">, index: number): string {
  const own = segment.columns["message_id"]?.[index];
  return typeof own === "string" ? own : idText(segment.idBase, index);
}

/** The metadata of one message, put together: shared stamps, its own columns, its identity. */
export function segmentMeta(segment: Pick<Segment, "columns" | "idBase" | "meta">, index: number): Meta {
  const meta: Record<string, Meta[string]> = { ...segment.meta };
  for (const key in segment.columns) {
    const value = segment.columns[key]?.[index];
    if (value === undefined || key.startsWith(HIDDEN_COLUMN_PREFIX)) continue;
    // An assignment to this one key would set the prototype instead of a member.
    if (key === "__proto__") {
      Object.defineProperty(meta, key, { value, enumerable: true, writable: true, configurable: true });
    } else meta[key] = value;
  }
  meta["message_id"] = segmentMessageId(segment, index);
  return meta;
}
