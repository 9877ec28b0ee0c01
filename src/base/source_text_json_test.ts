import assert from "node:assert/strict";
import { exactJson } from "./source_text_json.ts";

Deno.test("exactJson: integers of any size keep their digits, the rest is as JSON.stringify writes it", () => {
  assert.equal(
    exactJson({ a: 9007199254740993n, b: [-(2n ** 64n), 1.5, null, "x"] }),
    '{"a":9007199254740993,"b":[-18446744073709551616,1.5,null,"x"]}',
  );
  assert.equal(exactJson({ a: 1 }, 2), JSON.stringify({ a: 1 }, null, 2));
});
