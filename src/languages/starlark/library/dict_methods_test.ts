/** Owns the tests of dicts and their methods. */

import assert from "node:assert/strict";
import { assertFailures, assertValues, failureOf, runScript } from "../script_probe.ts";

/** Calls a method on `{"a": 1, "b": 2}`; gives the dict afterwards and the call's value. */
function after(call: string): string {
  return String(runScript(`x = {"a": 1, "b": 2}\ny = x.${call}\npayload = repr((x, y))`).payload);
}

Deno.test("dict methods: read and change", () => {
  assert.equal(after('get("a")'), '({"a": 1, "b": 2}, 1)');
  assert.equal(after('get("z")'), '({"a": 1, "b": 2}, None)');
  assert.equal(after('get("z", 0)'), '({"a": 1, "b": 2}, 0)');
  assert.equal(after('pop("a")'), '({"b": 2}, 1)');
  assert.equal(after('pop("z", 7)'), '({"a": 1, "b": 2}, 7)');
  assert.equal(after("popitem()"), '({"b": 2}, ("a", 1))');
  assert.equal(after('setdefault("a", 9)'), '({"a": 1, "b": 2}, 1)');
  assert.equal(after('setdefault("z")'), '({"a": 1, "b": 2, "z": None}, None)');
  assert.equal(after("keys()"), '({"a": 1, "b": 2}, ["a", "b"])');
  assert.equal(after("values()"), '({"a": 1, "b": 2}, [1, 2])');
  assert.equal(after("items()"), '({"a": 1, "b": 2}, [("a", 1), ("b", 2)])');
  assert.equal(after('update([("a", 5)], c=3)'), '({"a": 5, "b": 2, "c": 3}, None)');
  assert.equal(after('update({"d": 4})'), '({"a": 1, "b": 2, "d": 4}, None)');
  assert.equal(after("clear()"), "({}, None)");
});

Deno.test("dict: keys are found by equality, and keep the order they came in", () => {
  assertValues({
    "{1: 'a'}[1.0]": '"a"',
    "{1.0: 'a'}": '{1.0: "a"}',
    "{(1, 'x'): 2}[(1.0, 'x')]": "2",
    "{True: 1, 1: 2}": "{True: 1, 1: 2}",
    "{None: 1}[None]": "1",
    "{b'k': 1}[b'k']": "1",
    '{"b": 1, "a": 2, "10": 3, "2": 4}': '{"b": 1, "a": 2, "10": 3, "2": 4}',
    "{10000000000000000000000: 1}[10 * 1000000000000000000000]": "1",
    '{"\\0s": 1}.get("s")': "None",
    "{len: 1}[len]": "1",
    "{float('nan'): 1}[float('nan')]": "1",
  });
  assertFailures([
    "{[]: 1}",
    "{}[[]]",
    "{{}: 1}",
    "{([],): 1}",
    '{"a": 1, "a": 2}',
    "{}.pop('a')",
    "{}.popitem()",
    "{set(): 1}",
  ]);
});

Deno.test("dict: names of JavaScript's own objects are plain keys", () => {
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]) {
    assertFailures([`{}["${name}"]`, `{}.${name}`, `payload["${name}"]`, `payload.${name}`, `{}.get("${name}").x`]);
    assertValues({
      [`{"${name}": 1}["${name}"]`]: "1",
      [`"${name}" in {}`]: "False",
      [`"${name}" in payload`]: "False",
      [`payload.get("${name}")`]: "None",
      [`{}.setdefault("${name}", 5)`]: "5",
    });
    const { payload } = runScript(`payload["${name}"] = {"x": 1}\npayload.${name}.x = 2`);
    assert.equal(JSON.stringify(payload), `{"${name}":{"x":2}}`);
    assert.equal(Object.getPrototypeOf(payload), Object.prototype);
  }
});

Deno.test("dict: | joins, |= grows in place", () => {
  assertValues({
    '{"a": 1} | {"a": 2, "b": 3}': '{"a": 2, "b": 3}',
    '{"a": 1} == {"a": 1.0}': "True",
    '{"a": 1, "b": 2} == {"b": 2, "a": 1}': "True",
    '{"a": 1} == {"a": 2}': "False",
    "dict([(1, 2)], x=3)": '{1: 2, "x": 3}',
    "dict({1: 2})": "{1: 2}",
    "{k: v for k, v in [(1, 2), (1, 3)]}": "{1: 3}",
  });
  const source = `
def f():
    a = {"x": 1}
    b = a
    b |= {"y": 2}
    return [a, b]
payload = f()`;
  assert.deepEqual(runScript(source).payload, [{ x: 1, y: 2 }, { x: 1, y: 2 }]);
  assertFailures(["{} | []", "{} + {}", "{} < {}", "dict([1])", "dict([(1,)])", "dict(1)"]);
});

Deno.test("dict: nothing changes during iteration", () => {
  failureOf('x = {"a": 1}\nfor k in x:\n  x[k] = 2');
  failureOf('x = {"a": 1}\nfor k in x:\n  x.pop(k)');
  failureOf("for k in payload:\n  payload[k] = 2", { payload: { a: 1 } });
  failureOf("for k in payload:\n  payload.b = 2", { payload: { a: 1 } });
  const { payload } = runScript(
    "for k in payload.keys():\n  payload[k] = 2\nfor j in payload:\n  pass\npayload.b = 3",
    {
      payload: { a: 1 },
    },
  );
  assert.deepEqual(payload, { a: 2, b: 3 });
});
