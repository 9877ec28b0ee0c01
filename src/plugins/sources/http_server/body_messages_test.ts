import assert from "node:assert/strict";
import { type BodyRanges, elementRanges, lineRanges } from "./body_messages.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function texts(body: string, cut: (bytes: Uint8Array) => BodyRanges | undefined): string[] | undefined {
  const bytes = encoder.encode(body);
  const ranges = cut(bytes);
  if (ranges === undefined) return undefined;
  return Array.from(
    { length: ranges.length / 2 },
    (_, i) => decoder.decode(bytes.subarray(ranges[2 * i], ranges[2 * i + 1])),
  );
}

Deno.test("lineRanges: lines without their ends; blank ones are left out", () => {
  assert.deepEqual(texts("a\r\nb\n\n \t\r\nc", lineRanges), ["a", "b", "c"]);
  assert.deepEqual(texts("a\n", lineRanges), ["a"]);
  assert.deepEqual(texts("a\rb\n", lineRanges), ["a\rb"]);
  assert.deepEqual(texts("", lineRanges), []);
});

Deno.test("elementRanges: elements as they were written", () => {
  const elements = [
    '"\\\\"',
    '"]"',
    '"\\"],["',
    "1.0",
    "1e5",
    "-0",
    '{"a": [1, {"b":"}"}]}',
    "[[],[]]",
    '"é🤗"',
    "null",
  ];
  assert.deepEqual(texts(`[${elements.join(" ,\n")}]`, elementRanges), elements);
  assert.deepEqual(texts(" [ ] ", elementRanges), []);
  assert.deepEqual(texts("[[]]", elementRanges), ["[]"]);
});

Deno.test("elementRanges: what is no array, no JSON or no UTF-8 has none", () => {
  for (const body of ["", "null", '"[1]"', "{}", "[1", "[1]]", "[1,]", "[1] x"]) {
    assert.equal(texts(body, elementRanges), undefined, body);
  }
  assert.equal(elementRanges(Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d)), undefined);
});

Deno.test("elementRanges: a deep array neither breaks nor takes long", () => {
  assert.equal(texts("[".repeat(50_000) + "]".repeat(50_000), elementRanges)?.length, 1);
});
