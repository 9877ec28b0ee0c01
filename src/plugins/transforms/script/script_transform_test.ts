import assert from "node:assert/strict";
import type { Message } from "../../../message/mod.ts";
import {
  type TestContext,
  testContext,
  testMessage,
  TransformError,
  type TransformResult,
} from "../../../plugin/mod.ts";
import { scriptTransform } from "./mod.ts";

function apply(source: string, message: Message, context: TestContext = testContext()): TransformResult {
  const result = scriptTransform.create(source, context).apply(message, new AbortController().signal);
  assert.ok(!(result instanceof Promise));
  return result;
}

/** The one message that came out. */
function applied(source: string, message: Message, context?: TestContext): Message {
  const result = apply(source, message, context);
  assert.ok(result !== undefined && "payload" in result);
  return result;
}

Deno.test("script: changes payload and meta of a copy, and shares what it did not change", () => {
  const payload = { price: 2, quantity: 3, customer: { name: "x" } };
  const message = testMessage(payload, { meta: { region: "eu" } });
  const result = applied('payload.total = payload.price * payload.quantity\nmeta.tier = "vip"', message);
  assert.deepEqual(result.payload, { ...payload, total: 6 });
  assert.equal((result.payload as typeof payload).customer, payload.customer);
  assert.equal(result.meta["tier"], "vip");
  assert.equal(result.meta["region"], "eu");
  assert.equal(result.id, message.id);
  assert.deepEqual(payload, { price: 2, quantity: 3, customer: { name: "x" } });
});

Deno.test("script: one that changes nothing passes the very message on", () => {
  const message = testMessage({ a: 1 });
  assert.equal(apply("x = payload.a", message), message);
});

Deno.test("script: payload = None drops the message", () => {
  assert.equal(apply("payload = None", testMessage({ a: 1 })), undefined);
});

Deno.test("script: sees constants and parameters, and its print goes to the log", () => {
  const context = testContext({ constants: { rate: 2 }, parameters: { day: "mon" } });
  const source = "payload.a = constants.rate * 2\npayload.b = parameters.day\nprint(payload.b)";
  assert.deepEqual(applied(source, testMessage({}), context).payload, { a: 4, b: "mon" });
  assert.deepEqual(context.log.lines.map(({ level, message }) => [level, message]), [["debug", "mon"]]);
});

for (
  const [title, source, kind] of [
    ["one that fails", "x = payload.absent.deeper", "runtime"],
    ["one without an end", "for i in range(1000000): pass", "steps"],
  ] as const
) {
  Deno.test(`script: ${title} is a failure of kind ${kind} with a backtrace, and no retry helps`, () => {
    assert.throws(() => apply(source, testMessage({ a: 1 })), (error) => {
      assert.ok(error instanceof TransformError);
      assert.equal(error.kind, kind);
      assert.match(error.backtrace ?? "", /script:1:\d+/);
      assert.equal(error.retryable, false);
      return true;
    });
  });
}

Deno.test("script: check tells every mistake with its place in the text", () => {
  assert.deepEqual(scriptTransform.check?.("payload.a = 1", testContext()), []);
  const issues = scriptTransform.check?.("x = undefined_one\ny = undefined_two", testContext()) ?? [];
  assert.deepEqual(issues.map(({ code, path }) => [code, path]), [
    ["expr_starlark_compile", []],
    ["expr_starlark_compile", []],
  ]);
  assert.deepEqual(issues.map(({ offset }) => offset), [4, 22]);
});

Deno.test("script: tells whether it assigns the route and which constants and parameters it reads", () => {
  assert.equal(scriptTransform.assignsRoute?.('meta.route = "eu"'), true);
  assert.equal(scriptTransform.assignsRoute?.("payload.route = 1"), false);
  assert.deepEqual(scriptTransform.constantsRead?.("payload.a = constants.rate"), ["rate"]);
  assert.deepEqual(scriptTransform.constantsRead?.("does not compile ("), []);
  assert.deepEqual(scriptTransform.parametersRead?.("payload.a = parameters.since"), ["since"]);
  assert.deepEqual(scriptTransform.parametersRead?.("does not compile ("), []);
});

Deno.test("script: an empty block is no script", () => {
  for (const block of [null, "", 1, {}]) assert.ok(!scriptTransform.definition.parse(block).ok);
});
