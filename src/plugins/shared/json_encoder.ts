/** Owns payloads to JSON text and bytes. */

import { reasonOf } from "../../diagnostics/mod.ts";
import { CodecError } from "../../plugin/mod.ts";
import { sourceTextJson } from "../../base/mod.ts";

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;
const encoder = new TextEncoder();

/** Encodes one payload as text on one line. @throws {CodecError} on what JSON cannot say. */
export function encodeJsonText(payload: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(payload);
  } catch (caught) {
    text = stringifyCarefully(payload, caught);
  }
  if (text === undefined) throw new CodecError(`JSON has no form for a payload of the type ${typeof payload}`);
  // JSON.stringify writes null for NaN and Infinity, and an object of indexes for bytes: both would be silent changes.
  if (text.includes("null") || text.includes('{"0":') || text.includes("{}")) refuseUnsayable(payload, "payload");
  return text;
}

/** Encodes one payload as UTF-8. @throws {CodecError} on what JSON cannot say. */
export function encodeJson(payload: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(encodeJsonText(payload));
}

/**
 * A document as it came, or where it holds a newline the same without the white space between its tokens: every
 * number and string keeps its text. A byte order mark in front of it goes: among other documents it would be no JSON.
 */
export function compactJson(document: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes = BYTE_ORDER_MARK.every((byte, i) => document[i] === byte)
    ? document.subarray(BYTE_ORDER_MARK.length)
    : document;
  if (bytes.indexOf(NEWLINE) < 0) return bytes;
  const compact = new Uint8Array(bytes.length);
  let length = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (!inString && (byte === 0x20 || byte === 0x09 || byte === NEWLINE || byte === 0x0d)) continue;
    compact[length++] = byte;
    if (byte === QUOTE) inString = !inString;
    else if (inString && byte === BACKSLASH && i + 1 < bytes.length) compact[length++] = bytes[++i] ?? 0;
  }
  return compact.subarray(0, length);
}

/** The road for payloads that hold integers beyond 2^53. */
function stringifyCarefully(payload: unknown, first: unknown): string | undefined {
  if (first instanceof RangeError) throw new CodecError("the payload is nested too deeply", first);
  try {
    return JSON.stringify(
      payload,
      (_key, value) => typeof value === "bigint" ? sourceTextJson.rawJSON(String(value)) : value,
    );
  } catch (caught) {
    if (caught instanceof RangeError) {
      throw new CodecError("the payload is nested too deeply", caught);
    }
    throw new CodecError(reasonOf(caught), caught);
  }
}

/** Throws if the payload holds a number or bytes that JSON has no form for, naming the place. */
function refuseUnsayable(payload: unknown, name: string): void {
  const pending: { readonly value: unknown; readonly path: string }[] = [{ value: payload, path: name }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next;
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw new CodecError(`${path} is ${value}, and JSON has no such number`);
    }
    if (ArrayBuffer.isView(value)) {
      throw new CodecError(`${path} is bytes, and JSON has only text`);
    }
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) pending.push({ value: value[i], path: `${path}[${i}]` });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) pending.push({ value: member, path: `${path}.${key}` });
    }
  }
}
