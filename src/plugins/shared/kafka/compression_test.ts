import assert from "node:assert/strict";
import { compress, CompressionError, COMPRESSIONS, decompress } from "./compression.ts";
import { lz4Unframe } from "./lz4_frame.ts";
import { unsnappy } from "./snappy.ts";

/** Texts that take every way through a packer: nothing, too short, repeated, random, long, near a block's border. */
function samples(): Uint8Array<ArrayBuffer>[] {
  const random = (length: number) => {
    let state = 1;
    return Uint8Array.from({ length }, () => (state = (state * 48271) % 0x7fffffff) & 0xff);
  };
  const lines = Array.from({ length: 5000 }, (_, n) => JSON.stringify({ n, pad: "x".repeat(n % 90) })).join("\n");
  return [
    new Uint8Array(0),
    random(1),
    random(13),
    new Uint8Array(70_000),
    random(65_536),
    random(65_537),
    new TextEncoder().encode("abc".repeat(30_000)),
    new TextEncoder().encode(lines),
    Uint8Array.from([...random(300), ...random(300), ...new Uint8Array(40), ...random(20)]),
  ];
}

for (const [code, codec] of COMPRESSIONS.entries()) {
  Deno.test(`compress: what ${codec} packs it unpacks`, async () => {
    for (const bytes of samples()) {
      const packed = new Uint8Array(await compress(bytes, codec));
      assert.deepEqual(new Uint8Array(decompress(packed, code)), bytes);
    }
  });

  if (codec === "none") continue;
  Deno.test(`decompress: ${codec} gives no more than is allowed`, async () => {
    const packed = new Uint8Array(await compress(new Uint8Array(1_000_000), codec));
    assert.ok(packed.length < 100_000);
    assert.throws(() => decompress(packed, code, 999_999), CompressionError);
    assert.equal(decompress(packed, code, 1_000_000).length, 1_000_000);
  });

  Deno.test(`decompress: ${codec} that is cut off or altered is an error or other bytes, and never a hang`, async () => {
    const packed = new Uint8Array(await compress(samples()[7] ?? new Uint8Array(), codec));
    assert.throws(() => decompress(packed.subarray(0, packed.length - 9), code), CompressionError);
    for (let at = 0; at < packed.length; at += Math.ceil(packed.length / 60)) {
      const altered = packed.slice();
      altered[at] = (altered[at] ?? 0) ^ 0x55;
      try {
        decompress(altered, code, 10_000_000);
      } catch (caught) {
        assert.ok(caught instanceof CompressionError);
      }
    }
  });
}

Deno.test("decompress: a codec that the protocol does not know is an error", () => {
  assert.throws(() => decompress(new Uint8Array(3), 7), CompressionError);
});

Deno.test("lz4Unframe: reads frames with a size, checksums and blocks that refer to each other", () => {
  const flags = 0x40 | 0x10 | 0x08 | 0x04;
  const head = [0x04, 0x22, 0x4d, 0x18, flags, 0x40, 16, 0, 0, 0, 0, 0, 0, 0, 0];
  const literal = [9, 0, 0, 0, 0x80, 97, 98, 99, 100, 101, 102, 103, 104, 1, 1, 1, 1];
  // No literal, a match of 4 eight bytes back, and the rest literally.
  const match = [8, 0, 0, 0, 0x00, 8, 0, 0x40, 101, 102, 103, 104, 1, 1, 1, 1];
  const frame = Uint8Array.from([...head, ...literal, ...match, 0, 0, 0, 0, 9, 9, 9, 9]);
  assert.equal(new TextDecoder().decode(lz4Unframe(frame, 100)), "abcdefghabcdefgh");
});

Deno.test("unsnappy: reads a block alone, with every kind of copy", () => {
  // Literal "abcd", copy of 4 at 4 (one byte of offset), of 8 at 8 (two bytes), of 4 at 16 (four bytes).
  const block = Uint8Array.of(20, 0x0c, 97, 98, 99, 100, 0x01, 4, 0x1e, 8, 0, 0x0f, 16, 0, 0, 0);
  assert.equal(new TextDecoder().decode(unsnappy(block, 100)), "abcd".repeat(5));
});
