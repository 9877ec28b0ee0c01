import assert from "node:assert/strict";
import { encodeMessage } from "./encoding.ts";
import { testMessage } from "./testing/test_message.ts";

const json = {
  decode: (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)),
  encode: (payload: unknown) => new TextEncoder().encode(JSON.stringify(payload)),
  encodeText: (payload: unknown) => `printed ${JSON.stringify(payload)}`,
};

Deno.test("encodeMessage: JSON text that is at hand is what a codec of such text would print", () => {
  const message = testMessage({ a: 1 }).derive({ payloadText: '{"a":2}' });
  assert.equal(encodeMessage(message, { name: "json", codec: { ...json, isJsonText: true } }), '{"a":2}');
  assert.equal(encodeMessage(message, { name: "other", codec: json }), 'printed {"a":2}');
});
