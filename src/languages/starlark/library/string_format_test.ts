/** Owns the tests of the `format` method. */

import { assertFailures, assertValues } from "../script_probe.ts";

Deno.test("format: fields by order, by position and by name", () => {
  assertValues({
    '"{} and {}".format("a", 1)': '"a and 1"',
    '"{1}{0}{1}".format("a", "b")': '"bab"',
    '"{x}-{y}".format(x=1, y=[2])': '"1-[2]"',
    '"{!r} {0!s}".replace("0", "").format("a", "b")': '"\\"a\\" b"',
    '"{{{}}}".format(1)': '"{1}"',
    '"plain".format(1, x=2)': '"plain"',
    '"{} {}".format(None, True)': '"None True"',
  });
});

Deno.test("format: what it does not know is refused", () => {
  assertFailures([
    '"{}".format()',
    '"{".format(1)',
    '"}".format(1)',
    '"{} {0}".format(1)',
    '"{x}".format(1)',
    '"{x.y}".format(x=1)',
    '"{x[0]}".format(x=[1])',
    '"{:d}".format(1)',
    '"{!z}".format(1)',
  ]);
});
