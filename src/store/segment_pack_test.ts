import assert from "node:assert/strict";
import { SEGMENT_MESSAGES_MAX } from "../message/mod.ts";
import { copySegment, packedBuffers, packSegments, unpackSegments } from "./segment_pack.ts";
import { loadSegment } from "./stored_segment.ts";
import { heavySegment, testColumns, testSegment } from "./test_segments.ts";

Deno.test("packSegments: small and large segments of several sources come back in their order", () => {
  const segments = [
    testSegment(1, 3, { columns: testColumns(3), meta: { text: "ä€😀", exact: 2n ** 70n } }),
    heavySegment(4, 2000, 200_000),
    testSegment(2004, 1, { codec: "raw", source: "other", injectedAt: "node", gap: 1 }),
    testSegment(2005, 1, { bytes: new Uint8Array(), ends: Uint32Array.of(0), meta: {} }),
    heavySegment(2006, 1, 40_000),
  ];
  // As it comes out of the port.
  const packed = structuredClone(packSegments(segments.map(copySegment)));
  const unpacked = unpackSegments(packed).map(loadSegment);
  const plain = (segment: typeof segments[number]) => ({
    ...segment,
    bytes: [...segment.bytes],
    ends: [...segment.ends],
    idBase: [...segment.idBase],
    columns: Object.fromEntries(Object.entries(segment.columns).map(([key, column]) => [key, Array.from(column)])),
  });
  assert.deepEqual(unpacked.map(plain), segments.map(plain));
});

Deno.test("packSegments: only large buffers are transferred", () => {
  const small = packSegments([copySegment(testSegment(1))]);
  const large = packSegments([copySegment(heavySegment(1, 1, 40_000)), copySegment(testSegment(2))]);
  assert.deepEqual([packedBuffers(small).length, packedBuffers(large).length], [0, 1]);
});

Deno.test("copySegment: what follows the last message is left out, and a segment of no message is refused", () => {
  const copied = copySegment(
    testSegment(1, 1, { bytes: new TextEncoder().encode("abc\n"), ends: Uint32Array.of(3), gap: 1 }),
  );
  const [stored] = unpackSegments(packSegments([copied]));
  assert.equal(new TextDecoder().decode(stored?.bytes), "abc");
  assert.throws(() => copySegment(testSegment(1, 0)), RangeError);
  assert.throws(() => copySegment(testSegment(1, SEGMENT_MESSAGES_MAX + 1)), RangeError);
});
