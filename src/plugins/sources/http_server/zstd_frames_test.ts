import assert from "node:assert/strict";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { zstdFrames } from "./zstd_frames.ts";

const text = "a text that is long enough ".repeat(20_000);
const random = crypto.getRandomValues(new Uint8Array(60_000));

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

for (const [title, content] of [["text", text], ["nothing", ""], ["what cannot be compressed", random]] as const) {
  Deno.test(`zstdFrames: a frame of ${title} is whole, and no beginning of it is`, () => {
    const frame = zstdCompressSync(content);
    // The platform's compressor may end its output with an empty frame.
    const lengths = (zstdFrames(frame) ?? []).map((part) => zstdDecompressSync(part).length);
    assert.equal(lengths[0], content.length);
    assert.ok(lengths.slice(1).every((length) => length === 0));
    const cuts = [0, 1, 4, 5, 6, frame.length - 5, frame.length - 1].filter((cut) => cut < frame.length);
    for (const cut of cuts) assert.equal(zstdFrames(frame.subarray(0, cut)), undefined);
  });
}

Deno.test("zstdFrames: tells frames apart and leaves out skippable ones", () => {
  const [first, second] = [zstdCompressSync("one"), zstdCompressSync("two")];
  const skippable = Uint8Array.of(0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);
  const frames = zstdFrames(joined(first, skippable, second)) ?? [];
  assert.deepEqual(frames.map((frame) => zstdDecompressSync(frame).toString()), ["one", "two"]);
});

Deno.test("zstdFrames: refuses what follows a frame and is none, and a skippable frame that is cut off", () => {
  const frame = zstdCompressSync("one");
  assert.equal(zstdFrames(joined(frame, Uint8Array.of(0))), undefined);
  assert.equal(zstdFrames(joined(frame, new Uint8Array(20))), undefined);
  assert.equal(zstdFrames(joined(frame, Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 9, 0, 0, 0, 1))), undefined);
});
