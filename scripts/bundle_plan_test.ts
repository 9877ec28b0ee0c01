import assert from "node:assert/strict";
import { isolateEntries } from "./bundle_plan.ts";

function file(path: string, reference = ""): { path: string; text: string } {
  return { path, text: reference === "" ? "" : `new Worker(\n  new URL("${reference}", import.meta.url),\n);` };
}

Deno.test("isolateEntries: finds what the source starts isolates from, once each, tests left out", () => {
  assert.deepEqual(
    isolateEntries([
      file("src/isolate/supervisor.ts", "./pipeline_entry.ts"),
      file("src/isolate/other.ts", "./pipeline_entry.ts"),
      file("src/isolate/pipeline_entry.ts"),
      file("src/store/host.ts", "./store_entry.ts"),
      file("src/store/store_entry.ts"),
      file("src/store/host_test.ts", "./fake_entry.ts"),
    ]),
    ["src/isolate/pipeline_entry.ts", "src/store/store_entry.ts"],
  );
});

Deno.test("isolateEntries: refuses what a bundle would tear apart", () => {
  assert.throws(() => isolateEntries([file("src/a/b.ts", "../c/entry.ts"), file("src/c/entry.ts")]), /stands beside/);
  assert.throws(() => isolateEntries([file("src/a/b.ts", "./entry.ts")]), /not there/);
  const twice = [
    file("src/a/b.ts", "./entry.ts"),
    file("src/a/entry.ts"),
    file("src/c/b.ts", "./entry.ts"),
    file("src/c/entry.ts"),
  ];
  assert.throws(() => isolateEntries(twice), /rename one/);
});
