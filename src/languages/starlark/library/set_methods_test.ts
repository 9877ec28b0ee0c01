/** Owns the tests of sets and their methods. */

import assert from "node:assert/strict";
import { assertFailures, assertValues, failureOf, runScript } from "../script_probe.ts";

/** Calls a method on `set([1, 2])`; gives the set afterwards and the call's value. */
function after(call: string): string {
  return String(runScript(`x = set([1, 2])\ny = x.${call}\npayload = repr((x, y))`).payload);
}

Deno.test("set methods: read and change", () => {
  assert.equal(after("add(3)"), "(set([1, 2, 3]), None)");
  assert.equal(after("add(1)"), "(set([1, 2]), None)");
  assert.equal(after("remove(1)"), "(set([2]), None)");
  assert.equal(after("discard(9)"), "(set([1, 2]), None)");
  assert.equal(after("pop()"), "(set([2]), 1)");
  assert.equal(after("clear()"), "(set([]), None)");
  assert.equal(after("update([2, 3], (4,))"), "(set([1, 2, 3, 4]), None)");
  assert.equal(after("union([3])"), "(set([1, 2]), set([1, 2, 3]))");
  assert.equal(after("intersection([2, 3])"), "(set([1, 2]), set([2]))");
  assert.equal(after("difference([2])"), "(set([1, 2]), set([1]))");
  assert.equal(after("symmetric_difference([2, 3])"), "(set([1, 2]), set([1, 3]))");
  assert.equal(after("issubset([1, 2, 3])"), "(set([1, 2]), True)");
  assert.equal(after("issuperset([1, 9])"), "(set([1, 2]), False)");
});

Deno.test("set: operators", () => {
  assertValues({
    "set([1, 2]) | set([2, 3])": "set([1, 2, 3])",
    "set([1, 2]) & set([2, 3])": "set([2])",
    "set([1, 2]) - set([2])": "set([1])",
    "set([1, 2]) ^ set([2, 3])": "set([1, 3])",
    "set([1, 2]) == set([2, 1])": "True",
    "set([1]) < set([1, 2])": "True",
    "set([1]) >= set([1])": "True",
    "set([1]) > set([2])": "False",
    "1.0 in set([1])": "True",
    "len(set([1, 1.0, True]))": "2",
    "bool(set())": "False",
    "[x for x in set([3, 1, 3])]": "[3, 1]",
  });
  assertFailures([
    "set([1]) | [2]",
    "set([[]])",
    "set([1]).remove(2)",
    "set().pop()",
    "set(1)",
    "set([1])[0]",
    "{} in set()",
  ]);
});

Deno.test("set: nothing changes during iteration", () => {
  failureOf("x = set([1])\nfor i in x:\n  x.add(2)");
  runScript("x = set([1])\nfor i in x:\n  x.add(1)\nx.add(2)");
});

Deno.test("keys: methods of different values in tuples are different keys, one method is one key", () => {
  assertValues({
    "len({(x.get, 1): 1 for x in [{}, {}]})": "2",
    "len(set([(g, (g,)) for g in [[].append] * 2]))": "1",
    "len(set([(len, 1), (len, 1), (max, 1)]))": "2",
  });
});
