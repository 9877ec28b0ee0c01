/** Owns the encoding of a message on its way into a sink. */

import type { Message } from "../message/mod.ts";
import { type Codec, CodecError } from "./codec.ts";

/** A codec with the name messages carry. */
export interface NamedCodec {
  readonly name: string;
  readonly codec: Codec;
}

/**
 * A message as a sink is given it: its text or bytes, or undefined where it goes out as it arrived, since nobody changed
 * it and it is in the encoder's codec.
 * @throws {CodecError}
 */
export function encodeMessage(message: Message, encoder: NamedCodec): string | Uint8Array<ArrayBuffer> | undefined {
  const { codec, name } = encoder;
  if (message.isTombstone) return encodeTombstone(encoder);
  if (!message.payloadChanged && message.codec === name) {
    if (codec.passthrough === undefined) return undefined;
    const raw = message.raw;
    const passed = codec.passthrough(raw);
    if (passed === raw) return undefined;
    if (passed !== undefined) return passed;
  }
  if (codec.isJsonText === true && message.payloadText !== undefined) return message.payloadText;
  const encoded = codec.encodeText === undefined ? codec.encode(message.payload) : codec.encodeText(message.payload);
  if (typeof encoded === "string" || encoded instanceof Uint8Array) return encoded;
  // Nothing would stand for "as it arrived", and a changed message must not go out unchanged.
  throw new CodecError(`the codec gave ${typeof encoded}, neither text nor bytes`);
}

/** What stands for a deletion where a sink knows none: null as the codec writes it, or nothing. */
function encodeTombstone({ codec }: NamedCodec): string | Uint8Array<ArrayBuffer> {
  try {
    return codec.encodeText === undefined ? codec.encode(null) : codec.encodeText(null);
  } catch (caught) {
    if (caught instanceof CodecError) return new Uint8Array(0);
    throw caught;
  }
}
