/** Owns the tests of the functions over sequences. */

import assert from "node:assert/strict";
import { assertFailures, assertValues, failureOf, runScript } from "../script_probe.ts";

Deno.test("range: bounds of 64 bits are exact, and so are positions and lengths beyond 2^53", () => {
  assertValues({
    "list(range(9007199254740991, 9007199254740994))": "[9007199254740991, 9007199254740992, 9007199254740993]",
    "list(range(-9223372036854775808, -9223372036854775806))": "[-9223372036854775808, -9223372036854775807]",
    "list(range(1, 10, 9223372036854775807))": "[1]",
    "len(range(9223372036854775807))": "9223372036854775807",
    "len(range(-9223372036854775808, 9223372036854775807))": "18446744073709551615",
    "len(range(0, 9007199254740991, 3))": "3002399751580331",
    "range(9223372036854775807)[-1]": "9223372036854775806",
    "range(9223372036854775807)[5:10:2]": "range(5, 10, 2)",
    "range(9223372036854775807)[-2:]": "range(9223372036854775805, 9223372036854775807)",
    "range(9223372036854775807)[::-1]": "range(9223372036854775806, -1, -1)",
    "range(9223372036854775807) == range(9223372036854775806)": "False",
    "9007199254740993 in range(0, 9007199254740995, 3)": "True",
    "9007199254740992 in range(0, 9007199254740995, 3)": "False",
    "5.5 in range(10)": "False",
    "list(range(-9223372036854775808, 9223372036854775807)[::1 << 63])": "[-9223372036854775808, 0]",
    "list(range(5, 10)[::1 << 500])": "[5]",
    "range(-9007199254740991, 9007199254740991)[9007199254740993]": "2",
    "range(9007199254740990, 9007199254740991)[:]": "range(9007199254740990, 9007199254740991)",
    "range(0, 9007199254740991, 9007199254740990)[:]": "range(0, 18014398509481980, 9007199254740990)",
    "list(range(1 << 62)[7:1 << 500:1 << 500])": "[7]",
    "enumerate([1, 2], 9223372036854775806)": "[(9223372036854775806, 1), (9223372036854775807, 2)]",
  });
});

Deno.test("sorted, min, max: None is no key, and a key cannot change what is gone through", () => {
  assertFailures(["sorted([1], key = None)", "max([1], key = None)", "min(1, 2, key = None)"]);
  for (const name of ["sorted", "max", "min"]) {
    const change = `x = [3, 1, 2]\n${name}(x, key = x.append)`;
    assert.match(failureOf(change).message, /during iteration/, name);
    const source = `x = [3, 1, 2]\n${name}(x, key = lambda e: -e)\nx.append(4)\npayload = x`;
    assert.deepEqual(runScript(source).payload, [3, 1, 2, 4], name);
  }
});

Deno.test("range: start, stop and step", () => {
  assertValues({
    "list(range(3))": "[0, 1, 2]",
    "list(range(1, 10, 4))": "[1, 5, 9]",
    "list(range(5, 0, -2))": "[5, 3, 1]",
    "list(range(0))": "[]",
    "list(range(3, 1))": "[]",
    "range(3)": "range(3)",
    "range(1, 3)": "range(1, 3)",
    "range(1, 9, 2)": "range(1, 9, 2)",
    "range(10)[2:8:2]": "range(2, 8, 2)",
    "range(10)[-1]": "9",
    "range(5)[::-1][0]": "4",
    "len(range(10, 0, -3))": "4",
    "3 in range(0, 10, 3)": "True",
    "4 in range(0, 10, 3)": "False",
    "range(0, 3) == range(0, 3, 1)": "True",
    "range(0) == range(5, 1)": "True",
    "range(0, 3, 2) == range(0, 4, 2)": "True",
    "len(range(1000000000000))": "1000000000000",
  });
  assertFailures([
    "range()",
    "range(1, 2, 0)",
    'range("a")',
    "range(1.5)",
    "range(1 << 63)",
    "enumerate([1], 1 << 63)",
    "range(9223372036854775807)[9223372036854775807]",
    "range(9223372036854775807)[::0]",
    "range(9223372036854775807)['a']",
    "range(1, 2, 3, 4)",
    "range(3)[3]",
  ]);
});

Deno.test("sorted, reversed: a new list; equal elements keep their order", () => {
  assertValues({
    "sorted([3, 1, 2])": "[1, 2, 3]",
    "sorted([3, 1.5, 2])": "[1.5, 2, 3]",
    'sorted(["b", "a"], reverse=True)': '["b", "a"]',
    'sorted(["bb", "a", "cc", "d"], key=len)': '["a", "d", "bb", "cc"]',
    'sorted(["bb", "a", "cc", "d"], key=len, reverse=True)': '["bb", "cc", "a", "d"]',
    "sorted([(2, 'a'), (1, 'b')], key=lambda x: x[1])": '[(2, "a"), (1, "b")]',
    "sorted({'b': 1, 'a': 2})": '["a", "b"]',
    "sorted(['\\uffee', '😀'])": '["￮", "😀"]',
    "reversed([1, 2, 3])": "[3, 2, 1]",
    "reversed(range(3))": "[2, 1, 0]",
  });
  assertFailures([
    'sorted([1, "a"])',
    "sorted([None, None])",
    "sorted(1)",
    "sorted([1], key=1)",
    "sorted([{}, {}])",
    "reversed(1)",
  ]);
});

Deno.test("min, max: of arguments or of one iterable", () => {
  assertValues({
    "min(3, 1, 2)": "1",
    "max([3, 1, 2])": "3",
    'max("a", "b")': '"b"',
    'min(["bb", "a", "c"], key=len)': '"a"',
    "max([1, -5], key=abs)": "-5",
    "max((1, 2), (1, 3))": "(1, 3)",
    "max(1, 1.0)": "1",
  });
  assertFailures(["min()", "max([])", 'min(1, "a")', "max(1)"]);
});

Deno.test("enumerate, zip, any, all, len", () => {
  assertValues({
    'enumerate(["a", "b"])': '[(0, "a"), (1, "b")]',
    'enumerate(["a"], 5)': '[(5, "a")]',
    "zip([1, 2, 3], ('a', 'b'))": '[(1, "a"), (2, "b")]',
    "zip()": "[]",
    "zip([1])": "[(1,)]",
    "any([0, 1])": "True",
    "any([])": "False",
    "all([1, 0])": "False",
    "all([])": "True",
    'len("😀é")': "2",
    "len({1: 2})": "1",
    'len(b"\\xff\\x00")': "2",
    "len(())": "0",
  });
  assertFailures([
    "len(1)",
    "len(None)",
    "len()",
    "len(1, 2)",
    "zip(1)",
    "any(1)",
    "enumerate(1)",
    'enumerate([], "x")',
  ]);
});
