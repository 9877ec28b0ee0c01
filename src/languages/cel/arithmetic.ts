/** Owns arithmetic: what each operator does to the kinds of values it is defined for, and where it overflows. */

import type { CelMeter } from "./meter.ts";
import { durationOf, timestampOf } from "./time.ts";
import {
  asInt,
  asUint,
  CelDuration,
  CelFailure,
  CelTimestamp,
  CelUint,
  INT_MAX,
  INT_MIN,
  noOverload,
  UINT_MAX,
} from "./value.ts";

/** An operator on two values. `at` is its offset in the expression. */
export type CelOperation = (left: unknown, right: unknown, at: number, meter: CelMeter) => unknown;

/** The arithmetic operators. */
export const CEL_ARITHMETIC: { readonly [operator in "+" | "-" | "*" | "/" | "%"]: CelOperation } = {
  "+": add,
  "-": subtract,
  "*": (left, right, at) => {
    if (typeof left === "number" && typeof right === "number") return left * right;
    return integers("*", left, right, at, (first, second) => first * second);
  },
  "/": (left, right, at) => {
    if (typeof left === "number" && typeof right === "number") return left / right;
    return integers("/", left, right, at, (first, second) => second === 0n ? "division by zero" : first / second);
  },
  "%": (left, right, at) =>
    integers(
      "%",
      left,
      right,
      at,
      (first, second) => second === 0n ? "remainder of a division by zero" : first % second,
    ),
};

/** The sign changed: of an int or a double. */
export function celNegate(value: unknown, at: number): unknown {
  if (typeof value === "number") return -value;
  const int = asInt(value);
  return int === undefined ? noOverload("-", [value], at) : checkedInt(-int, "-", at);
}

function add(left: unknown, right: unknown, at: number, meter: CelMeter): unknown {
  if (typeof left === "number" && typeof right === "number") return left + right;
  if (typeof left === "string" && typeof right === "string") {
    meter.spendLength(left.length + right.length);
    return left + right;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    meter.spendLength(left.length + right.length);
    return [...left, ...right];
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    meter.spendLength(left.length + right.length);
    const joined = new Uint8Array(left.length + right.length);
    joined.set(left);
    joined.set(right, left.length);
    return joined;
  }
  if (left instanceof CelTimestamp && right instanceof CelDuration) return timestampOf(left.nanos + right.nanos, at);
  if (left instanceof CelDuration) {
    if (right instanceof CelTimestamp) return timestampOf(left.nanos + right.nanos, at);
    if (right instanceof CelDuration) return durationOf(left.nanos + right.nanos, at);
  }
  return integers("+", left, right, at, (first, second) => first + second);
}

function subtract(left: unknown, right: unknown, at: number): unknown {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (left instanceof CelTimestamp) {
    if (right instanceof CelTimestamp) return durationOf(left.nanos - right.nanos, at);
    if (right instanceof CelDuration) return timestampOf(left.nanos - right.nanos, at);
  }
  if (left instanceof CelDuration && right instanceof CelDuration) return durationOf(left.nanos - right.nanos, at);
  return integers("-", left, right, at, (first, second) => first - second);
}

/** Applies an operator to two ints or two uints; a string from it says why there is no result. */
function integers(
  operator: string,
  left: unknown,
  right: unknown,
  at: number,
  apply: (left: bigint, right: bigint) => bigint | string,
): unknown {
  const first = asInt(left);
  const second = asInt(right);
  if (first !== undefined && second !== undefined) return finish(apply(first, second), at, checkedInt, operator);
  const firstUint = asUint(left);
  const secondUint = asUint(right);
  if (firstUint !== undefined && secondUint !== undefined) {
    return finish(apply(firstUint, secondUint), at, checkedUint, operator);
  }
  if (isTooBig(left) || isTooBig(right)) return new CelFailure(`${operator}: an integer of more than 64 bits`, at);
  return noOverload(operator, [left, right], at);
}

function finish(
  result: bigint | string,
  at: number,
  check: (value: bigint, operator: string, at: number) => unknown,
  operator: string,
): unknown {
  return typeof result === "string" ? new CelFailure(result, at) : check(result, operator, at);
}

function checkedInt(value: bigint, operator: string, at: number): bigint | CelFailure {
  return value >= INT_MIN && value <= INT_MAX ? value : new CelFailure(`${operator} overflows an int (64 bits)`, at);
}

function checkedUint(value: bigint, operator: string, at: number): CelUint | CelFailure {
  if (value < 0n || value > UINT_MAX) return new CelFailure(`${operator} overflows a uint (64 bits)`, at);
  return new CelUint(value);
}

function isTooBig(value: unknown): boolean {
  return typeof value === "bigint" && (value < INT_MIN || value > UINT_MAX);
}
