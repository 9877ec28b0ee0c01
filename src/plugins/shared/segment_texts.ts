/** Owns the way from UTF-8 bytes to text: of one message, and of a whole segment at once. */

import { CodecError } from "../../plugin/mod.ts";

const NEWLINE = 0x0a;
/** What a lenient decoder writes for bytes that are no UTF-8. */
const REPLACEMENT = "\ufffd";

// The strict decoder hands back two-byte text even for ASCII, which parses more slowly; so the lenient one goes first
// and the strict one judges only what may hold a replacement.
const lenientDecoder = new TextDecoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The text of one message, without a byte order mark at its start.
 * @param what the format, for the error: `JSON`, `CSV`
 * @throws {CodecError} on bytes that are no UTF-8
 */
export function utf8Text(bytes: Uint8Array, what: string): string {
  const text = lenientDecoder.decode(bytes);
  if (!text.includes(REPLACEMENT)) return text;
  try {
    return strictDecoder.decode(bytes);
  } catch (caught) {
    throw new CodecError(`${what} is UTF-8, and these ${bytes.length} bytes are not`, caught);
  }
}

/** Cuts messages out of the text of a whole segment. */
export interface SegmentTexts {
  /** All of it, what stands between messages included. */
  readonly whole: string;
  /**
   * The text of message `index`. A byte order mark is dropped at the start of the segment only, and kept at the start
   * of any other message.
   */
  slice(index: number): string;
}

/**
 * Decodes a whole segment (the layout is that of {@linkcode Codec.decodeMany}) and finds where each message stands in
 * its text. Undefined where that cannot be told cheaply: then each is to be decoded by itself.
 */
export function segmentTexts(bytes: Uint8Array, ends: Uint32Array, gap: number): SegmentTexts | undefined {
  const text = lenientDecoder.decode(bytes);
  if (text.includes(REPLACEMENT)) return undefined;
  if (text.length === bytes.length) {
    // ASCII throughout: text and bytes have the same offsets.
    return { whole: text, slice: (i) => text.slice(i === 0 ? 0 : (ends[i - 1] ?? 0) + gap, ends[i]) };
  }
  return gap === 1 ? locateLines(text, bytes, ends) : undefined;
}

/** Other than ASCII: if the only newlines are those between messages, they are found by looking for newlines. */
function locateLines(text: string, bytes: Uint8Array, ends: Uint32Array): SegmentTexts | undefined {
  const count = ends.length;
  const textEnds = new Uint32Array(count);
  let at = -1;
  for (let i = 0; i < count - 1; i++) {
    if (bytes[ends[i] ?? 0] !== NEWLINE) return undefined;
    at = text.indexOf("\n", at + 1);
    if (at < 0) return undefined;
    textEnds[i] = at;
  }
  const next = text.indexOf("\n", at + 1);
  if (next >= 0 && next !== text.length - 1) return undefined;
  textEnds[count - 1] = next < 0 ? text.length : next;
  return { whole: text, slice: (i) => text.slice(i === 0 ? 0 : (textEnds[i - 1] ?? 0) + 1, textEnds[i]) };
}
