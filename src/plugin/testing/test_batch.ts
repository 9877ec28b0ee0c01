/** Owns batches for tests of sinks. */

import type { Message, Meta } from "../../message/mod.ts";
import { joinedLines } from "../joined_lines.ts";
import type { SinkBatch } from "../sink.ts";
import { testMessage } from "./test_message.ts";

/** One message of a {@linkcode testBatch}. */
export interface TestBatchItem {
  readonly message: Message;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * A batch as the engine hands it to a sink, its messages encoded already.
 *
 * @param texts the encoded messages; each is also the payload when it is no JSON
 * @param metas metadata of the message at the same place
 */
export function testBatch(texts: readonly string[], metas: readonly Meta[] = []): SinkBatch {
  return batchOf(texts.map((text, index) => ({
    message: testMessage(payloadOf(text), { seq: index + 1, meta: metas[index] ?? {} }),
    bytes: new TextEncoder().encode(text),
  })));
}

/** A batch of these messages and bytes. */
export function batchOf(items: readonly TestBatchItem[]): SinkBatch {
  const at = (index: number): TestBatchItem => {
    const item = items[index];
    if (item === undefined) throw new RangeError(`there is no message ${index} in a batch of ${items.length}`);
    return item;
  };
  return {
    size: items.length,
    message: (index) => at(index).message,
    bytes: (index) => at(index).bytes,
    lines: () => joinedLines(items.map(({ bytes }) => bytes)),
  };
}

function payloadOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not every encoding is JSON; what it came from matters only to tests that look at it.
    return text;
  }
}
