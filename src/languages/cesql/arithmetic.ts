/** Owns arithmetic on Integers: 32 bits, cut towards zero, an error where a result does not fit. */

import type { CesqlEmitting, CesqlEvaluate } from "./emit.ts";
import type { CesqlArithmeticOperator, CesqlNode } from "./node.ts";
import { CesqlFailure, type CesqlOutcome, INTEGER_MAX, INTEGER_MIN } from "./value.ts";

/** Products of two Integers lie below 2^62, where doubles are not exact; whether they fit is told all the same. */
const APPLY: { readonly [operator in CesqlArithmeticOperator]: (left: number, right: number) => number } = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => Math.trunc(left / right),
  "%": (left, right) => left % right,
};

/** Compiles an operator on two numbers. */
export function emitArithmetic(
  { operator, left: leftNode, right: rightNode, at }: CesqlNode & { readonly kind: "arithmetic" },
  emitting: CesqlEmitting,
): CesqlEvaluate {
  const left = emitting.emitAs(leftNode, "Integer");
  const right = emitting.emitAs(rightNode, "Integer");
  const apply = APPLY[operator];
  const overflow = overflowAt(at);
  const zero = new CesqlFailure("math", "division by zero", at);
  const divides = operator === "/" || operator === "%";
  return (scope) => {
    const first = left(scope);
    if (typeof first !== "number") return first;
    const second = right(scope);
    if (typeof second !== "number") return second;
    if (divides && second === 0) return zero;
    const result = apply(first, second);
    // `| 0` because -0 is 0.
    return result >= INTEGER_MIN && result <= INTEGER_MAX ? result | 0 : overflow;
  };
}

/** The number with the other sign. */
export function negateInteger(value: number, at: number): CesqlOutcome {
  return value === INTEGER_MIN ? overflowAt(at) : -value | 0;
}

function overflowAt(at: number): CesqlFailure {
  return new CesqlFailure("math", "the result is no whole number of 32 bits", at);
}
