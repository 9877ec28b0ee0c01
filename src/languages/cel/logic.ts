/** Owns `&&`, `||` and `!`. A term that decides the outcome hides failures of the others, on whichever side they stand. */

import type { Evaluate } from "./evaluate.ts";
import { CelFailure, noOverload } from "./value.ts";

/** `&&` or `||` over two or more terms. */
export function emitLogic(kind: "and" | "or", terms: readonly Evaluate[], at: number): Evaluate {
  const decisive = kind === "or";
  const operator = kind === "or" ? "||" : "&&";
  const [first, second, third] = terms;
  if (terms.length === 2 && first !== undefined && second !== undefined) {
    return (scope) => {
      const left = first(scope);
      if (left === decisive) return decisive;
      const right = second(scope);
      if (right === decisive) return decisive;
      if (typeof left === "boolean" && typeof right === "boolean") return right;
      return firstFault(operator, [left, right], at);
    };
  }
  if (terms.length === 3 && first !== undefined && second !== undefined && third !== undefined) {
    return (scope) => {
      const left = first(scope);
      if (left === decisive) return decisive;
      const middle = second(scope);
      if (middle === decisive) return decisive;
      const right = third(scope);
      if (right === decisive) return decisive;
      if (typeof left === "boolean" && typeof middle === "boolean" && typeof right === "boolean") return right;
      return firstFault(operator, [left, middle, right], at);
    };
  }
  return (scope) => {
    let fault: unknown;
    for (const term of terms) {
      const value = term(scope);
      if (value === decisive) return decisive;
      if (typeof value !== "boolean" && fault === undefined) fault = value;
    }
    return fault === undefined ? !decisive : firstFault(operator, [fault], at);
  };
}

/** The failure of the first term that is no bool. */
function firstFault(operator: string, values: readonly unknown[], at: number): CelFailure {
  const fault = values.find((value) => typeof value !== "boolean");
  return fault instanceof CelFailure ? fault : noOverload(operator, [fault], at);
}

/** `!`. */
export function emitNot(operand: Evaluate, at: number): Evaluate {
  return (scope) => {
    const value = operand(scope);
    return typeof value === "boolean" ? !value : noOverload("!", [value], at);
  };
}
