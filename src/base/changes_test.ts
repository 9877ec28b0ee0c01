import assert from "node:assert/strict";
import { addChanges, type DataChange } from "./changes.ts";

function changes(before: unknown, after: unknown): DataChange[] {
  const found: DataChange[] = [];
  addChanges("payload", before, after, found);
  return found;
}

Deno.test("addChanges: equal data differs nowhere", () => {
  const data = { a: [1, { b: null }], c: 9007199254740993n, d: "x" };
  assert.deepEqual(changes(data, structuredClone(data)), []);
});

Deno.test("addChanges: places that are new, gone or other, in lists and mappings", () => {
  const before = { a: 1, b: [1, { c: 2 }, 3], "odd key": true, same: [] };
  const after = { a: 2, b: [1, { c: null }], same: [], __proto__x: 1, more: [4] };
  assert.deepEqual(changes(before, after), [
    { path: "payload.a", before: 1, after: 2 },
    { path: "payload.b[1].c", before: 2, after: null },
    { path: "payload.b[2]", before: 3 },
    { path: 'payload["odd key"]', before: true },
    { path: "payload.__proto__x", after: 1 },
    { path: "payload.more", after: [4] },
  ]);
});

Deno.test("addChanges: data of another kind is other as a whole", () => {
  assert.deepEqual(changes({ a: 1 }, [1]), [{ path: "payload", before: { a: 1 }, after: [1] }]);
  assert.deepEqual(changes("1", 1), [{ path: "payload", before: "1", after: 1 }]);
  assert.deepEqual(changes({}, null), [{ path: "payload", before: {}, after: null }]);
});
