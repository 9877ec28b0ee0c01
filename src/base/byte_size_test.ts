import assert from "node:assert/strict";
import { formatByteSize, parseByteSize } from "./byte_size.ts";

Deno.test("parseByteSize: reads plain numbers, decimal and binary units", () => {
  assert.equal(parseByteSize("512"), 512);
  assert.equal(parseByteSize("64KiB"), 65_536);
  assert.equal(parseByteSize("1 MB"), 1_000_000);
  assert.equal(parseByteSize("2gib"), 2_147_483_648);
  assert.equal(parseByteSize("7b"), 7);
});

Deno.test("parseByteSize: refuses what is no size", () => {
  for (const text of ["", "KiB", "1.5MB", "-1", "1 TBX", "1  MB", "9".repeat(20)]) {
    assert.equal(parseByteSize(text), undefined, text);
  }
});

Deno.test("formatByteSize: uses the largest binary unit that is filled", () => {
  assert.equal(formatByteSize(0), "0 B");
  assert.equal(formatByteSize(1023), "1023 B");
  assert.equal(formatByteSize(1536), "1.5 KiB");
  assert.equal(formatByteSize(1_048_576), "1 MiB");
});
