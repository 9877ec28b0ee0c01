/** Owns JSON bytes to payloads: one at a time, and a whole segment at once. */

import { reasonOf } from "../../../diagnostics/mod.ts";
import { CodecError } from "../../../plugin/mod.ts";
import { findInfinite, mayHoldInfinite, mayHoldLongInfinite } from "../../shared/infinite_number.ts";
import { segmentTexts, utf8Text } from "../../shared/segment_texts.ts";
import { sourceTextJson } from "../../../base/mod.ts";

/** Digits a run must have before the number it stands in may lie beyond 2^53. */
const LONG_DIGITS = 16;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const QUOTE = 0x22;
const POINT = 0x2e;
const INTEGER_REGEXP = /^-?\d+$/;

/** Decodes one document. @throws {CodecError} on bytes that are no UTF-8 or no JSON. */
export function decodeJson(bytes: Uint8Array): unknown {
  const text = utf8Text(bytes, "JSON");
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
  const texts = segmentTexts(bytes, ends, gap);
  const anyLongDigits = hasLongDigits(bytes, 0, bytes.length);
  const anyGreatExponent = texts !== undefined && mayHoldInfinite(texts.whole);
  let byteStart = 0;
  for (let i = 0; i < ends.length; i++) {
    const byteEnd = ends[i] ?? 0;
    try {
      if (texts === undefined) {
        payloads[i] = decodeJson(bytes.subarray(byteStart, byteEnd));
      } else if (anyLongDigits && hasLongDigits(bytes, byteStart, byteEnd)) {
        payloads[i] = parseJson(texts.slice(i), true);
      } else if (anyGreatExponent) {
        payloads[i] = parseJson(texts.slice(i), false);
      } else {
        payloads[i] = JSON.parse(texts.slice(i));
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

function parseJson(text: string, longDigits: boolean): unknown {
  let payload: unknown;
  try {
    payload = longDigits ? sourceTextJson.parse(text, keepDigits) : JSON.parse(text);
  } catch (caught) {
    throw new CodecError(describe(caught), caught);
  }
  if (longDigits ? mayHoldLongInfinite(text) : mayHoldInfinite(text)) refuseInfinite(payload);
  return payload;
}

/** A number that became infinite would compare, and be written, as what it is not. */
function refuseInfinite(payload: unknown): void {
  const path = findInfinite(payload);
  if (path === undefined) return;
  throw new CodecError(`${path} is a number beyond what a double holds, which is about 1.8e308 either way`);
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
