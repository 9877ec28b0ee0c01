/** Owns the telling of UTF-8 from bytes that are none. */

/** Bytes of one kind that follow each other: text in UTF-8, or bytes that belong to no character. */
export interface Utf8Run {
  readonly isText: boolean;
  readonly bytes: Uint8Array;
}

/** Cuts bytes into runs, in order. Empty for no bytes. */
export function utf8Runs(bytes: Uint8Array): readonly Utf8Run[] {
  const runs: Utf8Run[] = [];
  let start = 0;
  let wasText = true;
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at);
    const isText = length > 0;
    if (isText !== wasText) {
      if (at > start) runs.push({ isText: wasText, bytes: bytes.subarray(start, at) });
      [start, wasText] = [at, isText];
    }
    at += isText ? length : 1;
  }
  if (bytes.length > start) runs.push({ isText: wasText, bytes: bytes.subarray(start) });
  return runs;
}

/** Lead bytes, in turn: the first of its kind, how many bytes follow, and the bounds of the first that does. */
const LEADS: readonly (readonly [lead: number, more: number, low: number, high: number])[] = [
  [0xf5, 0, 0, 0],
  [0xf4, 3, 0x80, 0x8f],
  [0xf1, 3, 0x80, 0xbf],
  [0xf0, 3, 0x90, 0xbf],
  [0xee, 2, 0x80, 0xbf],
  [0xed, 2, 0x80, 0x9f],
  [0xe1, 2, 0x80, 0xbf],
  [0xe0, 2, 0xa0, 0xbf],
  [0xc2, 1, 0x80, 0xbf],
];

/** Bytes of the character that begins here; 0 when none does. Longer forms than needed and surrogates are none. */
function characterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const [, more, low, high] = LEADS.find(([first]) => lead >= first) ?? [0, 0, 0, 0];
  if (more === 0 || at + more >= bytes.length) return 0;
  const next = bytes[at + 1] ?? 0;
  if (next < low || next > high) return 0;
  for (let further = at + 2; further <= at + more; further++) if (((bytes[further] ?? 0) & 0xc0) !== 0x80) return 0;
  return 1 + more;
}
