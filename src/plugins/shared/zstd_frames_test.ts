import assert from "node:assert/strict";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { ZstdFormatError, ZstdFrames, zstdFrames } from "./zstd_frames.ts";

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

for (
  const [title, content] of [
    ["text", "a text that is long enough ".repeat(20_000)],
    ["nothing", ""],
    ["what cannot be compressed", crypto.getRandomValues(new Uint8Array(60_000))],
  ] as const
) {
  Deno.test(`zstdFrames: a frame of ${title} is whole, and no beginning of it is`, () => {
    const frame = zstdCompressSync(content);
    // The platform's compressor may end its output with an empty frame.
    const lengths = zstdFrames(frame).map((part) => zstdDecompressSync(part).length);
    assert.equal(lengths[0], content.length);
    assert.ok(lengths.slice(1).every((length) => length === 0));
    const cuts = [1, 4, 5, 6, frame.length - 5, frame.length - 1].filter((cut) => cut < frame.length);
    for (const cut of cuts) assert.throws(() => zstdFrames(frame.subarray(0, cut)), ZstdFormatError);
  });
}

Deno.test("zstdFrames: tells frames apart, leaves out skippable ones, and finds none in nothing", () => {
  const bytes = Uint8Array.from([...zstdCompressSync("one"), ...SKIPPABLE, ...zstdCompressSync("two")]);
  // A view that does not begin where its buffer does.
  const view = Uint8Array.from([0, ...bytes]).subarray(1);
  assert.deepEqual(zstdFrames(view).map((frame) => zstdDecompressSync(frame).toString()), ["one", "two"]);
  assert.deepEqual(zstdFrames(new Uint8Array(0)), []);
});

Deno.test("zstdFrames: refuses what follows a frame and is none, and a skippable frame that is cut off", () => {
  for (const rest of [[0], new Array(20).fill(0), SKIPPABLE.subarray(0, SKIPPABLE.length - 1)]) {
    assert.throws(() => zstdFrames(Uint8Array.from([...zstdCompressSync("one"), ...rest])), ZstdFormatError);
  }
});
