/** Owns the messages of a body: one, one a line, or one an element of a JSON array. */

/** Where a message stands in a body. */
export interface BodyRange {
  readonly start: number;
  readonly end: number;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const BLANKS = new Set([0x20, 0x09, NEWLINE, RETURN]);

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The lines of a body that hold something; a carriage return at the end of one is no part of it. */
export function lineRanges(bytes: Uint8Array): readonly BodyRange[] {
  const ranges: BodyRange[] = [];
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(NEWLINE, start);
    const next = found < 0 ? bytes.length : found;
    const end = next > start && bytes[next - 1] === RETURN ? next - 1 : next;
    if (!isBlank(bytes, start, end)) ranges.push({ start, end });
    start = next + 1;
  }
  return ranges;
}

/**
 * The elements of a JSON array, each as it was written; undefined where the body is no JSON array. Numbers keep their
 * text, since nothing is printed anew.
 */
export function elementRanges(bytes: Uint8Array): readonly BodyRange[] | undefined {
  try {
    if (!Array.isArray(JSON.parse(decoder.decode(bytes)))) return undefined;
  } catch {
    return undefined;
  }
  // It is valid, so brackets match and a quote can only begin or end a string.
  const ranges: BodyRange[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === QUOTE) {
      for (i++; bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
    } else if (OPENING.has(byte)) {
      if (++depth === 1) start = i + 1;
    } else if ((byte === COMMA && depth === 1) || (CLOSING.has(byte) && --depth === 0)) {
      const range = trimmed(bytes, start, i);
      if (range.start < range.end) ranges.push(range);
      start = i + 1;
    }
  }
  return ranges;
}

function trimmed(bytes: Uint8Array, from: number, to: number): BodyRange {
  let [start, end] = [from, to];
  while (start < end && BLANKS.has(bytes[start] ?? 0)) start++;
  while (end > start && BLANKS.has(bytes[end - 1] ?? 0)) end--;
  return { start, end };
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!BLANKS.has(bytes[i] ?? 0)) return false;
  return true;
}
