/** Owns the tests of statements and functions as they run. */

import assert from "node:assert/strict";
import { compileStarlark } from "../compile.ts";
import { assertFailures, failureOf, runScript } from "../script_probe.ts";

/** The payload that a script leaves. */
function result(source: string, payload: unknown = {}): unknown {
  return runScript(source, { payload }).payload;
}

Deno.test("assignment: names, elements, fields and lists of them", () => {
  assert.deepEqual(result("a, (b, c) = 1, [2, 3]\npayload = [c, b, a]"), [3, 2, 1]);
  assert.deepEqual(result("[a, b] = (1, 2)\npayload = [b, a]"), [2, 1]);
  assert.deepEqual(
    result('x = [0, 0]\nx[0], x[1] = 1, 2\nd = {}\nd["k"] = d.f = 5\npayload = [x, d]'.replace("d.f = ", "")),
    [
      [1, 2],
      { k: 5 },
    ],
  );
  assert.deepEqual(result("def f():\n  a, b = 1, 2\n  a, b = b, a\n  return [a, b]\npayload = f()"), [2, 1]);
  assert.deepEqual(result("() = []\n(a,) = [1]\npayload = a"), 1);
  failureOf("a, b = 1, 2, 3");
  failureOf("a, b = [1]");
  failureOf("a, b = 1");
  failureOf('a, b = "ab"');
  failureOf("x = ()\nx[0] = 1");
  failureOf('x = "a"\nx[0] = "b"');
  failureOf("x = 1\nx.y = 2");
});

Deno.test("assignment: the value comes first, the target's parts next, each once", () => {
  const source = `
log = []
def note(x, value):
    log.append(x)
    return value
box = [[0]]
note("target", box)[note("index", 0)] = note("value", 7)
note("target", box)[note("index", 0)] += note("value", 1)
payload = [log, box]`;
  assert.deepEqual(result(source), [["value", "target", "index", "target", "index", "value"], [8]]);
});

Deno.test("augmented assignment: every operator", () => {
  const source = `
def f():
    x = [7] * 11
    x[0] += 2; x[1] -= 2; x[2] *= 2; x[3] /= 2; x[4] //= 2; x[5] %= 4
    x[6] &= 3; x[7] |= 8; x[8] ^= 1; x[9] <<= 1; x[10] >>= 1
    return x
payload = f()
payload.append(0)`;
  assert.deepEqual(result(source), [9, 5, 14, 3.5, 3, 3, 3, 15, 6, 14, 3, 0]);
  assert.deepEqual(result("payload.a += 1\npayload.b.c *= 2\npayload['b']['d'] -= 1", { a: 1, b: { c: 2, d: 3 } }), {
    a: 2,
    b: { c: 4, d: 2 },
  });
});

Deno.test("if and for: at the top level and in functions", () => {
  const source = `
out = []
for i in range(10):
    if i == 2:
        continue
    elif i == 5:
        break
    else:
        out.append(i)
for a, b in [(1, 2), (3, 4)]:
    out.append(a * b)
for k in {"x": 1}: out.append(k)
payload = out`;
  assert.deepEqual(result(source), [0, 1, 3, 4, 2, 12, "x"]);
  const nested = `
def f(n):
    for i in range(n):
        for j in range(n):
            if i * j == 6:
                return (i, j)
            if j > i: break
    return None
payload = [f(4), f(2)]`;
  assert.deepEqual(result(nested), [[2, 3], null]);
  failureOf("for x in 5: pass");
  failureOf('for x in "abc": pass');
  failureOf("for a, b in [1]: pass");
});

Deno.test("for over a long range: ends early without counting all of it", () => {
  const source = "def f():\n  for i in range(1 << 50):\n    if i * i > 50: return i\npayload = f()";
  assert.equal(result(source), 8);
});

