/** Owns the tests of the other built-in functions. */

import assert from "node:assert/strict";
import { assertFailures, assertValues, failureOf, runScript } from "../script_probe.ts";

Deno.test("abs, chr, ord, hash", () => {
  assertValues({
    "abs(-5)": "5",
    "abs(-2.5)": "2.5",
    "abs(-3.0)": "3.0",
    "abs(-(1 << 70))": "1180591620717411303424",
    "chr(65)": '"A"',
    "chr(128512)": '"😀"',
    "ord('A')": "65",
    "ord('😀')": "128512",
    "ord(b'A')": "65",
    'hash("")': "0",
    'hash("hello")': "99162322",
    'hash(b"")': "2166136261",
  });
  assertFailures(['abs("a")', "chr(-1)", "chr(1114112)", 'ord("")', 'ord("ab")', "ord(1)", "hash(1)", 'ord(b"ab")']);
});

Deno.test("dir, getattr, hasattr: methods, members and fields", () => {
  assertValues({
    'getattr("a", "upper")()': '"A"',
    'getattr("a", "nope", 5)': "5",
    'hasattr([], "append")': "True",
    'hasattr([], "nope")': "False",
    'hasattr(math, "pi")': "True",
    "dir({})": '["clear", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values"]',
    "dir(None)": "[]",
    '"upper" in dir("")': "True",
    '"".upper': "<built-in method upper of string value>",
    "len": "<built-in function len>",
    "json": '<module "json">',
    "(lambda x: x)": "<function lambda>",
  });
  assertFailures(['getattr("a", "nope")', "getattr(1, 2)", "hasattr(1)", "(1).x", "None.x", "math.nope", "[].x"]);
});

Deno.test("print: text of all arguments, to whoever listens", () => {
  const printed: string[] = [];
  runScript('print("a", 1, [None], b"x")\nprint()\nprint(1, 2, sep="-")', { print: (text) => printed.push(text) });
  assert.deepEqual(printed, ["a 1 [None] x", "", "1-2"]);
});

Deno.test("fail: ends the script with its arguments", () => {
  const failure = failureOf('def f():\n  fail("bad", 1)\nf()');
  assert.equal(failure.kind, "runtime");
  assert.equal(failure.message, "fail: bad 1");
  assert.deepEqual([failure.line, failure.column], [2, 7]);
});

Deno.test("remove: takes a key out, or does nothing", () => {
  const before = { a: 1, b: { c: 2 } };
  const { payload } = runScript('remove(payload, "a")\nremove(payload, "zz")\nremove(payload.b, "c")', {
    payload: before,
  });
  assert.deepEqual(payload, { b: {} });
  assert.deepEqual(before, { a: 1, b: { c: 2 } });
  assertFailures(['remove([], "a")', 'remove({}, "a", 1)', "remove({}, [])"]);
});
