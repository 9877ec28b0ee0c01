/** Owns the tests of elements, slices and membership. */

import { assertFailures, assertValues } from "../script_probe.ts";

Deno.test("index: strings by code points, negative from the end", () => {
  assertValues({
    "'a😀b'[1]": '"😀"',
    "'a😀b'[-1]": '"b"',
    "b'abc'[1]": "98",
    "(1, 2)[-2]": "1",
    "'abc'.elems()[1]": '"b"',
  });
  assertFailures(["'abc'[3]", "''[0]", "'abc'[-4]", "'a'['a']", "()[0]", "1[0]", "None['a']", "len[0]"]);
});

Deno.test("slice: strings, bytes and tuples", () => {
  assertValues({
    "'a😀bc'[1:3]": '"😀b"',
    "'abc'[::-1]": '"cba"',
    "'abc'[5:]": '""',
    "'abc'[-2:]": '"bc"',
    "'abcdef'[1:-1:2]": '"bd"',
    "'abc'[2:1]": '""',
    "'abc'[None:None]": '"abc"',
    "b'abc'[1:]": 'b"bc"',
    "(1, 2, 3)[:2]": "(1, 2)",
    "'abc'[-100:100]": '"abc"',
    "'abc'[:1 << 100]": '"abc"',
  });
  assertFailures(["'abc'[::0]", "'abc'['a':]", "{}[1:2]", "1[:]", "'abc'[1.0:]"]);
});

Deno.test("in: parts of text, elements of sequences, keys of dicts", () => {
  assertValues({
    "'bc' in 'abcd'": "True",
    "'' in ''": "True",
    "1.0 in (1, 2)": "True",
    "'a' in {'a': 1}": "True",
    "97 in b'abc'": "True",
    "b'bc' in b'abc'": "True",
    "b'ca' in b'abc'": "False",
    "1 not in [2]": "True",
    "[] in {}": "False",
    "2.0 in range(3)": "True",
    "1.5 in range(3)": "False",
  });
  assertFailures(["1 in 'abc'", "'a' in 1", "'a' in b'abc'", "256 in b'abc'", "'a' in range(3)", "[] in set()"]);
});
