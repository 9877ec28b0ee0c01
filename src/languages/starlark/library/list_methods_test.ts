/** Owns the tests of the methods of lists. */

import assert from "node:assert/strict";
import { assertFailures, assertValues, failureOf, runScript } from "../script_probe.ts";

/** Calls a method on `[1, 2, 3]`; gives the list afterwards and the call's value. */
function after(call: string): string {
  return String(runScript(`x = [1, 2, 3]\ny = x.${call}\npayload = repr((x, y))`).payload);
}

Deno.test("list methods: change the list in place", () => {
  assert.equal(after("append(4)"), "([1, 2, 3, 4], None)");
  assert.equal(after("extend((4, 5))"), "([1, 2, 3, 4, 5], None)");
  assert.equal(after("insert(0, 9)"), "([9, 1, 2, 3], None)");
  assert.equal(after("insert(-1, 9)"), "([1, 2, 9, 3], None)");
  assert.equal(after("insert(99, 9)"), "([1, 2, 3, 9], None)");
  assert.equal(after("insert(-99, 9)"), "([9, 1, 2, 3], None)");
  assert.equal(after("pop()"), "([1, 2], 3)");
  assert.equal(after("pop(0)"), "([2, 3], 1)");
  assert.equal(after("pop(-2)"), "([1, 3], 2)");
  assert.equal(after("remove(2)"), "([1, 3], None)");
  assert.equal(after("clear()"), "([], None)");
  assert.equal(after("index(3)"), "([1, 2, 3], 2)");
  assert.equal(after("index(1, -3)"), "([1, 2, 3], 0)");
});

Deno.test("list methods: fail on what is not there", () => {
  assertFailures([
    "[].pop()",
    "[1].pop(1)",
    "[1].remove(2)",
    "[1].index(2)",
    "[1, 2].index(1, 1)",
    "[].append()",
    "[].extend(1)",
    "[].insert(0)",
    "[].pop(None)",
    "[].sort()",
  ]);
});

Deno.test("list: extending a list by itself ends", () => {
  assert.deepEqual(runScript("x = [1, 2]\nx.extend(x)\npayload = x").payload, [1, 2, 1, 2]);
});

Deno.test("list: += on a list changes it in place, + makes a new one", () => {
  const source = `
def f():
    a = [1]
    b = a
    b += (2,)
    c = a + [3]
    return [a, b, c]
payload = f()`;
  assert.deepEqual(runScript(source).payload, [[1, 2], [1, 2], [1, 2, 3]]);
});

Deno.test("list: nothing changes during iteration", () => {
  const failure = failureOf("x = [1, 2]\nfor i in x:\n  x.append(i)");
  assert.equal(failure.kind, "runtime");
  assert.deepEqual([failure.line, failure.column], [3, 11]);
  failureOf("x = [1, 2]\nfor i in x:\n  x[0] = i");
  failureOf("x = [1, 2]\ny = [x.clear() for i in x]");
  // Once the loop is left, also by break or return, the list is free again.
  runScript("x = [1, 2]\nfor i in x:\n  break\nx.append(3)");
  runScript("x = [1, 2]\ndef f():\n  for i in x:\n    for j in x:\n      return j\nf()\nx.append(3)");
});

Deno.test("list: elements, slices and operators", () => {
  assertValues({
    "[1, 2, 3][-1]": "3",
    "[1, 2, 3][1:]": "[2, 3]",
    "[0, 1, 2, 3, 4][::-2]": "[4, 2, 0]",
    "[0, 1, 2, 3, 4][-2:0:-1]": "[3, 2, 1]",
    "[1] + [2]": "[1, 2]",
    "[1, 2] * 2": "[1, 2, 1, 2]",
    "2 * [1]": "[1, 1]",
    "[1] * -1": "[]",
    "[1, 2] < [1, 3]": "True",
    "[1] < [1, 0]": "True",
    "[1, [2]] == [1, [2]]": "True",
    "2 in [1, 2]": "True",
    "[] not in [[]]": "False",
  });
  assertFailures(["[1][1]", "[1][-2]", "[1][None]", "[1][1.0]", "[1] + (2,)", "[1][::0]", "[1] < (1,)"]);
});
