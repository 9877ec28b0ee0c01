/** Owns how values cross a pipe between two processes of the program: a length, then the value, structured-cloned. */

import { deserialize, serialize } from "node:v8";
import { EventboatError } from "../diagnostics/mod.ts";

const LENGTH_BYTES = 4;
/** Largest value that is read: a document of the largest size a loader takes is far below. */
const FRAME_BYTES_MAX = 64 * 1024 * 1024;

/** One value as bytes. */
export function encodeFrame(value: unknown): Uint8Array<ArrayBuffer> {
  const body = serialize(value);
  const frame = new Uint8Array(LENGTH_BYTES + body.length);
  new DataView(frame.buffer).setUint32(0, body.length);
  frame.set(body, LENGTH_BYTES);
  return frame;
}

/**
 * The values that a stream carries, until it ends. A stream that ends within a frame ends like one between frames: its
 * writer died.
 * @throws {EventboatError} `internal` when a frame is larger than any the program sends.
 */
export async function* decodeFrames(stream: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  let held = new Uint8Array(0);
  for await (const chunk of stream) {
    const joined = new Uint8Array(held.length + chunk.length);
    joined.set(held);
    joined.set(chunk, held.length);
    held = joined;
    for (let length = frameLength(held); length !== undefined; length = frameLength(held)) {
      yield deserialize(held.slice(LENGTH_BYTES, LENGTH_BYTES + length));
      held = held.slice(LENGTH_BYTES + length);
    }
  }
}

/** Length of the first frame's value when it is there whole. */
function frameLength(held: Uint8Array): number | undefined {
  if (held.length < LENGTH_BYTES) return undefined;
  const length = new DataView(held.buffer, held.byteOffset).getUint32(0);
  if (length > FRAME_BYTES_MAX) {
    throw new EventboatError("internal", `cannot read a frame of ${length} bytes: at most ${FRAME_BYTES_MAX} are sent`);
  }
  return held.length >= LENGTH_BYTES + length ? length : undefined;
}
