import assert from "node:assert/strict";
import { CodecError, testContext } from "../../../plugin/mod.ts";
import { rawCodec } from "./mod.ts";

const codec = rawCodec.create({}, testContext());

Deno.test("raw decode: valid UTF-8 is text, anything else bytes of its own", () => {
  assert.equal(codec.decode(new TextEncoder().encode("grüße")), "grüße");
  const bytes = Uint8Array.of(0x45, 0xe1, 0x72);
  const payload = codec.decode(bytes);
  bytes[0] = 0;
  assert.deepEqual(payload, Uint8Array.of(0x45, 0xe1, 0x72));
});

Deno.test("raw encode: gives back the very bytes, a byte order mark among them", () => {
  for (const bytes of [Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), Uint8Array.of(0xff, 0), new Uint8Array(0)]) {
    assert.deepEqual(codec.encode(codec.decode(bytes)), bytes);
  }
});

Deno.test("raw encode: refuses what is neither text nor bytes, and text that UTF-8 cannot say", () => {
  for (const payload of [1, null, {}, [], true, "\ud83e"]) assert.throws(() => codec.encode(payload), CodecError);
});
