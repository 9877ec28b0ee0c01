/** Owns the built-in codec `raw`: bytes as they are. */

import { CodecError, type CodecPlugin } from "../../../plugin/mod.ts";
import { block, define } from "../../../schema/mod.ts";

const schema = block({});

// A byte order mark belongs to the message: what is decoded must encode to the very same bytes.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Bytes that are valid UTF-8 become text, all others stay bytes (a copy: the payload outlives the buffer). */
function decodeRaw(bytes: Uint8Array): unknown {
  try {
    return decoder.decode(bytes);
  } catch {
    // No UTF-8: that is no failure here, it only decides the type of the payload.
    return bytes.slice();
  }
}

/** @throws {CodecError} on a payload that is neither text nor bytes. */
function encodeRaw(payload: unknown): Uint8Array<ArrayBuffer> {
  if (typeof payload === "string") {
    if (!payload.isWellFormed()) {
      throw new CodecError("the text holds half of a surrogate pair, which UTF-8 cannot say");
    }
    return encoder.encode(payload);
  }
  if (payload instanceof Uint8Array) return new Uint8Array(payload);
  throw new CodecError(`the payload must be text or bytes, and it is ${describeType(payload)}`);
}

function describeType(payload: unknown): string {
  if (payload === null) return "null";
  if (Array.isArray(payload)) return "a list";
  return typeof payload === "object" ? "a mapping" : `a ${typeof payload}`;
}

/** Bytes as they are: text where they are valid UTF-8. */
export const rawCodec: CodecPlugin<typeof schema> = {
  kind: "codec",
  name: "raw",
  version: 1,
  summary: "Bytes as they are; the payload is text where they are valid UTF-8, else bytes.",
  capabilities: [],
  definition: define(schema),
  create: () => ({ decode: decodeRaw, encode: encodeRaw }),
};
