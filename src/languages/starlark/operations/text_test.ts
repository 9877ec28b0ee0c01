/** Owns the tests of the text of values. */

import { assertFailures, assertValues } from "../script_probe.ts";

Deno.test("repr: text in double quotes, controls escaped, the rest as it is", () => {
  assertValues({
    "'a\"b\\\\'": '"a\\"b\\\\"',
    "'\\n\\t\\r\\x00\\x7f'": '"\\n\\t\\r\\x00\\x7f"',
    "'é😀'": '"é😀"',
    "'\\u200b'": '"\\u200b"',
    "'\\U000e0001'": '"\\U000e0001"',
    "'\\a\\b\\f\\v'": '"\\a\\b\\f\\v"',
    "b'caf\\xc3\\xa9'": 'b"café"',
    "b'\\xff\\x00a'": 'b"\\xff\\x00a"',
    "'it\\'s'": '"it\'s"',
  });
});

Deno.test("repr: floats always look like floats", () => {
  assertValues({
    "1.0": "1.0",
    "0.5": "0.5",
    "100000.0": "100000.0",
    "1000000.0": "1e+06",
    "1234567.5": "1.2345675e+06",
    "0.0001": "0.0001",
    "0.00001": "1e-05",
    "1.23e45": "1.23e+45",
    "-1.5e-7": "-1.5e-07",
    "0.0": "0.0",
    "float('-inf')": "-inf",
    "[float('nan')]": "[nan]",
  });
});

Deno.test("repr: containers, and those that hold themselves", () => {
  assertValues({
    "()": "()",
    "(1,)": "(1,)",
    "[[], {}, set([1])]": "[[], {}, set([1])]",
    "{1: (2, 'x')}": '{1: (2, "x")}',
    "(lambda x: [x.append(x), x][1])([1])": "[1, [...]]",
    "(lambda x: [x.update(a=x), x][1])({})": '{"a": {...}}',
    "(lambda f: f)(lambda: 1)": "<function lambda>",
  });
  assertFailures(["(lambda x, y: [x.append(y), y.append(x), x == y])([], [])"]);
});
