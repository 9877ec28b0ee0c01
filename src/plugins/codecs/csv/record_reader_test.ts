import assert from "node:assert/strict";
import { endsInQuotes, readRecord } from "./record_reader.ts";

const dialect = { delimiter: ",", quote: '"' };

Deno.test("endsInQuotes: a line within quotes goes on, whatever else it holds", () => {
  for (
    const [line, isInside, ends] of [
      ["", false, false],
      ["", true, true],
      ['a,"b', false, true],
      ['a,"b"', false, false],
      ['a,"b""', false, true],
      ['"', false, true],
      ['""', false, false],
      ['"""', false, true],
      ['b",c', true, false],
      ['b","c', true, true],
      ['b"",c', true, true],
      ['a"b,c', false, false],
      ['a"b,"c', false, true],
      ['"a"b"c,d', false, false],
      ["a,b", true, true],
    ] as const
  ) assert.equal(endsInQuotes(line, isInside, dialect), ends, line);
});

Deno.test("readRecord: says where the record ends", () => {
  const text = 'a,"b\r\nc"\r\n"","d""e"\nf';
  const first = readRecord(text, 0, dialect);
  assert.deepEqual(first, { cells: ["a", "b\r\nc"], end: 10 });
  const second = readRecord(text, first.end, dialect);
  assert.deepEqual(second, { cells: ["", 'd"e'], end: 20 });
  assert.deepEqual(readRecord(text, second.end, dialect), { cells: ["f"], end: 21 });
});
