/** Owns the tests of names and of the checks that need no run. */

import assert from "node:assert/strict";
import { compileStarlark } from "../compile.ts";
import { assertValues, failureOf, issuesOf, runScript } from "../script_probe.ts";

/** The hint of a script's first finding. */
function hintOf(source: string): string | undefined {
  const compiled = compileStarlark(source);
  return compiled.ok ? undefined : compiled.issues[0]?.hint;
}

Deno.test("resolver: undefined names come with the nearest known name", () => {
  assert.deepEqual(issuesOf("x = payloud.a\ny = lenn([])"), [
    '"payloud": undefined: "payloud"',
    '"lenn": undefined: "lenn"',
  ]);
  assert.equal(hintOf("x = payloud"), 'did you mean "payload"?');
  assert.equal(hintOf("x = lenn([])"), 'did you mean "len"?');
  assert.equal(hintOf("def total(): pass\nx = totl()"), 'did you mean "total"?');
  assert.match(hintOf("x = zzzzzz") ?? "", /^known here: .*payload\.zzzzzz$/);
  assert.equal(hintOf('load("math", "sqr")'), 'did you mean "sqrt"?');
});

Deno.test("resolver: a global is bound once, payload and meta as often as one likes", () => {
  assert.deepEqual(issuesOf("x = 1\nx = 2"), ['"x": cannot reassign global "x" declared at script:1:1']);
  assert.equal(issuesOf("x = 1\nx += 1").length, 1);
  assert.equal(issuesOf("for x in []: pass\nfor x in []: pass").length, 1);
  assert.equal(issuesOf("def f(): pass\nf = 1").length, 1);
  assert.equal(issuesOf("a, a = 1, 2").length, 1);
  assert.deepEqual(runScript("payload = 1\npayload += 1\npayload = [payload]").payload, [2]);
});

Deno.test("resolver: statements where they are not allowed", () => {
  assert.deepEqual(issuesOf("return 1\nbreak\ncontinue\nwhile True:\n  pass\nif 1:\n  load('math', 'pi')"), [
    '"return": return is outside of any function',
    '"break": break is outside of any loop',
    '"continue": continue is outside of any loop',
    '"while": while is not allowed',
    "\"load('math', 'pi')\": load may stand at the script's top level only",
  ]);
  assert.equal(issuesOf("for x in []:\n  def f():\n    break").length, 1);
});

Deno.test("resolver: only json and math can be loaded", () => {
  assert.equal(issuesOf('load("os", "x")').length, 1);
  assert.equal(issuesOf('load("math", "nope")').length, 1);
  assert.equal(runScript('load("math", "floor", m="math")\npayload = floor(1.5) + m.floor(1.5)').payload, 2);
  assert.equal(
    runScript('load("json.star", "json", enc="encode")\npayload = enc([1]) + json.encode(2)').payload,
    "[1]2",
  );
});

Deno.test("resolver: arity of known functions", () => {
  const prelude = "def f(a, b=1, *, c=2): return a\n";
  for (
    const call of [
      "len()",
      "len(1, 2)",
      "range()",
      "sorted([], None, True, 1)",
      "sorted([], kee=len)",
      "print(sepp=1)",
      "f()",
    ]
      .concat("f(1, 2, 3)", "f(1, a=2)", "f(1, d=2)", "f(b=1)", "chr(i=65)", "f(1, c=1, c=2)")
  ) {
    assert.equal(issuesOf(`${prelude}x = ${call}`).length, 1, call);
  }
  for (
    const call of ["f(1)", "f(1, 2)", "f(1, c=3)", "f(*[1, 2])", "f(**{'a': 1})", "len([])", "sorted([], key=len)"]
  ) {
    assert.deepEqual(issuesOf(`${prelude}x = ${call}`), [], call);
  }
  assert.equal(issuesOf("x = math.sqrt()").length, 1);
  assert.equal(issuesOf("x = json.encode(1, 2)").length, 1);
  assert.equal(hintOf("x = math.sqr(4)"), 'did you mean "sqrt"?');
  assert.deepEqual(issuesOf("f = lambda: math.nope\ng = lambda: len()"), []);
  // What a name stands for decides, not how it is spelt.
  assert.deepEqual(issuesOf("def len(a, b): return 1\nx = len(1, 2)"), []);
});

Deno.test("resolver: scopes of functions, lambdas and comprehensions", () => {
  assertValues({
    "[[x for x in [x]] for x in [1, 2]]": "[[1], [2]]",
    "(lambda x: [x + y for y in [x]])(1)": "[2]",
    "[f() for f in [lambda: i for i in [1, 2]]]": "[2, 2]",
  });
  const source = `
x = 1
def outer():
    x = 2
    def inner():
        return x
    x = 3
    return inner()
def reads(): return x
def shadows(x): return x
def builtin_shadow():
    len = 5
    return len
payload = [outer(), reads(), shadows(9), builtin_shadow(), [x for x in [7]], x]`;
  assert.deepEqual(runScript(source).payload, [3, 1, 9, 5, [7], 1]);
});

Deno.test("resolver: a variable that has no value yet", () => {
  assert.equal(failureOf("def f():\n  a = b\n  b = 1\nf()").line, 2);
  assert.equal(failureOf("x = y\ny = 1").line, 1);
  assert.equal(failureOf("if False:\n  x = 1\nprint(x)").line, 3);
  assert.equal(failureOf("def f():\n  for i in []: pass\n  return i\nf()").line, 3);
  assert.equal(runScript("def f(): return y\ny = 1\npayload = f()").payload, 1);
  failureOf("def f(): return y\nx = f()\ny = 1");
});

Deno.test("resolver: a hint is a slip of typing, not the nearest word there is", () => {
  for (const name of ["open", "foo", "input", "x"]) assert.match(hintOf(`y = ${name}(1)`) ?? "", /^known here/, name);
  assert.equal(hintOf("y = lst([1])"), 'did you mean "list"?');
  assert.equal(hintOf("y = lenn([1])"), 'did you mean "len"?');
  assert.equal(hintOf("pirnt(1)"), 'did you mean "print"?');
  assert.equal(hintOf("y = enumrate([1])"), 'did you mean "enumerate"?');
});
