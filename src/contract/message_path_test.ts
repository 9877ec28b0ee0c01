import assert from "node:assert/strict";
import { follow, partOf } from "./message_path.ts";

const message = {
  payload: { lines: [{ sku: "A" }, { sku: "B" }], "a.b": { c: 1 }, a: { b: { d: 2 } }, none: null },
  meta: { "kafka.header.x": "y" },
  bytes: new TextEncoder().encode('{"ü":1}'),
};
const at = (path: string) => follow(message, path).value;

Deno.test("partOf: a path begins with a part of a message", () => {
  assert.equal(partOf("payload.total"), "payload");
  assert.equal(partOf("encoded"), "encoded");
  assert.equal(partOf("total"), undefined);
  assert.equal(partOf("payloads.x"), undefined);
});

Deno.test("follow: keys, positions in lists, how long a list is", () => {
  assert.equal(at("payload.lines.1.sku"), "B");
  assert.equal(at("payload.lines.length"), 2);
  assert.equal(at("payload.lines.2.sku"), undefined);
  assert.equal(at("payload.none"), null);
  assert.equal(at("payload.none.x"), undefined);
  assert.equal(at("payload.constructor"), undefined);
});

Deno.test("follow: keys that hold dots are found, and do not hide others", () => {
  assert.equal(at("meta.kafka.header.x"), "y");
  assert.equal(at("payload.a.b.c"), 1);
  assert.equal(at("payload.a.b.d"), 2);
});

Deno.test("follow: what would be written, as text and in base64", () => {
  assert.equal(at("encoded"), '{"ü":1}');
  assert.equal(at("encoded_base64"), message.bytes.toBase64());
});

Deno.test("follow: tells how far a path leads", () => {
  const { value, nearest } = follow(message, "payload.lines.0.name");
  assert.deepEqual([value, nearest.path, nearest.value], [undefined, "payload.lines.0", { sku: "A" }]);
});
