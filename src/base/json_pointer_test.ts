import assert from "node:assert/strict";
import { pathPointer, pointerSteps } from "./json_pointer.ts";

Deno.test("pathPointer, pointerSteps: keys of any characters survive the way there and back", () => {
  for (const path of [[], [""], ["a", "b"], ["a/b", "c~d", "~1", "~01", "/"]]) {
    assert.deepEqual(pointerSteps(pathPointer(path)), path);
  }
  assert.equal(pathPointer(["a/b", 0, "c~d"]), "/a~1b/0/c~0d");
  assert.equal(pathPointer([]), "");
});
