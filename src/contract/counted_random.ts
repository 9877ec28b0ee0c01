/** Owns the randomness of a case: it counts, so that the identities of messages are the same in every run. */

import type { Random } from "../base/mod.ts";

/** Where the count stands in what is drawn: in an identity's bytes behind its variant, before its own counter. */
const COUNT_OFFSET = 10;

/** Draws that are numbered from 1; a case takes a new one. Fractions are always a half. */
export function countedRandom(): Random {
  let drawn = 0;
  return {
    bytes(array) {
      drawn++;
      array.fill(0);
      if (array.length >= COUNT_OFFSET + 2) new DataView(array.buffer, array.byteOffset).setUint16(COUNT_OFFSET, drawn);
      return array;
    },
    fraction: () => 0.5,
  };
}
