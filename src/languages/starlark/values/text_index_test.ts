/** Owns the tests of the counting of code points. */

import assert from "node:assert/strict";
import { TextIndex } from "./text_index.ts";

Deno.test("TextIndex: agrees with an array of code points", () => {
  for (
    const text of ["", "abc", "a😀b", "😀".repeat(100), "a".repeat(70) + "😀" + "é".repeat(70), "\ud800x\udc00😀\udfff"]
  ) {
    const points = [...text];
    const index = new TextIndex(text);
    assert.equal(index.length, points.length);
    assert.deepEqual(index.points(), points);
    let offset = 0;
    for (const [position, point] of points.entries()) {
      assert.equal(index.at(position), point);
      assert.equal(index.offset(position), offset);
      assert.equal(index.position(offset), position);
      offset += point.length;
    }
    assert.equal(index.offset(points.length), text.length);
    assert.equal(index.position(-1), -1);
    assert.equal(index.slice(1, 66), points.slice(1, 66).join(""));
  }
});
