/** Owns the tests of the functions over sequences. */

import { assertFailures, assertValues } from "../script_probe.ts";

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
    "range(1 << 60)",
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
