import assert from "node:assert/strict";
import { WireError, WireReader } from "./wire_reader.ts";
import { varintSize, WireWriter } from "./wire_writer.ts";

const NUMBERS = [
  0,
  1,
  -1,
  63,
  64,
  -64,
  -65,
  300,
  0x3fffffff,
  0x40000000,
  -0x40000000,
  -0x40000001,
  2 ** 40,
  -(2 ** 40),
];

Deno.test("WireWriter: WireReader reads back numbers of variable length, and their size is known before", () => {
  for (const number of [...NUMBERS, 2 ** 50 + 1]) {
    const { bytes } = new WireWriter().varint(number);
    assert.equal(new WireReader(bytes).varint(), number);
    assert.equal(varintSize(number), bytes.length, String(number));
  }
});

Deno.test("WireWriter: WireReader reads back numbers of fixed length, texts and lists", () => {
  const writer = new WireWriter().int8(-3).int16(-300).int32(-70_000);
  for (const number of NUMBERS) writer.int64(number);
  writer.text("ä").text(null).array([1, 2], (item) => writer.int32(item)).varbytes(null).varbytes(Uint8Array.of(7));
  const reader = new WireReader(writer.bytes);
  assert.deepEqual([reader.int8(), reader.int16(), reader.int32()], [-3, -300, -70_000]);
  assert.deepEqual(NUMBERS.map(() => reader.int64()), NUMBERS);
  assert.deepEqual([reader.text(), reader.text()], ["ä", null]);
  assert.deepEqual(reader.array((each) => each.int32()), [1, 2]);
  assert.deepEqual([reader.varint(), reader.view(reader.varint())[0], reader.left], [-1, 7, 0]);
});

Deno.test("WireReader: whatever is cut off is a WireError", () => {
  const { bytes } = new WireWriter().int32(5).text("abc").varint(2 ** 40);
  for (let end = 0; end < bytes.length; end++) {
    const reader = new WireReader(bytes.subarray(0, end));
    assert.throws(() => [reader.int32(), reader.text(), reader.varint()], WireError);
  }
});
