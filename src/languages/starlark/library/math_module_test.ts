/** Owns the tests of the `math` module. */

import { assertFailures, assertValues } from "../script_probe.ts";

Deno.test("math: rounding gives ints, of any size", () => {
  assertValues({
    "math.ceil(1.2)": "2",
    "math.ceil(-1.8)": "-1",
    "math.floor(1.8)": "1",
    "math.floor(-1.2)": "-2",
    "math.floor(5)": "5",
    "math.floor(1e300) == int(1e300)": "True",
    "math.round(0.5)": "1.0",
    "math.round(-0.5)": "-1.0",
    "math.round(1.4999)": "1.0",
    "math.round(2.5)": "3.0",
  });
  assertFailures(['math.floor(float("nan"))', 'math.ceil(float("inf"))', 'math.floor("1")']);
});

Deno.test("math: functions of floats", () => {
  assertValues({
    "math.sqrt(2)": "1.4142135623730951",
    "math.pow(2, 10)": "1024.0",
    'math.pow(1, float("nan"))': "1.0",
    "math.fabs(-2)": "2.0",
    "math.mod(-7, 3)": "-1.0",
    "math.remainder(5, 3)": "-1.0",
    "math.remainder(7, 2)": "-1.0",
    "math.remainder(5, 2)": "1.0",
    "math.remainder(6, 4)": "-2.0",
    "math.copysign(3, -0.0)": "-3.0",
    "math.exp(0)": "1.0",
    "math.log(1)": "0.0",
    "math.log(8, 2)": "3.0",
    "math.hypot(3, 4)": "5.0",
    "math.atan2(0, 1)": "0.0",
    "math.degrees(math.pi)": "180.0",
    "math.radians(180) == math.pi": "True",
    "math.gamma(5)": "24.0",
    "math.gamma(0.5) - math.sqrt(math.pi) < 1e-12": "True",
    "math.sqrt(-1)": "nan",
    "math.e": "2.718281828459045",
  });
  assertFailures(["math.sqrt(None)", "math.log(2, 1)", "math.sqrt()", "math.sqrt((1 << 511) * (1 << 511) * 8)"]);
});
