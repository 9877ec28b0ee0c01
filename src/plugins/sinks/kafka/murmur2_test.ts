import assert from "node:assert/strict";
import { murmur2, partitionOfKey } from "./murmur2.ts";

Deno.test("murmur2: gives the values that Kafka's own clients are tested with", () => {
  const hash = (text: string) => murmur2(new TextEncoder().encode(text));
  assert.deepEqual(
    ["21", "foobar", "a-little-bit-long-string", "lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", "abc"]
      .map(hash),
    [-973932308, -790332482, -985981536, -58897971, 479470107],
  );
});

Deno.test("partitionOfKey: is a partition, also where the hash is negative", () => {
  assert.equal(partitionOfKey(new TextEncoder().encode("21"), 6), (-973932308 & 0x7fffffff) % 6);
});
