import assert from "node:assert/strict";
import { isolateEntries } from "./bundle_plan.ts";

function file(path: string, reference = ""): { path: string; text: string } {
  return { path, text: reference === "" ? "" : `new Worker(\n  new URL("${reference}", import.meta.url),\n);` };
}

Deno.test("isolateEntries: finds what the source starts isolates from, once each, tests left out", () => {
  assert.deepEqual(
    isolateEntries([
      file("src/main.ts", "./pipeline_isolate.ts"),
      file("src/other.ts", "./pipeline_isolate.ts"),
      file("src/another.ts", "./store_isolate.ts"),
      file("src/pipeline_isolate.ts"),
      file("src/store_isolate.ts"),
      file("src/isolate/supervisor_test.ts", "./fake_isolate.ts"),
    ]),
    ["src/pipeline_isolate.ts", "src/store_isolate.ts"],
  );
});

Deno.test("isolateEntries: refuses what a bundle would tear apart", () => {
  assert.throws(() => isolateEntries([file("src/main.ts", "./a/entry.ts"), file("src/a/entry.ts")]), /stands in src/);
  assert.throws(() => isolateEntries([file("src/a/b.ts", "./entry.ts"), file("src/a/entry.ts")]), /stands in src/);
  assert.throws(() => isolateEntries([file("src/main.ts", "./entry.ts")]), /not there/);
});
