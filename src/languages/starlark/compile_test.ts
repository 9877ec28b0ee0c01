/** Owns the tests of programs as a whole: errors with their places, the budget, hostile scripts. */

import assert from "node:assert/strict";
import { compileStarlark } from "./compile.ts";
import { failureOf, issuesOf, runScript } from "./script_probe.ts";

Deno.test("compileStarlark: issues point into the text", () => {
  const compiled = compileStarlark("x = 1\ny = z\n");
  assert.ok(!compiled.ok);
  const [{ hint, ...issue } = {}] = compiled.issues;
  assert.deepEqual(issue, { message: 'undefined: "z"', offset: 10, length: 1 });
  for (const name of ["payload", "meta", "json", "x", "y", "payload.z"]) assert.ok(hint?.includes(name), hint);
});

Deno.test("ScriptError: line, column and a backtrace, outermost first", () => {
  const source = `
def inner(x):
    return x.missing
def outer(x):
    return [inner(y) for y in x]
payload.a = outer([payload])
`;
  const failure = failureOf(source);
  assert.equal(failure.kind, "runtime");
  assert.deepEqual([failure.line, failure.column], [3, 13]);
  assert.equal(failure.backtrace, "<toplevel> script:6:18\nouter script:5:18\ninner script:3:13");
});

Deno.test("ScriptError: columns count code points", () => {
  const failure = failureOf('x = "😀😀"; y = 1 // 0');
  assert.deepEqual([failure.line, failure.column], [1, 17]);
});

Deno.test("ScriptError: a failure inside a key function names it", () => {
  const failure = failureOf("def k(x):\n  return x + 'a'\ny = sorted([1], key=k)");
  assert.equal(failure.backtrace, "<toplevel> script:3:11\nk script:2:12");
});

Deno.test("budget: steps are counted, and past the limit the script ends", () => {
  assert.equal(runScript("x = 1").steps, 1);
  const loop = "def f():\n  n = 0\n  for i in range(1000):\n    n += i\n  return n\npayload = f()";
  const { steps, payload } = runScript(loop);
  assert.equal(payload, 499500);
  assert.ok(steps > 1000 && steps < 10_000, String(steps));
  const failure = failureOf(loop, { stepsMax: 500 });
  assert.equal(failure.kind, "steps");
  assert.equal(failure.line, 4);
  assert.equal(failureOf(loop.replace("1000", "1000000")).kind, "steps");
});

