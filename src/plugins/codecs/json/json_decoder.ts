/** Owns JSON bytes to payloads: one at a time, and a whole segment at once. */

import { reasonOf } from "../../../diagnostics/mod.ts";
import { CodecError } from "../../../plugin/mod.ts";
import { sourceTextJson } from "../../shared/source_text_json.ts";

/** Digits a run must have before the number it stands in may lie beyond 2^53. */
const LONG_DIGITS = 16;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const QUOTE = 0x22;
const POINT = 0x2e;
const NEWLINE = 0x0a;
const INTEGER_REGEXP = /^-?\d+$/;
/** What a lenient decoder writes for bytes that are no UTF-8. */
const REPLACEMENT = "\ufffd";

// The strict decoder hands back two-byte text even for ASCII, which parses more slowly; so the lenient one goes first
// and the strict one judges only what may hold a replacement.
const lenientDecoder = new TextDecoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: true });

/** Decodes one document. @throws {CodecError} on bytes that are no UTF-8 or no JSON. */
export function decodeJson(bytes: Uint8Array): unknown {
  const text = decodeText(bytes);
  return parseJson(text, hasLongDigits(bytes, 0, bytes.length));
}

/** Decodes many documents that lie in one buffer; the contract is that of {@linkcode Codec.decodeMany}. */
export function decodeManyJson(
  bytes: Uint8Array,
  ends: Uint32Array,
  gap: number,
  payloads: unknown[],
  failed: (index: number, error: CodecError) => void,
): void {
  const text = lenientDecoder.decode(bytes);
  const starts = locate(text, bytes, ends, gap);
  const anyLongDigits = hasLongDigits(bytes, 0, bytes.length);
  let byteStart = 0;
  for (let i = 0; i < ends.length; i++) {
    const byteEnd = ends[i] ?? 0;
    try {
      if (starts === undefined) {
        payloads[i] = decodeJson(bytes.subarray(byteStart, byteEnd));
      } else if (anyLongDigits && hasLongDigits(bytes, byteStart, byteEnd)) {
        payloads[i] = parseJson(starts.slice(i), true);
      } else {
        payloads[i] = JSON.parse(starts.slice(i));
      }
    } catch {
      // Once more by itself: a byte order mark is dropped only at the start of what is decoded, and the error is ours.
      payloads[i] = retry(bytes.subarray(byteStart, byteEnd), (error) => failed(i, error));
    }
    byteStart = byteEnd + gap;
  }
}

function retry(bytes: Uint8Array, failed: (error: CodecError) => void): unknown {
  try {
    return decodeJson(bytes);
  } catch (caught) {
    failed(caught instanceof CodecError ? caught : new CodecError(describe(caught), caught));
    return undefined;
  }
}

/** Cuts messages out of the text of a whole segment. */
interface Slices {
  slice(index: number): string;
}

/**
 * Finds where each message stands in the segment's text, or gives undefined where that cannot be told cheaply: then
 * each is decoded by itself.
 */
function locate(text: string, bytes: Uint8Array, ends: Uint32Array, gap: number): Slices | undefined {
  if (text.includes(REPLACEMENT)) return undefined;
  if (text.length === bytes.length) {
    // ASCII throughout: text and bytes have the same offsets.
    return { slice: (i) => text.slice(i === 0 ? 0 : (ends[i - 1] ?? 0) + gap, ends[i]) };
  }
  return gap === 1 ? locateLines(text, bytes, ends) : undefined;
}

/** Other than ASCII: if the only newlines are those between messages, they are found by looking for newlines. */
function locateLines(text: string, bytes: Uint8Array, ends: Uint32Array): Slices | undefined {
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
  return { slice: (i) => text.slice(i === 0 ? 0 : (textEnds[i - 1] ?? 0) + 1, textEnds[i]) };
}

function decodeText(bytes: Uint8Array): string {
  const text = lenientDecoder.decode(bytes);
  if (!text.includes(REPLACEMENT)) return text;
  try {
    return strictDecoder.decode(bytes);
  } catch (caught) {
    throw new CodecError(`JSON is UTF-8, and these ${bytes.length} bytes are not`, caught);
  }
}

function parseJson(text: string, longDigits: boolean): unknown {
  try {
    return longDigits ? sourceTextJson.parse(text, keepDigits) : JSON.parse(text);
  } catch (caught) {
    throw new CodecError(describe(caught), caught);
  }
}

function describe(caught: unknown): string {
  if (caught instanceof RangeError) return "it is nested too deeply";
  const reason = reasonOf(caught);
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}

/** Keeps integers that a double cannot hold as bigint, digit by digit. */
function keepDigits(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context.source;
  return source !== undefined && INTEGER_REGEXP.test(source) ? BigInt(source) : value;
}

/**
 * Whether 16 digits or more stand side by side. A run of 16 covers a position that is a multiple of 16 from the start,
 * so only those are looked at; what is found may be a string or a fraction, which the careful parse tells apart.
 */
function hasLongDigits(bytes: Uint8Array, start: number, end: number): boolean {
  for (let probe = start + LONG_DIGITS - 1; probe < end; probe += LONG_DIGITS) {
    if (!isDigit(bytes[probe])) continue;
    let from = probe;
    while (from > start && isDigit(bytes[from - 1])) from--;
    let to = probe + 1;
    while (to < end && isDigit(bytes[to])) to++;
    // After a quote the digits begin a string, after a point they are a fraction: neither is an integer.
    const before = from > start ? bytes[from - 1] : undefined;
    if (to - from >= LONG_DIGITS && before !== QUOTE && before !== POINT) return true;
  }
  return false;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= DIGIT_0 && byte <= DIGIT_9;
}
