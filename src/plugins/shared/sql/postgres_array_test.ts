import assert from "node:assert/strict";
import { arrayText, parseArray } from "./postgres_array.ts";

Deno.test("parseArray: nested, quoted, bounded, and what is none", () => {
  assert.deepEqual(parseArray("{}"), []);
  assert.deepEqual(parseArray('{1,NULL,"NULL","","a,b","\\"\\\\"}'), ["1", null, "NULL", "", "a,b", '"\\']);
  assert.deepEqual(parseArray("{{1,2},{3,4}}"), [["1", "2"], ["3", "4"]]);
  assert.deepEqual(parseArray("[0:1]={5,6}"), ["5", "6"]);
  for (const text of ["", "1", "{1", "{1}x", "{{{{{{{1}}}}}}}"]) assert.equal(parseArray(text), undefined, text);
});

Deno.test("arrayText: what it writes is read back", () => {
  const elements = ["a", null, "", 'q"\\', "NULL", "{x}", ["n", null]];
  assert.deepEqual(parseArray(arrayText(elements)), elements);
});
