/** Owns the fingerprint: a number that tells one stretch of bytes from another. */

/**
 * A 53-bit hash of `bytes[from, to)`, the same on every machine and in every version: it is kept in durable state. It
 * tells files apart, it does not defend against somebody who makes files to collide.
 */
export function fingerprint(bytes: Uint8Array, from: number, to: number): number {
  let low = 0x9e3779b9;
  let high = 0x85ebca6b;
  for (let i = from; i < to; i++) {
    const byte = bytes[i] ?? 0;
    low = Math.imul(low ^ byte, 0x01000193);
    high = Math.imul(high ^ byte, 0x5bd1e995) ^ (high >>> 15);
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0);
}

/** The beginning of a file, as far as it was seen, at most {@linkcode HEAD_BYTES}. */
export interface Head {
  readonly length: number;
  readonly hash: number;
}

/** The bytes before a position, at most {@linkcode ANCHOR_BYTES}: what must still be there for the position to hold. */
export interface Anchor {
  /** Offset the anchor ends at. */
  readonly at: number;
  readonly length: number;
  readonly hash: number;
}

/** How much of a file's beginning is its fingerprint. */
export const HEAD_BYTES = 1024;
/** How many bytes before a position are its fingerprint: long enough to hold a whole line of most logs. */
export const ANCHOR_BYTES = 256;

/** The head of a file of which nothing was seen. */
export const EMPTY_HEAD: Head = { length: 0, hash: 0 };
/** The anchor of the beginning of a file. */
export const ANCHOR_OF_START: Anchor = { at: 0, length: 0, hash: 0 };

/** The head of a file whose first bytes are `bytes[0, length)`. */
export function headOf(bytes: Uint8Array, length: number): Head {
  const seen = Math.min(length, HEAD_BYTES);
  return seen === 0 ? EMPTY_HEAD : { length: seen, hash: fingerprint(bytes, 0, seen) };
}

/** The anchor at `window[index]`, where `window[0]` has the offset `base` in the file. */
export function anchorAt(window: Uint8Array, index: number, base: number): Anchor {
  const length = Math.min(ANCHOR_BYTES, index);
  if (length === 0 && base + index === 0) return ANCHOR_OF_START;
  return { at: base + index, length, hash: fingerprint(window, index - length, index) };
}
