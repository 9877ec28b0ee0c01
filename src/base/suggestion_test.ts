import assert from "node:assert/strict";
import { didYouMean, didYouMeanOneOf } from "./suggestion.ts";

Deno.test("didYouMean: names the nearest known name or says nothing", () => {
  assert.match(didYouMean("sorces", ["sources", "sinks"]) ?? "", /"sources"/);
  assert.equal(didYouMean("anything", ["sources", "sinks"]), undefined);
});

Deno.test("didYouMean: one for several, and several for one", () => {
  assert.match(didYouMean("retry", ["backoff", "retries"]) ?? "", /"retries"/);
  assert.match(didYouMean("policies", ["retry_policy", "backoff"]) ?? "", /"retry_policy"/);
});

Deno.test("didYouMeanOneOf: lists what is known where nothing is near", () => {
  assert.match(didYouMeanOneOf("sorces", ["sources"]), /"sources"/);
  assert.match(didYouMeanOneOf("anything", ["sources", "sinks"]), /sources, sinks/);
  assert.notEqual(didYouMeanOneOf("anything", []), "");
});
