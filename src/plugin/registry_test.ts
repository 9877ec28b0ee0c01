import assert from "node:assert/strict";
import { Type } from "typebox";
import { EventboatError } from "../diagnostics/mod.ts";
import { define } from "../schema/mod.ts";
import type { SinkPlugin } from "./registration.ts";
import { Registry } from "./registry.ts";

const schema = Type.Object({}, { additionalProperties: false });

function sinkNamed(name: string, version = 1): SinkPlugin<typeof schema> {
  return {
    kind: "sink",
    name,
    version,
    summary: "Takes messages.",
    capabilities: [],
    definition: define(schema),
    maxBatch: () => 1,
    create: () => ({ write() {}, close() {} }),
  };
}

Deno.test("Registry.get: finds a plugin by kind and name, and only by both", () => {
  const sink = sinkNamed("somewhere");
  const registry = new Registry([sink]);
  assert.equal(registry.get("sink", "somewhere"), sink);
  assert.equal(registry.get("source", "somewhere"), undefined);
  assert.equal(registry.get("sink", "elsewhere"), undefined);
});

Deno.test("Registry.list: keeps the order of registration and filters by kind", () => {
  const [b, a] = [sinkNamed("b"), sinkNamed("a")];
  const registry = new Registry([b, a]);
  assert.deepEqual(registry.list(), [b, a]);
  assert.deepEqual(registry.list("sink"), [b, a]);
  assert.deepEqual(registry.list("codec"), []);
});

for (
  const [title, plugin] of [
    ["a framework field", sinkNamed("depends_on")],
    ["a name that is no key", sinkNamed("Some-Where")],
    ["an empty name", sinkNamed("")],
    ["a version below 1", sinkNamed("somewhere", 0)],
  ] as const
) {
  Deno.test(`Registry.register: refuses ${title}`, () => {
    assert.throws(
      () => new Registry([plugin]),
      (error) => error instanceof EventboatError && error.code === "usage",
    );
  });
}

Deno.test("Registry.register: refuses a second plugin of the same kind and name", () => {
  const registry = new Registry([sinkNamed("somewhere")]);
  assert.throws(
    () => registry.register(sinkNamed("somewhere")),
    (error) => error instanceof EventboatError && error.code === "usage",
  );
});
