/** Owns compiling comparisons, with a short way for the common one: a field of a message and a constant. */

import type { Emitting, Evaluate } from "./evaluate.ts";
import type { CelMeter } from "./meter.ts";
import type { CelNode } from "./node.ts";
import { celEquals, celIn, celOrder } from "./relation.ts";
import { CelFailure, noOverload } from "./value.ts";

type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in";
type Ordering = "<" | "<=" | ">" | ">=";

const SWAPPED: { readonly [operator in Ordering]: Ordering } = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

/** `==`, `!=`, `<`, `<=`, `>`, `>=` and `in`. */
export function emitComparison(
  node: CelNode & { readonly kind: "binary" },
  operator: Comparison,
  emitting: Emitting,
): Evaluate {
  const { at } = node;
  const left = emitting.emit(node.left);
  const right = emitting.emit(node.right);
  const { meter } = emitting;
  const rightConstant = emitting.fixedValue(node.right);
  if (operator === "in") return emitIn(left, right, rightConstant, at, meter);
  const leftConstant = rightConstant === undefined ? emitting.fixedValue(node.left) : undefined;
  const constant = rightConstant ?? leftConstant;
  const operand = rightConstant === undefined ? right : left;
  if (operator === "==" || operator === "!=") {
    const isEqual = operator === "==";
    return emitEqualsConstant(operand, constant, isEqual, meter) ?? emitEquals(left, right, isEqual, meter);
  }
  const number = asExactNumber(constant);
  if (number !== undefined) {
    const facing = rightConstant === undefined ? SWAPPED[operator] : operator;
    return emitOrderNumber(operand, facing, number, constant, at, meter);
  }
  return emitOrder(left, right, operator, at, meter);
}

/** Texts no longer than this are compared without counting the cost: it is that of the operation itself. */
const FREE_TEXT_UNITS_MAX = 128;

function isFreeText(value: unknown): boolean {
  return typeof value === "string" && value.length <= FREE_TEXT_UNITS_MAX;
}

/** The number a constant is, where a double can hold it exactly. */
function asExactNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "bigint") return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

function emitEquals(left: Evaluate, right: Evaluate, isEqual: boolean, meter: CelMeter): Evaluate {
  return (scope) => {
    const first = left(scope);
    if (first instanceof CelFailure) return first;
    const second = right(scope);
    if (second instanceof CelFailure) return second;
    return celEquals(first, second, meter) === isEqual;
  };
}

/** Equality with a constant whose type is told by `typeof`; undefined for any other constant. */
function emitEqualsConstant(
  operand: Evaluate,
  constant: unknown,
  isEqual: boolean,
  meter: CelMeter,
): Evaluate | undefined {
  // One closure a type, so that the test for a value of the same type costs nothing.
  if (typeof constant === "string" && constant.length <= FREE_TEXT_UNITS_MAX) {
    return (scope) => {
      const value = operand(scope);
      if (value === constant) return isEqual;
      return typeof value === "string" || !(value instanceof CelFailure) ? !isEqual : value;
    };
  }
  if (typeof constant === "boolean") {
    return (scope) => {
      const value = operand(scope);
      if (value === constant) return isEqual;
      return typeof value === "boolean" || !(value instanceof CelFailure) ? !isEqual : value;
    };
  }
  const number = asExactNumber(constant);
  if (number === undefined) return undefined;
  return (scope) => {
    const value = operand(scope);
    if (typeof value === "number") return (value === number) === isEqual;
    return value instanceof CelFailure ? value : celEquals(value, constant, meter) === isEqual;
  };
}

function emitOrder(left: Evaluate, right: Evaluate, operator: Ordering, at: number, meter: CelMeter): Evaluate {
  return (scope) => {
    const first = left(scope);
    const second = right(scope);
    return ordered(operator, first, second, at, meter);
  };
}

function ordered(operator: Ordering, left: unknown, right: unknown, at: number, meter: CelMeter): boolean | CelFailure {
  const order = celOrder(left, right, meter);
  if (order === undefined) return noOverload(operator, [left, right], at);
  switch (operator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

/** Order against a constant number: the other side is nearly always a double. */
function emitOrderNumber(
  operand: Evaluate,
  operator: Ordering,
  number: number,
  constant: unknown,
  at: number,
  meter: CelMeter,
): Evaluate {
  switch (operator) {
    case "<":
      return (scope) => {
        const value = operand(scope);
        return typeof value === "number" ? value < number : ordered("<", value, constant, at, meter);
      };
    case "<=":
      return (scope) => {
        const value = operand(scope);
        return typeof value === "number" ? value <= number : ordered("<=", value, constant, at, meter);
      };
    case ">":
      return (scope) => {
        const value = operand(scope);
        return typeof value === "number" ? value > number : ordered(">", value, constant, at, meter);
      };
    case ">=":
      return (scope) => {
        const value = operand(scope);
        return typeof value === "number" ? value >= number : ordered(">=", value, constant, at, meter);
      };
  }
}

function emitIn(left: Evaluate, right: Evaluate, constant: unknown, at: number, meter: CelMeter): Evaluate {
  if (Array.isArray(constant) && constant.every(isFreeText)) {
    const texts: ReadonlySet<unknown> = new Set(constant);
    return (scope) => {
      const value = left(scope);
      return value instanceof CelFailure ? value : texts.has(value);
    };
  }
  return (scope) => {
    const value = left(scope);
    const container = right(scope);
    return celIn(value, container, at, meter);
  };
}
