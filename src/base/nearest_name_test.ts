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

Deno.test("nearestName: where no edits help, the one name with the same words and more, or fewer", () => {
  assert.equal(nearestName("timeout", ["retries", "backoff", "timeout_ms"]), "timeout_ms");
  assert.equal(nearestName("max_body_size_bytes", ["max_body_bytes", "path"]), "max_body_bytes");
  assert.equal(nearestName("max", ["max_bytes", "max_age"]), undefined);
  assert.equal(nearestName("---", ["max_bytes"]), undefined);
});
