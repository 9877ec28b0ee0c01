/** Owns the tests of equality, order and truth. */

import { assertFailures, assertValues } from "../script_probe.ts";

Deno.test("equality: numbers by value, other types never mix", () => {
  assertValues({
    "1 == 1.0": "True",
    "1 == True": "False",
    "0 == False": "False",
    "0.0 == -0.0": "True",
    "(1 << 64) == float(1 << 64)": "True",
    "9007199254740993 == 9007199254740992.0": "False",
    "float('nan') == float('nan')": "True",
    "'1' == 1": "False",
    "None == False": "False",
    "[] == ()": "False",
    "'a' == b'a'": "False",
    "[1, [2.0]] == [1.0, [2]]": "True",
    "(1,) != (2,)": "True",
    "len == len": "True",
    "(lambda: 1) == (lambda: 1)": "False",
    "b'a' == b'a'": "True",
  });
});

Deno.test("order: numbers of all kinds are in one order, NaN last", () => {
  assertValues({
    "1 < 1.5": "True",
    "9007199254740992.0 < 9007199254740993": "True",
    "(1 << 70) > 1e20": "True",
    "float('nan') > float('inf')": "True",
    "1 < float('nan')": "True",
    "float('nan') >= float('nan')": "True",
    "float('-inf') < -(1 << 500) * (1 << 500)": "True",
    "2.0 <= 2": "True",
    "False < True": "True",
  });
});

Deno.test("order: text by code points, sequences by their first difference", () => {
  assertValues({
    "'a' < 'b'": "True",
    "'a' < 'aa'": "True",
    "'Z' < 'a'": "True",
    "'\\uffee' < '😀'": "True",
    "'' < 'a'": "True",
    "b'\\x80' > b'a'": "True",
    "[1, 2] < [1, 3]": "True",
    "(1, 'a') < (1, 'b')": "True",
    "[1] <= [1]": "True",
    "[2] > [1, 9]": "True",
  });
  assertFailures([
    "1 < 'a'",
    "None < None",
    "[1] < (1,)",
    "{} < {}",
    "1 < True",
    "len < len",
    "[1] < ['a']",
    "1 < 2 < 3",
    "1 == 1 == 1",
  ]);
});

Deno.test("truth: empty and zero are false", () => {
  assertValues({
    "[bool(x) for x in (0, 0.0, '', b'', [], (), {}, set(), None, False)]": `[${Array(10).fill("False").join(", ")}]`,
    "[1 if x else 0 for x in (1, 0.5, -1.0, 'a', [0], (0,), {0: 0}, len, 1 << 64)]": `[${Array(9).fill(1).join(", ")}]`,
    "not []": "True",
    "[] or 'x'": '"x"',
    "1 and 0 or 2": "2",
    "0 and fail('not reached')": "0",
    "1 or fail('not reached')": "1",
    "1 if [] else 2": "2",
  });
});
