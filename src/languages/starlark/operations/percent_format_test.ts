/** Owns the tests of the `%` operator on strings. */

import { assertFailures, assertValues } from "../script_probe.ts";

Deno.test("percent: every conversion", () => {
  assertValues({
    "'%s %r' % ('a', 'a')": '"a \\"a\\""',
    "'%d %i' % (42, -1)": '"42 -1"',
    "'%d' % 3.9": '"3"',
    "'%d' % (1 << 70)": '"1180591620717411303424"',
    "'%o %x %X' % (8, 255, 255)": '"10 ff FF"',
    "'%x' % -255": '"-ff"',
    "'%e %f %g' % (1.5, 1.5, 1.5)": '"1.500000e+00 1.500000 1.5"',
    "'%f' % 2": '"2.000000"',
    "'%E' % 12345.678": '"1.234568E+04"',
    "'%g' % 1e21": '"1e+21"',
    "'%c%c' % (65, 'é')": '"Aé"',
    "'100%%' % ()": '"100%"',
    "'%s' % [1, 2]": '"[1, 2]"',
    "'%s' % ((1, 2),)": '"(1, 2)"',
    "'%(a)s-%(b)d' % {'a': 'x', 'b': 2, 'c': 3}": '"x-2"',
    "'%s' % {'a': 1}": '"{\\"a\\": 1}"',
    "'plain' % {}": '"plain"',
  });
});

Deno.test("percent: values that are missing, left over or of the wrong type", () => {
  assertFailures([
    "'%s %s' % 'a'",
    "'%s' % (1, 2)",
    "'plain' % 1",
    "'%d' % 'a'",
    "'%d' % None",
    "'%x' % 'a'",
    "'%f' % 'a'",
    "'%c' % 'ab'",
    "'%c' % -1",
    "'%' % 1",
    "'%q' % 1",
    "'%(a)s' % {}",
    "'%(a)s' % 1",
    "'%d' % float('nan')",
  ]);
});
