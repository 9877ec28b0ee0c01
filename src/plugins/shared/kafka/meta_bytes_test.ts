import assert from "node:assert/strict";
import { bytesOfMeta, metaOfBytes } from "./meta_bytes.ts";

Deno.test("metaOfBytes: text stays text, other bytes are marked, and bytesOfMeta gives either back", () => {
  for (
    const bytes of [
      Uint8Array.of(),
      Uint8Array.of(0xc3, 0xa4),
      Uint8Array.of(0xef, 0xbb, 0xbf, 97),
      Uint8Array.of(0xff, 0),
    ]
  ) {
    assert.deepEqual(new Uint8Array(bytesOfMeta(metaOfBytes(bytes)) ?? []), bytes);
  }
  assert.equal(metaOfBytes(Uint8Array.of(0xc3, 0xa4)), "ä");
  assert.deepEqual(metaOfBytes(Uint8Array.of(0xff)), { base64: "/w==" });
});

Deno.test("bytesOfMeta: numbers and booleans are text, null is null, the rest is nothing", () => {
  const text = (value: unknown) => new TextDecoder().decode(bytesOfMeta(value) ?? undefined);
  assert.deepEqual([text(5), text(true), text(12345678901234567890n)], ["5", "true", "12345678901234567890"]);
  assert.equal(bytesOfMeta(null), null);
  for (const value of [undefined, [], {}, { base64: "?" }, { base64: "AA==", more: 1 }]) {
    assert.equal(bytesOfMeta(value), undefined);
  }
});