/** Scripts that want more time or memory than a message may have. */
const GREEDY: readonly string[] = [
  "for i in range(1 << 40): pass",
  "x = [i for i in range(1 << 40)]",
  "x = {i: i for i in range(1 << 40)}",
  "x = [0 for i in range(10000) for j in range(10000)]",
  "x = list(range(1 << 40))",
  "x = sorted(range(1 << 22))",
  "x = max(range(1 << 40))",
  "x = set(range(1 << 40))",
  "x = tuple(range(1 << 40))",
  "x = any(range(1 << 40))",
  "x = zip(range(1 << 40), range(1 << 40))",
  "x = enumerate(range(1 << 40))",
  "x = reversed(range(1 << 40))",
  "x = bytes(range(1 << 40))",
  'x = "a" * (1 << 40)',
  'x = "a" * (1 << 24) * 100',
  "x = [0] * (1 << 40)",
  "x = (0,) * (1 << 24)",
  'x = b"a" * (1 << 40)',
  "x = 1 << (1 << 40)",
  "x = 1 << 511 << 511 << 511 << 511 << 100000000",
  "def f():\n  x = 1 << 511\n  for i in range(40): x = x * x - 1\nf()",
  "def f():\n  x = 3\n  for i in range(100): x *= x\nf()",
  'def f():\n  x = "a"\n  for i in range(100): x += x\nf()',
  "def f():\n  x = [1]\n  for i in range(100): x += x\nf()",
  "def f():\n  x = [1]\n  for i in range(100): x.extend(x)\nf()",
  "def f():\n  x = [1]\n  for i in range(100): x = x + x\nf()",
  "def f():\n  x = []\n  for i in range(60): x = [x, x]\n  return x\npayload = f()",
  "def f():\n  x = []\n  for i in range(60): x = [x, x]\n  return x\ny = str(f())",
  "def f():\n  x = []\n  for i in range(60): x = [x, x]\n  return x\ny = json.encode(f())",
  "def f():\n  x = []\n  for i in range(60): x = [x, x]\n  return x\ny = f() == f()",
  "def f():\n  x = ()\n  for i in range(60): x = (x, x)\n  return x\ny = {f(): 1}",
  "def f():\n  x = ()\n  for i in range(60): x = (x, x)\n  return x\ny = f() < f()",
  "def f():\n  x = []\n  for i in range(90000): x = [x]\n  return x\npayload = f()",
  'x = "ab".replace("", "x" * 100000) * 100',
  'x = ("a" * 1000000).replace("a", "b" * 1000)',
  'x = ("x" * 100000).join(["a"] * 10000)',
  'x = "%s" * 10000 % tuple(["a" * 10000] * 10000)',
  'x = "{0}" * 0 + ("{0}" * 1000).format("a" * 100000)',
  'def f():\n  x = "a" * 100000\n  for i in range(len(x)): y = (x + str(i))[i]\nf()',
  'def f():\n  x = "a" * 1000000\n  for i in range(90000): y = "b" in x\nf()',
  'def f():\n  x = "a" * 1000000\n  for i in range(90000): y = x.upper()\nf()',
  'def f():\n  x = "a" * 1000000\n  for i in range(90000): y = x == x + "b"\nf()',
  'def f():\n  x = "a" * 1000000\n  for i in range(90000): y = x.find("b")\nf()',
  'def f():\n  x = "a,b" * 100000\n  for i in range(90000): y = x.split(",")\nf()',
  "def f():\n  x = list(range(10000))\n  for i in range(90000): y = 0.5 in x\nf()",
  "def f():\n  x = list(range(10000))\n  for i in range(90000): y = x[1:]\nf()",
  "def f():\n  x = list(range(10000))\n  for i in range(90000): x.insert(0, 1)\nf()",
  "def f():\n  x = list(range(10000))\n  for i in range(90000): y = x.pop(0)\nf()",
  "def f():\n  x = list(range(10000))\n  for i in range(90000): y = x == list(x)\nf()",
  "def f():\n  x = {i: i for i in range(5000)}\n  for i in range(90000): y = x.keys()\nf()",
  "def f():\n  x = {i: i for i in range(5000)}\n  for i in range(90000): y = dict(x)\nf()",
  "def f():\n  x = {i: i for i in range(5000)}\n  for i in range(90000): y = x | x\nf()",
  "def f():\n  x = set(range(5000))\n  for i in range(90000): y = x | x\nf()",
  "def f():\n  x = set(range(5000))\n  for i in range(90000): y = x == set(x)\nf()",
  'def f():\n  x = int("f" * 25000, 16)\n  for i in range(90000): y = x % 97\nf()',
  'def f():\n  x = int("f" * 25000, 16)\n  for i in range(90000): y = str(x)\nf()',
  'x = int("9" * 90000)\ny = int("9" * 90000) * x\nz = str(y)',
  'x = [int("f" * 90000, 16) for i in range(90000)]',
  'x = json.decode("[" * 100000)',
  'x = json.decode("[" + "1," * 1000000 + "1]")',
  'x = [json.decode("[1,2,3]") for i in range(90000)]',
  'def f():\n  x = "a" * 1000000\n  for i in range(90000): y = x.rfind("a" * 5000 + "b")\nf()',
  'def f():\n  x = "a" * 1000000\n  y = "a" * 500 + "b" + "a" * 500\n  for i in range(90000): z = y in x\nf()',
  'def f():\n  x = "a" * 1000000\n  y = "a" * 500 + "b" + "a" * 500\n  for i in range(90000): z = x.split(y)\nf()',
  'def f():\n  x = "%(" * 1000000\n  for i in range(90000): y = [x.count("%("), x % {}]\nf()',
  'def f():\n  x = "{a" * 1000000\n  for i in range(90000): y = [x.count("{"), x.format()]\nf()',
  'def f():\n  x = "😀" * 1000000\n  for i in range(90000): y = len(x + str(i))\nf()',
  'def f():\n  x = "x" * 1000000\n  for i in range(90000): y = x.strip("x")\nf()',
  'def f():\n  x = "\\"" + "\\\\" * 1000000\n  for i in range(90000): y = [json.decode(x, 0), x.upper()]\nf()',
  "def f():\n  for i in range(90000): y = 0 if payload else 1\n  for i in range(90000): y = len(payload)\nf()",
  "payload = [payload.big] * 100000",
  'payload.x = ["a" * 100000] * 10000',
  "x = [print(payload) for i in range(90000)]",
  "x = sorted([[1] * 1000 + [i] for i in range(5000)])",
  'x = [hash("a" * 10000) for i in range(90000)]',
  "x = (lambda *a: len(a))(*range(1 << 30))",
];

Deno.test("budget: no construct escapes it", () => {
  const big = Array.from({ length: 1000 }, (_, index) => ({ index, text: "x".repeat(20) }));
  for (const source of GREEDY) {
    const failure = failureOf(source, { payload: { big } });
    assert.ok(failure.message.length < 300, source);
    assert.ok(failure.line >= 1, source);
  }
});

Deno.test("hostile names and strings stay data", () => {
  const names = [
    "constructor",
    "prototype",
    "__proto__",
    "eval",
    "arguments",
    "this",
    "new",
    "await",
    "scope",
    "k0",
    "v0",
  ];
  for (const name of names) {
    const words = new Set(["await"]);
    if (words.has(name)) continue;
    const source = `def ${name}(x): return [x, "${name}"]\npayload = ${name}("\`\${1}\\"*/")`;
    assert.deepEqual(runScript(source).payload, ['`${1}"*/', name], name);
  }
  const source = 'x = {"a\\u2028b": "\\u2029", "*/ process.exit()": 1}\npayload = x';
  assert.deepEqual(runScript(source).payload, { "a\u2028b": "\u2029", "*/ process.exit()": 1 });
  assert.deepEqual(runScript("T = 1\nR = 2\nK = 3\nP = 4\npayload = [T, R, K, P]").payload, [1, 2, 3, 4]);
  failureOf('x = payload["constructor"]("return 1")()');
  failureOf('x = getattr("", "constructor")');
  assert.ok(issuesOf("x = globalThis").length === 1);
});

Deno.test("a program may be bound several times, each with its own constants", () => {
  const compiled = compileStarlark("payload.x = constants.x");
  assert.ok(compiled.ok);
  const runs = [1, 2].map((x) => compiled.program.bind({ constants: { x }, parameters: {} }));
  assert.deepEqual(runs.map((run) => run({ payload: {}, meta: {} }).payload), [{ x: 1 }, { x: 2 }]);
  assert.equal(compiled.program.source, "payload.x = constants.x");
});
