import assert from "node:assert/strict";
import { plainJson } from "./plain_json.ts";

Deno.test("plainJson: a value for which JSON has no form is told in one that it has", () => {
  const value = { bytes: Uint8Array.of(1), map: new Map([[1, NaN]]), big: 1n << 70n, list: [Infinity, null, "a"] };
  assert.deepEqual(plainJson(value), {
    bytes: "AQ==",
    map: [[1, "NaN"]],
    big: 1n << 70n,
    list: ["Infinity", null, "a"],
  });
});

Deno.test("plainJson: what is nested without measure is cut, and says so", () => {
  let value: unknown = "deep inside";
  for (let i = 0; i < 100_000; i++) value = i % 2 === 0 ? [value] : { value };
  const text = JSON.stringify(plainJson(value));
  assert.ok(text.includes("more than 500 levels deep") && !text.includes("deep inside"));
});
