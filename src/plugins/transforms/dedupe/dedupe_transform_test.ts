import assert from "node:assert/strict";
import type { Data } from "../../../base/mod.ts";
import { type TestContext, testContext, testMessage, type Transform, TransformError } from "../../../plugin/mod.ts";
import { dedupeTransform } from "./mod.ts";

const never = new AbortController().signal;

type Block = { readonly [key: string]: Data };

function transformOf(block: Block, context: TestContext = testContext()): Transform {
  const parsed = dedupeTransform.definition.parse(block);
  assert.ok(parsed.ok);
  return dedupeTransform.create(parsed.value, context);
}

function issuesOf(block: Block) {
  const parsed = dedupeTransform.definition.parse(block);
  assert.ok(parsed.ok);
  return (dedupeTransform.check?.(parsed.value, testContext()) ?? []).map(({ path, code }) => [path.join("."), code]);
}

/** Whether messages with these payloads pass, one after the other. */
function passes(transform: Transform, payloads: readonly unknown[], firstSeq = 1): boolean[] {
  return payloads.map((payload, i) => {
    const message = testMessage(payload, { seq: firstSeq + i });
    const result = transform.apply(message, never);
    assert.ok(result === undefined || result === message);
    return result !== undefined;
  });
}

Deno.test("dedupe: the first message of a key passes unchanged, later ones are dropped", () => {
  const transform = transformOf({ key: "payload.id" });
  assert.deepEqual(passes(transform, [{ id: "a" }, { id: "b" }, { id: "a", more: 1 }, { id: "c" }]), [
    true,
    true,
    false,
    true,
  ]);
});

Deno.test("dedupe: the key may be made of constants, parameters and meta", () => {
  const context = testContext({ constants: { prefix: "x" }, parameters: { tenant: "y" } });
  const transform = transformOf({ key: "constants.prefix + parameters.tenant + string(has(meta.x))" }, context);
  assert.deepEqual(passes(transform, [1, 2]), [true, false]);
  const parsed = dedupeTransform.definition.parse({
    key: "constants.prefix + parameters.tenant + string(has(meta.x))",
  });
  assert.ok(parsed.ok);
  assert.deepEqual(dedupeTransform.constantsRead?.(parsed.value), ["prefix"]);
  assert.deepEqual(dedupeTransform.parametersRead?.(parsed.value), ["tenant"]);
});

Deno.test("dedupe: a key is remembered for its time, by the engine's clock", async () => {
  const context = testContext();
  const transform = transformOf({ key: "payload", window: { ttl: "30s" } }, context);
  assert.deepEqual(passes(transform, ["a"]), [true]);
  await context.clock.advance(29_999);
  assert.deepEqual(passes(transform, ["a"], 2), [false]);
  await context.clock.advance(1);
  assert.deepEqual(passes(transform, ["a"], 3), [true]);
});

for (const payload of [{ id: 7 }, { id: null }, {}, "text"]) {
  Deno.test(`dedupe: ${JSON.stringify(payload)} has no key that is a string, which no retry helps`, () => {
    const transform = transformOf({ key: "payload.id" });
    assert.throws(
      () => transform.apply(testMessage(payload), never),
      (caught) => caught instanceof TransformError && caught.kind === "runtime" && !caught.retryable,
    );
  });
}

Deno.test("dedupe: a message whose key cannot be told is remembered by none", () => {
  const transform = transformOf({ key: "payload.id" });
  assert.throws(() => transform.apply(testMessage({ id: 7 }), never));
  assert.equal(transform.memory?.changes().parts.size, 0);
});

Deno.test("dedupe: remembers under its own expression only", () => {
  const before = transformOf({ key: "payload.a" });
  passes(before, [{ a: "1", b: "2" }]);
  const { parts } = before.memory?.changes() ?? assert.fail();
  for (const [key, expected] of [["payload.a", false], ["payload.b", true]] as const) {
    const after = transformOf({ key });
    after.memory?.restore(parts, 1);
    assert.deepEqual(passes(after, [{ a: "1", b: "1" }], 2), [expected], key);
  }
});

Deno.test("dedupe: check tells expressions that do not compile, and a time in which nothing can happen", () => {
  assert.deepEqual(issuesOf({ key: "payload.id", window: { size: 1, ttl: "1ms" } }), []);
  assert.deepEqual(issuesOf({ key: "payload.id +" }), [["key", "expr_cel_compile"]]);
  assert.deepEqual(issuesOf({ key: "payload.id", window: { ttl: "0s" } }), [["window.ttl", undefined]]);
  for (const block of [{}, { key: "" }, { key: "a", window: { size: 0 } }, { key: "a", window: { ttl: "soon" } }]) {
    assert.ok(!dedupeTransform.definition.parse(block).ok);
  }
});

Deno.test("dedupe: has one worker and writes nothing", () => {
  const parsed = dedupeTransform.definition.parse({ key: "payload.id" });
  assert.ok(parsed.ok);
  assert.deepEqual(parsed.value, { key: "payload.id", window: { size: 100_000, ttl: "10m" } });
  assert.equal(dedupeTransform.oneWorker, true);
  assert.deepEqual(dedupeTransform.writes?.(parsed.value), []);
});
