/** Owns the `math` module. */

import { intToFloat } from "../operations/integer.ts";
import type { NativeFunction } from "../values/callable.ts";
import { Fault } from "../values/fault.ts";
import { float, floatOf, isInt, StarlarkModule, type Value } from "../values/value.ts";
import { wholeInt } from "./conversions.ts";
import { native, wrongType } from "./native.ts";

function number(value: Value | undefined, owner: string, parameter: string): number {
  if (value !== undefined && isInt(value)) return intToFloat(value);
  const found = value === undefined ? undefined : floatOf(value);
  if (found === undefined) throw wrongType(owner, parameter, value, "float or int");
  return found;
}

function unaryFunction(name: string, compute: (x: number) => number): NativeFunction {
  return native(name, "x /", (_thread, [x]) => float(compute(number(x, name, "x"))));
}

function binaryFunction(name: string, compute: (x: number, y: number) => number): NativeFunction {
  return native(name, "x y /", (_thread, [x, y]) => float(compute(number(x, name, "x"), number(y, name, "y"))));
}

function rounding(name: string, round: (x: number) => number): NativeFunction {
  return native(name, "x /", (_thread, [x]) => {
    if (x !== undefined && isInt(x)) return x;
    const value = number(x, name, "x");
    return wholeInt(round(value), value);
  });
}

/** Half away from zero. */
function round(x: number): number {
  if (!Number.isFinite(x)) return x;
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : x === 0 ? x : whole === 0 && x < 0 ? -0 : whole;
}

/** What is left of x after the nearest whole multiple of y; of two nearest ones the even. */
function remainder(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y) || !Number.isFinite(x) || y === 0) return NaN;
  if (!Number.isFinite(y)) return x;
  const size = Math.abs(y);
  let rest = Math.abs(x) % (2 * size);
  if (2 * size === Infinity) rest = Math.abs(x);
  if (rest > size - rest || (rest > size / 2 && rest <= size)) {
    if (rest * 2 > size) rest -= size;
    if (rest * 2 >= size) rest -= size;
  }
  return x < 0 || Object.is(x, -0) ? -rest : rest;
}

/** Powers as IEEE has them: 1 to any power and -1 to an infinite one are 1, where JavaScript has NaN. */
function power(x: number, y: number): number {
  return x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y;
}

const LANCZOS_G = 7;
const LANCZOS = [
  0.99999999999980993,
  676.5203681218851,
  -1259.1392167224028,
  771.32342877765313,
  -176.61502916214059,
  12.507343278686905,
  -0.13857109526572012,
  9.9843695780195716e-6,
  1.5056327351493116e-7,
];
/** Whole arguments up to here give exact factorials. */
const FACTORIAL_MAX = 171;

/** The gamma function by Lanczos's sum; factorials are multiplied out. */
function gamma(x: number): number {
  if (x === Infinity || x === 0) return x === 0 ? 1 / x : x;
  if (x === -Infinity || (x < 0 && Number.isInteger(x))) return NaN;
  if (Number.isInteger(x) && x > 0 && x <= FACTORIAL_MAX) {
    let product = 1;
    for (let factor = 2; factor < x; factor++) product *= factor;
    return product;
  }
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x));
  const t = x - 1 + LANCZOS_G + 0.5;
  let sum = LANCZOS[0] ?? 0;
  for (const [index, coefficient] of LANCZOS.entries()) if (index > 0) sum += coefficient / (x - 1 + index);
  // Two half powers, as one whole power overflows long before the result does.
  const half = t ** ((x - 0.5) / 2);
  return Math.sqrt(2 * Math.PI) * half * Math.exp(-t) * half * sum;
}

const LOGARITHM = native("log", "x base? /", (_thread, [x, base]) => {
  const value = number(x, "log", "x");
  if (base === undefined) return float(Math.log(value));
  const divisor = Math.log(number(base, "log", "base"));
  if (divisor === 0) throw new Fault("log: division by zero: the logarithm of the base is 0");
  return float(Math.log(value) / divisor);
});

const FUNCTIONS: readonly NativeFunction[] = [
  rounding("ceil", Math.ceil),
  rounding("floor", Math.floor),
  unaryFunction("acos", Math.acos),
  unaryFunction("acosh", Math.acosh),
  unaryFunction("asin", Math.asin),
  unaryFunction("asinh", Math.asinh),
  unaryFunction("atan", Math.atan),
  unaryFunction("atanh", Math.atanh),
  unaryFunction("cos", Math.cos),
  unaryFunction("cosh", Math.cosh),
  unaryFunction("degrees", (x) => x * 180 / Math.PI),
  unaryFunction("exp", Math.exp),
  unaryFunction("fabs", Math.abs),
  unaryFunction("gamma", gamma),
  unaryFunction("radians", (x) => x * Math.PI / 180),
  unaryFunction("round", round),
  unaryFunction("sin", Math.sin),
  unaryFunction("sinh", Math.sinh),
  unaryFunction("sqrt", Math.sqrt),
  unaryFunction("tan", Math.tan),
  unaryFunction("tanh", Math.tanh),
  binaryFunction("atan2", Math.atan2),
  binaryFunction("copysign", (x, y) => (y < 0 || Object.is(y, -0) ? -1 : 1) * Math.abs(x)),
  binaryFunction("hypot", Math.hypot),
  binaryFunction("mod", (x, y) => x % y),
  binaryFunction("pow", power),
  binaryFunction("remainder", remainder),
  LOGARITHM,
];

/** The module. */
export const MATH_MODULE = new StarlarkModule(
  "math",
  new Map<string, Value>([
    ...FUNCTIONS.map((each): [string, Value] => [each.name, each]),
    ["e", Math.E],
    ["pi", Math.PI],
  ]),
);
