/** Owns the segments that fault tests write: each message is its own number, padded to a size that fills a disk. */

import { idBase, systemClock, systemRandom } from "../../src/base/mod.ts";
import type { Segment } from "../../src/message/mod.ts";

/** Messages of one segment. */
export const NUMBERED_MESSAGES = 100;
/** Bytes of one message. */
const MESSAGE_BYTES = 1_000;

/** A segment of {@linkcode NUMBERED_MESSAGES} messages from `first` on. */
export function numberedSegment(first: number): Segment {
  const bytes = new Uint8Array(NUMBERED_MESSAGES * MESSAGE_BYTES);
  for (let i = 0; i < NUMBERED_MESSAGES; i++) {
    const text = String(first + i).padEnd(MESSAGE_BYTES, ".");
    new TextEncoder().encodeInto(text, bytes.subarray(i * MESSAGE_BYTES));
  }
  return {
    first,
    count: NUMBERED_MESSAGES,
    bytes,
    ends: Uint32Array.from({ length: NUMBERED_MESSAGES }, (_, i) => (i + 1) * MESSAGE_BYTES),
    gap: 0,
    codec: "raw",
    source: "in",
    idBase: idBase(systemClock.now(), systemRandom),
    meta: { source: "in" },
    columns: {},
  };
}

/** Whether a segment holds what {@linkcode numberedSegment} put there. */
export function isNumbered(segment: Segment): boolean {
  const wanted = numberedSegment(segment.first).bytes;
  return segment.bytes.length === wanted.length && segment.bytes.every((byte, i) => byte === wanted[i]);
}
