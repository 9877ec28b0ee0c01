import assert from "node:assert/strict";
import { ReplSession, type SessionStep } from "./session.ts";

const ORDER = { payload: { total: 15, lines: [{ sku: "pen" }], "odd key": 1 }, meta: { source: "repl" } };

function open(sample: ConstructorParameters<typeof ReplSession>[0]["sample"] = ORDER): ReplSession {
  return new ReplSession({ sample, environment: { constants: { low: 10 }, parameters: {} }, stepsMax: 1000 });
}

function texts({ output }: SessionStep): string[] {
  return output.lines.map(({ text }) => text);
}

Deno.test("ReplSession: a statement runs behind the earlier ones on the original sample, and only what is new shows", () => {
  const session = open();
  assert.deepEqual(texts(session.add("print('one')\n")), ["one"]);
  assert.deepEqual(texts(session.add("payload.total += 1\n")), []);
  assert.deepEqual(texts(session.add("payload.total\n")), ["16"]);
  assert.deepEqual(texts(session.add("print('two'); 2; None\n")), ["two", "2"]);
  assert.deepEqual(texts(session.add("payload.total\n")), ["16"]);
  assert.deepEqual(session.message.payload, { ...ORDER.payload, total: 16 });
  assert.deepEqual(session.sample, ORDER);
});

Deno.test("ReplSession: a statement that fails is not kept, what it printed before shows", () => {
  const session = open();
  session.add("x = 1\n");
  const failed = session.add("print('here'); x.foo\n");
  assert.deepEqual(texts(failed), ["here"]);
  assert.deepEqual([failed.failure?.kind, failed.failure?.line], ["runtime", 2]);
  assert.equal(session.add("y =\n").failure?.kind, "compile");
  assert.equal(session.add("[i for i in range(5000)]\n").failure?.kind, "steps");
  assert.equal(session.source, "x = 1\n");
  assert.deepEqual(texts(session.add("x\n")), ["1"]);
});

Deno.test("ReplSession: another sample runs the script anew, one that it fails on is not taken", () => {
  const session = open();
  session.add("payload.total += 1\n");
  session.add("print(payload.total)\n");
  assert.deepEqual(texts(session.resample({ payload: { total: 1 }, meta: {} })), ["2"]);
  assert.deepEqual(session.message.payload, { total: 2 });
  assert.equal(session.resample({ payload: {}, meta: {} }).failure?.kind, "runtime");
  assert.deepEqual(session.message.payload, { total: 2 });
  assert.deepEqual(texts(session.add("print('more')\n")), ["more"]);
});

Deno.test("ReplSession: undo, reset and load take the message along", () => {
  const session = open();
  session.add("payload = None\n");
  assert.equal(session.message.filtered, true);
  assert.equal(session.undo(), true);
  assert.equal(session.message.filtered, false);
  assert.equal(session.undo(), false);
  assert.deepEqual(texts(session.load("print('loaded')\npayload = 3\n4")), ["loaded"]);
  assert.deepEqual(texts(session.add("payload\n")), ["3"]);
  assert.equal(session.load("payload = ").failure?.kind, "compile");
  assert.equal(session.source, "print('loaded')\npayload = 3\n4\npayload\n");
  session.reset();
  assert.deepEqual([session.source, session.message.payload], ["", ORDER.payload]);
});

Deno.test("ReplSession: an expression sees the message as the script leaves it", () => {
  const session = open();
  session.add("payload.total = 5\n");
  const trial = session.evaluate("cel", "payload.total < constants.low");
  assert.deepEqual(trial, { ok: true, result: { value: true, type: "bool" } });
  const failed = session.evaluate("cel", "payload.none");
  assert.ok(!failed.ok);
  assert.deepEqual([failed.failure.kind, failed.failure.column], ["runtime", 8]);
});

Deno.test("ReplSession: names, fields and methods to complete with", () => {
  const session = open();
  session.add("orders = [1]\n");
  const names = session.names();
  for (const name of ["payload", "meta", "constants", "len", "json", "orders"]) assert.ok(names.includes(name), name);
  const members = session.members("payload");
  for (const name of ["total", "lines", "get"]) assert.ok(members.includes(name), name);
  assert.ok(!members.includes("odd key"));
  assert.ok(session.members("orders").includes("append"));
  assert.deepEqual([session.members("nobody"), session.members("f(1)")], [[], []]);
  assert.deepEqual(session.fields("cel", "payload"), ["total", "lines"]);
  assert.deepEqual(session.fields("cel", ""), ["payload", "meta", "constants", "parameters"]);
  assert.deepEqual([session.fields("cesql", ""), session.fields("cesql", "data")], [["source", "data"], [
    "total",
    "lines",
  ]]);
  assert.deepEqual([session.fields("cel", "payload.total"), session.fields("cel", "payload.none.x")], [[], []]);
});
