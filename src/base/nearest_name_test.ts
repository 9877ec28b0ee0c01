import assert from "node:assert/strict";
import { nearestName } from "./nearest_name.ts";

Deno.test("nearestName: gives the known name with the fewest edits", () => {
  assert.equal(nearestName("ingets", ["enrich", "ingest", "out"]), "ingest");
  assert.equal(nearestName("Kafak", ["kafka", "file"]), "kafka");
  assert.equal(nearestName("spli", ["script", "split"]), "split");
});

Deno.test("nearestName: gives nothing where no name is near enough to be meant", () => {
  assert.equal(nearestName("victorialogs", ["kafka", "http"]), undefined);
  assert.equal(nearestName("ab", ["xy"]), undefined);
  assert.equal(nearestName("a".repeat(65), ["a".repeat(64)]), undefined);
  assert.equal(nearestName("any", []), undefined);
});
