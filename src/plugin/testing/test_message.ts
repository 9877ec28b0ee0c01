/** Owns messages for tests of transforms and sinks. */

import { idBase } from "../../base/mod.ts";
import { Message, type Meta, type Segment } from "../../message/mod.ts";
import { countedRandom } from "./test_context.ts";

/** What a {@linkcode testMessage} is made of beside its payload. */
export interface TestMessageOptions {
  /** A `message_id` in it is the message's identity. */
  readonly meta?: Meta;
  /** Name of the codec the raw bytes are said to be in. Default `json`. */
  readonly codec?: string;
  /** The bytes it arrived as. Default: the payload as JSON. */
  readonly raw?: Uint8Array<ArrayBuffer>;
  /** Its sequence. Default 1. */
  readonly seq?: number;
  /** Default `in`. */
  readonly source?: string;
}

/** A message as a node gets it, alone in its segment. */
export function testMessage(payload: unknown, options: TestMessageOptions = {}): Message {
  const bytes = options.raw ?? new TextEncoder().encode(JSON.stringify(payload));
  const { message_id: id, ...meta } = options.meta ?? {};
  const segment: Segment = {
    first: options.seq ?? 1,
    count: 1,
    bytes,
    ends: Uint32Array.of(bytes.length),
    gap: 0,
    codec: options.codec ?? "json",
    source: options.source ?? "in",
    idBase: idBase(0, countedRandom()),
    meta,
    columns: id === undefined ? {} : { message_id: [id] },
  };
  return new Message(segment, 0, payload);
}
