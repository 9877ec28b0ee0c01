import assert from "node:assert/strict";
import type { Data } from "../../../base/mod.ts";
import { Message, type Meta } from "../../../message/mod.ts";
import { testContext, testMessage, TransformError } from "../../../plugin/mod.ts";
import { fieldsTransform } from "./mod.ts";

function apply(block: { readonly [key: string]: Data }, payload: unknown, meta: Meta = {}): Message {
  const parsed = fieldsTransform.definition.parse(block);
  assert.ok(parsed.ok);
  const result = fieldsTransform.create(parsed.value, testContext()).apply(
    testMessage(payload, { meta }),
    new AbortController().signal,
  );
  assert.ok(result instanceof Message);
  return result;
}

Deno.test("fields: does its steps in the order wrap, from_meta, fields, rename, remove", () => {
  const block = {
    wrap_field: "text",
    from_meta: ["region", "absent"],
    fields: { env: "prod", text: "overwritten" },
    rename: { region: "where.region", env: "gone" },
    remove: ["gone"],
  };
  assert.deepEqual(apply(block, "hello", { region: "eu" }).payload, { text: "overwritten", where: { region: "eu" } });
});

Deno.test("fields: leaves the payload it was given as it was, and shares what it did not change", () => {
  const payload = { keep: { deep: [1] }, move: { from: 1, stay: 2 } };
  const before = structuredClone(payload);
  const message = apply({ rename: { "move.from": "move.to.here" }, remove: ["move.stay"] }, payload);
  assert.deepEqual(message.payload, { keep: { deep: [1] }, move: { to: { here: 1 } } });
  assert.deepEqual(payload, before);
  assert.equal((message.payload as { keep: unknown }).keep, payload.keep);
  assert.ok(message.payloadChanged);
});

Deno.test("fields: paths that lead to nothing are left out", () => {
  const block = { rename: { "a.b": "c", x: "y" }, remove: ["q", "a.b.c", "list.0"] };
  assert.deepEqual(apply(block, { a: 1, list: [1] }).payload, { a: 1, list: [1] });
});

Deno.test("fields: a key named __proto__ is a key like any other", () => {
  const payload: unknown = JSON.parse('{"__proto__":{"a":1},"b":2}');
  const message = apply({ rename: { b: "__proto__.b" }, fields: { c: 3 } }, payload);
  assert.equal(JSON.stringify(message.payload), '{"__proto__":{"a":1,"b":2},"c":3}');
});

Deno.test("fields: a payload that is no mapping needs wrap_field, and a rename needs mappings on its way", () => {
  const failures = [
    () => apply({ fields: { a: 1 } }, [1]),
    () => apply({ fields: { a: 1 } }, Uint8Array.of(1)),
    () => apply({ rename: { a: "b.c" } }, { a: 1, b: 2 }),
  ];
  for (const failure of failures) {
    assert.throws(failure, (error) => error instanceof TransformError && !error.retryable);
  }
});

Deno.test("fields: refuses paths with empty names", () => {
  for (const block of [{ remove: ["a..b"] }, { rename: { ".a": "b" } }, { rename: { a: "b." } }, { remove: [] }]) {
    assert.ok(!fieldsTransform.definition.parse(block).ok);
  }
});
