/** Owns the bodies of requests that hold a batch. */

import type { SinkBatch } from "../../../plugin/mod.ts";

/** Media types by what a request holds, where the block names none. */
export const CONTENT_TYPES = {
  message: "application/json",
  ndjson: "application/x-ndjson",
  json_array: "application/json",
} as const;

const OPEN = 0x5b;
const CLOSE = 0x5d;
const COMMA = 0x2c;

/** A batch as one body: a line a message, or an array with an element a message. */
export function bodyOf(batch: SinkBatch, form: "ndjson" | "json_array"): Uint8Array<ArrayBuffer> {
  return form === "ndjson" ? batch.lines() : arrayOf(batch);
}

function arrayOf(batch: SinkBatch): Uint8Array<ArrayBuffer> {
  const elements = Array.from({ length: batch.size }, (_, index) => batch.bytes(index));
  // One byte after each element, a comma or the closing bracket, and the opening one.
  const array = new Uint8Array(elements.reduce((total, element) => total + element.length + 1, 1));
  array[0] = OPEN;
  let at = 1;
  for (const [index, element] of elements.entries()) {
    array.set(element, at);
    at += element.length;
    array[at++] = index === elements.length - 1 ? CLOSE : COMMA;
  }
  return array;
}
