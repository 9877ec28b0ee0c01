import assert from "node:assert/strict";
import { exampleData, exampleDescriptors } from "./example_data.ts";

/** Largest input file an example may have, in bytes. */
const INPUT_BYTES_MAX = 200_000;

Deno.test("exampleData: the examples hold what their generator draws, and nothing is large", () => {
  for (const [path, text] of exampleData()) {
    const file = new URL(`../examples/${path}`, import.meta.url);
    assert.equal(Deno.readTextFileSync(file), text, `${path} differs: run "deno task examples"`);
    assert.ok(new TextEncoder().encode(text).length < INPUT_BYTES_MAX, path);
  }
});

Deno.test("exampleDescriptors: the examples hold the compiled form of their .proto files", () => {
  for (const [path, bytes] of exampleDescriptors()) {
    const file = new URL(`../examples/${path}`, import.meta.url);
    assert.deepEqual(Deno.readFileSync(file), bytes, `${path} differs: run "deno task examples"`);
  }
});
