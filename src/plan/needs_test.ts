import assert from "node:assert/strict";
import { unionNeeds } from "./needs.ts";

Deno.test("unionNeeds: joins every kind, each value once and sorted", () => {
  const union = unionNeeds([{ net: ["b:1", "a:1"], read: ["/x"] }, { net: ["a:1"], env: ["HOME"] }, {}]);
  assert.deepEqual(union, { net: ["a:1", "b:1"], read: ["/x"], env: ["HOME"] });
});

Deno.test("unionNeeds: names no kind that nobody needs", () => {
  assert.deepEqual(unionNeeds([{}, { net: [] }]), {});
});
