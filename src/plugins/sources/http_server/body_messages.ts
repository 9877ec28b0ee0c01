/** Owns the messages of a body: one, one a line, or one an element of a JSON array. */

/**
 * Where the messages stand in a body: start and end of each, in turn. Numbers side by side, because a body of a million
 * bytes can hold half a million messages, and as many objects would take fifty times its size.
 */
export type BodyRanges = Uint32Array<ArrayBuffer>;

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
export function lineRanges(bytes: Uint8Array): BodyRanges {
  const ranges: number[] = [];
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(NEWLINE, start);
    const next = found < 0 ? bytes.length : found;
    const end = next > start && bytes[next - 1] === RETURN ? next - 1 : next;
    if (!isBlank(bytes, start, end)) ranges.push(start, end);
    start = next + 1;
  }
  return new Uint32Array(ranges);
}

/**
 * The elements of a JSON array, each as it was written; undefined where the body is no JSON array. Numbers keep their
 * text, since nothing is printed anew.
 */
export function elementRanges(bytes: Uint8Array): BodyRanges | undefined {
  try {
    if (!Array.isArray(JSON.parse(decoder.decode(bytes)))) return undefined;
  } catch {
    return undefined;
  }
  // It is valid, so brackets match and a quote can only begin or end a string.
  const ranges: number[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === QUOTE) {
      for (i++; bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
    } else if (OPENING.has(byte)) {
      if (++depth === 1) start = i + 1;
    } else if ((byte === COMMA && depth === 1) || (CLOSING.has(byte) && --depth === 0)) {
      let [first, end] = [start, i];
      while (first < end && BLANKS.has(bytes[first] ?? 0)) first++;
      while (end > first && BLANKS.has(bytes[end - 1] ?? 0)) end--;
      if (first < end) ranges.push(first, end);
      start = i + 1;
    }
  }
  return new Uint32Array(ranges);
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!BLANKS.has(bytes[i] ?? 0)) return false;
  return true;
}
