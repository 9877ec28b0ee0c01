import assert from "node:assert/strict";
import { type Emission, pack, single, sliceEmission } from "./emission.ts";
import { segmentBytes } from "./segment.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const texts = (emission: Emission) => Array.from(emission.ends, (_, i) => decoder.decode(segmentBytes(emission, i)));

Deno.test("pack: keeps bytes, numbers and each message's own metadata", () => {
  const emission = pack([{ bytes: encoder.encode("a") }, { bytes: new Uint8Array(0), meta: { k: 1 } }], 7);
  assert.deepEqual(texts(emission), ["a", ""]);
  assert.deepEqual({ ...emission.columns }, { k: [undefined, 1] });
  assert.equal(emission.firstSrcSeq, 7);
});

Deno.test("single: a message_id becomes the message's identity", () => {
  const { columns, meta } = single({ bytes: encoder.encode("a"), meta: { message_id: "mine", k: 1 } }, 1);
  assert.deepEqual(columns, { message_id: ["mine"] });
  assert.equal(meta?.["k"], 1);
});

Deno.test("sliceEmission: parts hold their own messages, numbers and columns, whatever the columns are called", () => {
  const columns = Object.fromEntries([["__proto__", ["x", "y", "z"]], ["n", Uint8Array.of(1, 2, 3)]]);
  const whole: Emission = {
    bytes: encoder.encode("a\nbb\nccc\n"),
    ends: Uint32Array.of(1, 4, 8),
    gap: 1,
    firstSrcSeq: 5,
    columns,
  };
  const rest = sliceEmission(whole, 1, 3);
  assert.deepEqual(texts(rest), ["bb", "ccc"]);
  assert.equal(rest.firstSrcSeq, 6);
  assert.deepEqual(Object.entries(rest.columns ?? {}), [["__proto__", ["y", "z"]], ["n", [2, 3]]]);
  assert.deepEqual(texts(sliceEmission(whole, 0, 1)), ["a"]);
});
