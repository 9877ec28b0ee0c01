/** Owns the arithmetic operators: quick answers for small numbers, and the way to the general ones for all else. */

import type { BinaryOperator, UnaryOperator } from "../syntax/tree.ts";
import { Fault, faultAt } from "../values/fault.ts";
import { StarlarkSet } from "../values/set.ts";
import type { Thread } from "../values/thread.ts";
import { float, floatOf, isInt, StarlarkFloat, typeName, type Value } from "../values/value.ts";
import { combineDicts, combineSets, concatenate, repeat } from "./concatenation.ts";
import { StarlarkDict } from "../values/dict.ts";
import * as integer from "./integer.ts";
import { formatPercent } from "./percent_format.ts";

/** Operators that compute a value; comparisons have rooms of their own. */
export type ArithmeticOperator = Exclude<BinaryOperator, "==" | "!=" | "<" | ">" | "<=" | ">=" | "in" | "not in">;

// The first three quick ones share a shape that the engine inlines. A result that is not whole came from a float; a whole one
// is an int only when both operands were, and exact only when it is safe.

/** `a + b`. @throws {Fault} at `site`. */
export function add(a: Value, b: Value, thread: Thread, site: number): Value {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (!Number.isInteger(sum)) return sum;
    if (!Number.isInteger(a) || !Number.isInteger(b)) return new StarlarkFloat(sum);
    if (Number.isSafeInteger(sum)) return sum;
  }
  return arithmetic("+", a, b, thread, site);
}

/** `a - b`. @throws {Fault} at `site`. */
export function subtract(a: Value, b: Value, thread: Thread, site: number): Value {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (!Number.isInteger(difference)) return difference;
    if (!Number.isInteger(a) || !Number.isInteger(b)) return new StarlarkFloat(difference);
    if (Number.isSafeInteger(difference)) return difference;
  }
  return arithmetic("-", a, b, thread, site);
}

/** `a * b`. @throws {Fault} at `site`. */
export function multiply(a: Value, b: Value, thread: Thread, site: number): Value {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (!Number.isInteger(product)) return product;
    if (!Number.isInteger(a) || !Number.isInteger(b)) return new StarlarkFloat(product);
    if (Number.isSafeInteger(product)) return product;
  }
  return arithmetic("*", a, b, thread, site);
}

/** `a / b`. @throws {Fault} at `site`. */
export function divide(a: Value, b: Value, thread: Thread, site: number): Value {
  if (typeof a === "number" && typeof b === "number" && b !== 0) {
    // An int zero may be a negative one.
    const quotient = (a + 0) / b;
    return Number.isInteger(quotient) ? new StarlarkFloat(quotient) : quotient;
  }
  return arithmetic("/", a, b, thread, site);
}

/** Any arithmetic operator on any values. @throws {Fault} at `site`. */
export function arithmetic(operator: ArithmeticOperator, a: Value, b: Value, thread: Thread, site: number): Value {
  try {
    return compute(operator, a, b, thread);
  } catch (error) {
    throw faultAt(error, site);
  }
}

function compute(operator: ArithmeticOperator, a: Value, b: Value, thread: Thread): Value {
  if (isInt(a) && isInt(b)) return computeInts(operator, a, b, thread);
  if (isNumber(a) && isNumber(b)) {
    const x = isInt(a) ? integer.intToFloat(a) : floatOf(a);
    const y = isInt(b) ? integer.intToFloat(b) : floatOf(b);
    const result = computeFloats(operator, x ?? 0, y ?? 0);
    if (result !== undefined) return float(result);
  } else {
    const result = computeOthers(operator, a, b, thread);
    if (result !== undefined) return result;
  }
  throw new Fault(`unknown binary op: ${typeName(a)} ${operator} ${typeName(b)}`);
}

function isNumber(value: Value): boolean {
  return isInt(value) || floatOf(value) !== undefined;
}

function computeInts(operator: ArithmeticOperator, a: integer.Int, b: integer.Int, thread: Thread): Value {
  switch (operator) {
    case "+":
      return integer.addInts(a, b, thread);
    case "-":
      return integer.subtractInts(a, b, thread);
    case "*":
      return integer.multiplyInts(a, b, thread);
    case "//":
      return integer.floorDivideInts(a, b, thread);
    case "%":
      return integer.moduloInts(a, b, thread);
    case "/":
      if (b === 0) throw new Fault("floating-point division by zero");
      return float(integer.intToFloat(a) / integer.intToFloat(b));
    case "&":
    case "|":
    case "^":
      return integer.bitwiseInts(operator, a, b, thread);
    case "<<":
    case ">>":
      return integer.shiftInts(operator, a, b, thread);
  }
}

function computeFloats(operator: ArithmeticOperator, a: number, b: number): number | undefined {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      if (b === 0) throw new Fault("floating-point division by zero");
      return a / b;
    case "//":
      if (b === 0) throw new Fault("floored division by zero");
      return Math.floor(a / b);
    case "%": {
      if (b === 0) throw new Fault("floating-point modulo by zero");
      const rest = a % b;
      return rest !== 0 && (rest < 0) !== (b < 0) ? rest + b : rest;
    }
    default:
      return undefined;
  }
}

function computeOthers(operator: ArithmeticOperator, a: Value, b: Value, thread: Thread): Value | undefined {
  if (operator === "+") return concatenate(a, b, thread);
  if (operator === "*") return repeat(a, b, thread);
  if (operator === "%") return typeof a === "string" ? formatPercent(a, b, thread) : undefined;
  if (operator === "|" && a instanceof StarlarkDict && b instanceof StarlarkDict) return combineDicts(a, b, thread);
  if (a instanceof StarlarkSet && b instanceof StarlarkSet) return combineSets(operator, a, b, thread);
  return undefined;
}

/** A unary operator but `not`. @throws {Fault} at `site`. */
export function unary(operator: Exclude<UnaryOperator, "not">, operand: Value, thread: Thread, site: number): Value {
  try {
    if (isInt(operand)) {
      if (operator === "+") return operand;
      return operator === "-" ? integer.negateInt(operand, thread) : integer.invertInt(operand, thread);
    }
  } catch (error) {
    throw faultAt(error, site);
  }
  const number = floatOf(operand);
  if (number !== undefined && operator !== "~") return operator === "+" ? operand : float(-number);
  throw faultAt(new Fault(`unknown unary op: ${operator}${typeName(operand)}`), site);
}
