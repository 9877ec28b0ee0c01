/**
 * Owns the golden test of what the built-in plugins say of themselves. `UPDATE_GOLDEN=1 deno test -A
 * src/plugins/builtins_test.ts` writes the files anew, to be looked at before they are committed.
 */

import assert from "node:assert/strict";
import { Registry } from "../plugin/mod.ts";
import { builtins } from "./builtins.ts";

const UPDATE = Deno.env.get("UPDATE_GOLDEN") === "1";
const FOLDER = new URL("../../tests/golden/schemas/", import.meta.url);

const plugins = new Registry(builtins()).list();

for (const plugin of plugins) {
  const { kind, name, version, capabilities, summary, definition } = plugin;
  Deno.test(`builtins: ${kind} ${name}`, () => {
    const file = new URL(`${kind}-${name}.json`, FOLDER);
    const meta = plugin.kind === "source" ? { meta: plugin.meta } : {};
    const said = { kind, name, version, capabilities, summary, ...meta, schema: definition.schema };
    const now = `${JSON.stringify(said, null, 2)}\n`;
    if (UPDATE) Deno.writeTextFileSync(file, now);
    assert.equal(now, Deno.readTextFileSync(file));
  });
}

Deno.test("builtins: no file is left of a plugin that is no more", () => {
  const names = plugins.map(({ kind, name }) => `${kind}-${name}.json`);
  assert.deepEqual([...Deno.readDirSync(FOLDER)].map((entry) => entry.name).sort(), names.sort());
});

/** Every object of a schema, from the top down. */
function* objectsOf(schema: unknown): Generator<Record<string, unknown>> {
  if (Array.isArray(schema)) { for (const item of schema) yield* objectsOf(item); }
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
  yield schema as Record<string, unknown>;
  for (const value of Object.values(schema)) yield* objectsOf(value);
}

Deno.test("builtins: every mapping is closed, every field described, every number has a range", () => {
  for (const { kind, name, definition } of plugins) {
    for (const schema of objectsOf(definition.schema)) {
      const what = `${kind} ${name}: ${JSON.stringify(schema)}`;
      if (schema["properties"] !== undefined) {
        assert.equal(schema["additionalProperties"], false, what);
        for (const property of Object.values(Object(schema["properties"]))) {
          assert.equal(typeof Object(property).description, "string", what);
        }
      }
      if (schema["type"] === "integer" || schema["type"] === "number") {
        assert.equal(typeof schema["minimum"], "number", what);
        assert.equal(typeof schema["maximum"], "number", what);
      }
    }
  }
});

Deno.test("builtins: transforms that only compute say that what they fail on fails for good", () => {
  const transforms = plugins.filter((plugin) => plugin.kind === "transform");
  const said = transforms.map(({ name, failureKinds, failsForGood }) => [name, failureKinds, failsForGood]);
  assert.deepEqual(said.sort(), [
    ["dedupe", ["runtime"], true],
    ["fields", ["runtime"], true],
    ["script", ["steps", "runtime"], true],
    ["split", ["runtime"], true],
  ]);
});