Deno.test("functions: parameters of every kind", () => {
  const source = `
def f(a, b=2, *args, c, d=4, **kwargs):
    return [a, b, list(args), c, d, kwargs]
payload = [
    f(1, c=3),
    f(1, 9, 8, 7, c=3, d=5, e=6),
    f(*[1, 2, 3], c=0),
    f(c=1, **{"a": 0, "z": 9}),
    (lambda *a, **k: [len(a), len(k)])(1, 2, x=3),
    (lambda a, *, b: a - b)(5, b=3),
]`;
  assert.deepEqual(result(source), [
    [1, 2, [], 3, 4, {}],
    [1, 9, [8, 7], 3, 5, { e: 6 }],
    [1, 2, [3], 0, 4, {}],
    [0, 2, [], 1, 4, { z: 9 }],
    [2, 1],
    2,
  ]);
});

Deno.test("functions: calls that do not fit fail at the call", () => {
  const f = "(lambda a, b=2, *, c=3: a)";
  assertFailures([
    `${f}()`,
    `${f}(1, 2, 3)`,
    `${f}(1, a=1)`,
    `${f}(1, d=1)`,
    `${f}(*1)`,
    `${f}(**1)`,
    `${f}(**{1: 2})`,
  ]);
  assertFailures([`${f}(1, **{"c": 1, "a": 2})`, "1()", "None()", "'a'()", "(lambda **k: k)(**{'a': 1}, a=2)"]);
});

Deno.test("functions: defaults are made once, closures see variables, not values", () => {
  const source = `
def f(x, seen=[]):
    seen.append(x)
    return seen
f(1)
def counter():
    count = [0]
    def next():
        count[0] += 1
        return count[0]
    return next
c = counter()
c()
def late():
    g = lambda: v
    v = 1
    a = g()
    v = 2
    return [a, g()]
payload = [f(2), c(), late(), f(None, None or [])]`;
  assert.deepEqual(result(source), [[1, 2], 2, [1, 2], [null]]);
});

Deno.test("functions: None is a value, and what a function without return gives", () => {
  assert.deepEqual(result("def f(a=1):\n  return a\ndef g(): pass\npayload = [f(None), g(), f()]"), [null, null, 1]);
});

Deno.test("recursion: refused as it happens, also through other functions", () => {
  const direct = failureOf("def f(n):\n  return f(n - 1) if n else 0\nf(3)");
  assert.deepEqual([direct.kind, direct.line], ["runtime", 2]);
  failureOf("def f(): return g()\ndef g(): return f()\nf()");
  failureOf("def f(g): return g(g)\nf(f)");
  // A call that ended leaves no mark on the next one.
  const twice = "def f(n):\n  return g(n) if n else 0\ndef g(n): return n\npayload = [f(0), f(1), f(2)]";
  assert.deepEqual(result(twice), [0, 1, 2]);
});

Deno.test("comprehensions: several clauses, dicts, unpacking", () => {
  const source = `
payload = [
    [x * y for x in [1, 2] for y in [10, 20] if x * y != 20],
    {k: v for k, v in zip(["a", "b"], [1, 2])},
    [a + b for (a, b) in [(1, 2)]],
    [x for x in {"k": 1}],
    [[y for y in range(x)] for x in range(3)],
]`;
  assert.deepEqual(result(source), [[10, 40], { a: 1, b: 2 }, [3], ["k"], [[], [0], [0, 1]]]);
});

Deno.test("shown statements: expressions at the top from an offset on, in order with what is printed, None left out", () => {
  const before = "1\nprint('old')\n";
  const source = `${before}2; None\nprint("a")\n"b"\nfor i in [3]:\n  i\n[4]\n`;
  const compiled = compileStarlark(source, { shownFrom: before.length });
  assert.ok(compiled.ok);
  const heard: string[] = [];
  compiled.program.bind({ constants: {}, parameters: {} }, {
    print: (text) => heard.push(text),
    show: (text) => heard.push(`=> ${text}`),
  })({ payload: {}, meta: {} });
  assert.deepEqual(heard, ["old", "=> 2", "a", '=> "b"', "=> [4]"]);
  assert.deepEqual(compiled.program.globals, ["i"]);
});
