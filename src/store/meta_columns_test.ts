import assert from "node:assert/strict";
import type { MetaColumns, MetaValue } from "../message/mod.ts";
import { decodeColumns, encodeColumns } from "./meta_columns.ts";
import { parseMeta, printMeta } from "./meta_text.ts";

function roundTrip(columns: MetaColumns, count: number): Record<string, unknown[]> {
  const blob = encodeColumns(columns, count);
  assert.ok(blob !== undefined);
  const decoded = decodeColumns(blob, count);
  return Object.fromEntries(Object.keys(decoded).map((key) => [key, Array.from(decoded[key] ?? [])]));
}

Deno.test("printMeta: every value comes back as it was, exact integers and what looks like a tag included", () => {
  const values: MetaValue[] = [
    null,
    true,
    "text",
    1.5,
    2 ** 60,
    5n,
    2n ** 80n,
    -(2n ** 63n),
    [1, [2n, { deep: 3n }]],
    { $bigint: "12" },
    { exact: 1n, like: { $bigint: "12" }, object: { $object: { $bigint: "1" } } },
    { ["__proto__"]: 1n },
  ];
  for (const value of values) assert.deepEqual(parseMeta(printMeta(value)), value);
});

Deno.test("printMeta: what holds no exact integer is plain JSON", () => {
  assert.equal(printMeta({ a: [1, "x"], $bigint: "12" }), '{"a":[1,"x"],"$bigint":"12"}');
});

Deno.test("encodeColumns: numbers take eight bytes each, or what their array takes", () => {
  const count = 2000;
  const doubles = encodeColumns({ offset: Array.from({ length: count }, (_, i) => i * 180) }, count);
  const bytes = encodeColumns({ level: new Uint8Array(count) }, count);
  assert.ok((doubles?.length ?? 0) < count * 8 + 100);
  assert.ok((bytes?.length ?? 0) < count + 100);
});

Deno.test("encodeColumns: columns of every kind come back", () => {
  const columns: MetaColumns = {
    numbers: [1.5, -0, 2 ** 53],
    words: ["a", "ä", ""],
    mixed: ["a", 1, null],
    holes: [undefined, { exact: 7n }, undefined],
    empty: [undefined, undefined, undefined],
    exact: [1n, 2n, 3n],
    small: Int16Array.of(-1, 0, 1),
    large: BigUint64Array.of(1n, 2n ** 64n - 1n, 3n),
    // Longer than the segment, as a view into a larger buffer may be.
    longer: Float64Array.of(1, 2, 3, 4).subarray(1),
    lazy: { length: 3, 0: "x", 1: "y", 2: "z" },
  };
  assert.deepEqual(roundTrip(columns, 3), {
    ...Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, Array.from(column)])),
    longer: [2, 3, 4],
  });
});

Deno.test("encodeColumns: no columns take no bytes", () => {
  assert.equal(encodeColumns({}, 3), undefined);
});

Deno.test("decodeColumns: a damaged blob is an error, not a value", () => {
  const blob = encodeColumns({ words: ["a", "b"] }, 2);
  assert.ok(blob !== undefined);
  for (const length of [2, 10, blob.length - 8]) assert.throws(() => decodeColumns(blob.slice(0, length), 2));
});
