/** Owns what of a key is remembered: the key itself while it is short, a digest of it where it is long. */

import { createHash } from "node:crypto";

/** Longest key that is remembered as it is, in UTF-16 units. Below the length of a digest: the two never meet. */
const EXACT_UNITS_MAX = 64;
const DIGEST_PREFIX = "sha256:";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * What stands for a key: equal for equal keys, different for different ones (for long keys as surely as SHA-256 can
 * tell), at most 71 units long and well-formed.
 */
export function keyIdentity(key: string): string {
  // UTF-8 has no form for half a surrogate pair and would make all of them equal.
  if (key.length <= EXACT_UNITS_MAX && key.isWellFormed()) return key;
  return DIGEST_PREFIX + createHash("sha256").update(key, "utf16le").digest("hex");
}

/** The same text in memory of its own: a text cut out of a segment would keep all of the segment's text alive. */
export function ownText(text: string): string {
  return decoder.decode(encoder.encode(text));
}
