/** Owns the sinks of a case: they take what they are given and let nothing out. */

import type { Meta } from "../message/mod.ts";
import type { Sink, SinkBatch } from "../plugin/mod.ts";

/** A message as a sink was given it. */
export interface Captured {
  readonly payload: unknown;
  readonly meta: Meta;
  /** What the sink would have written. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What one sink was given, in the order it came. */
export interface Capture {
  readonly messages: Captured[];
  /** What a file of such messages begins with. */
  head: Uint8Array<ArrayBuffer> | undefined;
}

/** Everything the sinks of one case were given. */
export class CapturedSinks {
  readonly #captures = new Map<string, Capture>();
  #taken = 0;

  /** How many messages have come so far. */
  get taken(): number {
    return this.#taken;
  }

  /** What a sink was given; nothing for one that got nothing. */
  of(sink: string): Capture {
    return this.#captures.get(sink) ?? { messages: [], head: undefined };
  }

  /** Stands for the sink of a node. */
  sink(node: string): Sink {
    const capture: Capture = { messages: [], head: undefined };
    this.#captures.set(node, capture);
    return {
      write: (batch) => {
        capture.head = batch.head;
        for (let index = 0; index < batch.size; index++) capture.messages.push(captured(batch, index));
        this.#taken += batch.size;
      },
      close() {},
    };
  }
}

/** Views end with the write: bytes are copied. */
function captured(batch: SinkBatch, index: number): Captured {
  const { payload, meta } = batch.message(index);
  return {
    payload: payload instanceof Uint8Array ? payload.slice() : payload,
    meta,
    bytes: batch.bytes(index).slice(),
  };
}
