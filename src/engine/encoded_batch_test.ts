import assert from "node:assert/strict";
import { Message, type Segment } from "../message/mod.ts";
import { CodecError } from "../plugin/mod.ts";
import { plainJson } from "../../tests/suites/plan_fixture.ts";
import { encodeAll } from "./encoded_batch.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const text = (bytes: Uint8Array) => decoder.decode(bytes);

function segmentOf(lines: readonly string[], gap: 0 | 1): Segment {
  const bytes = encoder.encode(lines.join(gap === 1 ? "\n" : ""));
  let end = -gap;
  const ends = Uint32Array.from(lines, (line) => end += line.length + gap);
  const idBase = new Uint8Array(16);
  return {
    first: 1,
    count: lines.length,
    bytes,
    ends,
    gap,
    codec: "json",
    source: "in",
    idBase,
    meta: {},
    columns: {},
  };
}

const messagesOf = (segment: Segment) =>
  Array.from(segment.ends, (_, i) => new Message(segment, i, plainJson.decode(new Message(segment, i, null).raw)));
const items = (messages: readonly Message[]) => messages.map((message) => ({ message, edge: undefined }));
const json = { name: "json", codec: plainJson };

Deno.test("encodeAll: a message that nobody changed goes out as its bytes came", () => {
  const segment = segmentOf(['{"a": 1.0}', '{"b":2}'], 1);
  const { batch } = encodeAll(items(messagesOf(segment)), json);
  assert.equal(text(batch.bytes(0)), '{"a": 1.0}');
  assert.equal(text(batch.lines()), '{"a": 1.0}\n{"b":2}\n');
});

Deno.test("EncodedBatch.lines: neighbours are copied whole only where a newline stands between them", () => {
  const packed = messagesOf(segmentOf(["[1]", "[2]", "[3]"], 0));
  assert.equal(text(encodeAll(items(packed), json).batch.lines()), "[1]\n[2]\n[3]\n");
  const separated = messagesOf(segmentOf(["[1]", "[2]", "[3]", "[4]"], 1));
  const some = [separated[0], separated[1], separated[3]].filter((message) => message !== undefined);
  assert.equal(text(encodeAll(items(some), json).batch.lines()), "[1]\n[2]\n[4]\n");
});

Deno.test("EncodedBatch.lines: changed and unchanged messages stand in order", () => {
  const [first, second] = messagesOf(segmentOf(['{"n": 1}', '{"n": 2}'], 1));
  assert.ok(first !== undefined && second !== undefined);
  const { batch } = encodeAll(items([first.derive({ payload: { n: 9 } }), second]), json);
  assert.equal(text(batch.lines()), '{"n":9}\n{"n": 2}\n');
  assert.equal(text(batch.select([1]).lines()), '{"n": 2}\n');
});

Deno.test("encodeAll: a deletion is what the codec makes of null, nothing where it makes nothing of it", () => {
  const segment = { ...segmentOf([""], 0), columns: { kafka_tombstone: [true] } };
  const deletion = new Message(segment, 0, null);
  assert.equal(text(encodeAll(items([deletion]), json).batch.bytes(0)), "null");
  const strict = {
    name: "strict",
    codec: {
      ...plainJson,
      encode: () => {
        throw new CodecError("null is nothing to it");
      },
    },
  };
  assert.equal(encodeAll(items([deletion]), strict).batch.bytes(0).length, 0);
  assert.equal(deletion.isTombstone, true);
  assert.equal(deletion.derive({ payload: { now: "there" } }).isTombstone, false);
  assert.equal(new Message(segmentOf(["null"], 0), 0, null).isTombstone, false);
});

Deno.test("encodeAll: what cannot be encoded is named and left out", () => {
  const [message] = messagesOf(segmentOf(["{}"], 1));
  assert.ok(message !== undefined);
  const { batch, failures } = encodeAll(items([message.derive({ payload: undefined }), message]), json);
  assert.equal(batch.size, 1);
  assert.ok(failures[0]?.error instanceof CodecError);
});

Deno.test("encodeAll: a codec that gives nothing for a changed message does not send it unchanged", () => {
  const [message] = messagesOf(segmentOf(["{}"], 1));
  assert.ok(message !== undefined);
  const silent = { ...plainJson, encode: () => undefined as unknown as Uint8Array<ArrayBuffer> };
  const { batch, failures } = encodeAll(items([message.derive({ payload: 1 })]), { name: "json", codec: silent });
  assert.equal(batch.size, 0);
  assert.ok(failures[0]?.error instanceof CodecError);
});
