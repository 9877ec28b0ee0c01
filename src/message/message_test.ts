import assert from "node:assert/strict";
import { Message } from "./message.ts";
import type { Segment } from "./segment.ts";

const segment: Segment = {
  first: 1,
  count: 1,
  bytes: Uint8Array.of(0x30),
  ends: Uint32Array.of(1),
  gap: 0,
  codec: "json",
  source: "in",
  idBase: new Uint8Array(16),
  meta: {},
  columns: {},
};

Deno.test("Message.derive: a payload given as JSON text is a value once looked at, and branches share the text", () => {
  const message = new Message(segment, 0, 0);
  const derived = message.derive({ payloadText: '{"a":[1,null]}' });
  const branch = derived.derive({ branch: "1" });
  assert.deepEqual([derived.payloadChanged, branch.payloadText, message.payloadText], [
    true,
    '{"a":[1,null]}',
    undefined,
  ]);
  assert.deepEqual(branch.payload, { a: [1, null] });
  assert.equal(derived.payload, derived.payload);
});

Deno.test("Message.derive: a payload that replaces one given as text leaves no text behind", () => {
  const derived = new Message(segment, 0, 1).derive({ payloadText: "2" }).derive({ payload: 3 });
  assert.deepEqual([derived.payload, derived.payloadText, derived.payloadChanged], [3, undefined, true]);
});

Deno.test("Message.isTombstone: a payload given as the text of null stands for a deletion too, any other does not", () => {
  const message = new Message(segment, 0, 1, false, false, "", { kafka_tombstone: true });
  assert.equal(message.derive({ payloadText: "null" }).isTombstone, true);
  assert.equal(message.derive({ payloadText: "0" }).isTombstone, false);
});
