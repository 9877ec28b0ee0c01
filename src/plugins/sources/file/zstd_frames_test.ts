import assert from "node:assert/strict";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { ZstdFormatError, ZstdFrames } from "./zstd_frames.ts";

/** The frames that are found in the bytes when they come in chunks of this size. */
function split(bytes: Uint8Array, chunkBytes: number): Uint8Array[] {
  const frames = new ZstdFrames();
  const whole: Uint8Array[] = [];
  let pieces: number[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    for (const piece of frames.push(bytes.subarray(at, at + chunkBytes))) {
      if (piece.kind === "data") {
        pieces.push(...piece.bytes);
      } else {
        whole.push(Uint8Array.from(pieces));
        pieces = [];
      }
    }
  }
  frames.end();
  return whole;
}

const encoder = new TextEncoder();
const TEXTS = ["one\n".repeat(50_000), "", "two", "x".repeat(300_000)].map((text) => encoder.encode(text));
/** A frame that carries something else than the text. */
const SKIPPABLE = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);

Deno.test("ZstdFrames: finds every frame, however the bytes are cut, and leaves out what is none of the text", () => {
  const parts = TEXTS.map((text) => new Uint8Array(zstdCompressSync(text)));
  const bytes = Uint8Array.from([...SKIPPABLE, ...parts.flatMap((part) => [...part, ...SKIPPABLE])]);
  for (const chunkBytes of [1, 7, 100_000]) {
    const frames = split(bytes, chunkBytes);
    assert.deepEqual(frames, parts);
    assert.deepEqual(frames.map((frame) => new Uint8Array(zstdDecompressSync(frame))), TEXTS);
  }
});

Deno.test("ZstdFrames: what is cut off anywhere is told", () => {
  const bytes = Uint8Array.from([...zstdCompressSync("some text"), ...SKIPPABLE]);
  const whole = bytes.length - SKIPPABLE.length;
  for (let length = 1; length < bytes.length; length++) {
    if (length === whole) continue;
    assert.throws(() => split(bytes.subarray(0, length), 4), ZstdFormatError, `${length} bytes`);
  }
});

Deno.test("ZstdFrames: what is no zstd is told at once", () => {
  assert.throws(() => split(encoder.encode("plain text\n"), 100), ZstdFormatError);
  const damaged = new Uint8Array(zstdCompressSync("x"));
  // A block of the reserved type: the header of the first block follows magic, descriptor and content size.
  damaged[6] = (damaged[6] ?? 0) | 0x06;
  assert.throws(() => split(damaged, 100), ZstdFormatError);
});
