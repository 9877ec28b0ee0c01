/** Owns how keys and header values, which are bytes, stand in metadata, which is JSON: as text, else marked as base64. */

import type { MetaValue } from "../../../message/mod.ts";

/** Bytes that are no UTF-8, as metadata has them. */
interface MarkedBytes {
  readonly base64: string;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Text where the bytes are valid UTF-8, else `{base64: ...}`. */
export function metaOfBytes(bytes: Uint8Array): string | { readonly [key: string]: MetaValue } {
  try {
    return decoder.decode(bytes);
  } catch {
    // No UTF-8: that only decides how it is written.
    return { base64: bytes.toBase64() };
  }
}

/**
 * The bytes of a value: text as UTF-8, `{base64: ...}` decoded, bytes as they are, numbers and booleans as text, null as
 * null. Undefined for anything else.
 */
export function bytesOfMeta(value: unknown): Uint8Array | null | undefined {
  if (value === null) return null;
  if (typeof value === "string") return encoder.encode(value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
    return encoder.encode(String(value));
  }
  if (value instanceof Uint8Array) return value;
  return isMarked(value) ? unmarked(value) : undefined;
}

function unmarked({ base64 }: MarkedBytes): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    // No base64, so these are no bytes.
    return undefined;
  }
}

function isMarked(value: unknown): value is MarkedBytes {
  return typeof value === "object" && value !== null && "base64" in value && typeof value.base64 === "string" &&
    Object.keys(value).length === 1;
}
