/** Owns the JavaScript of comparisons with what is written out: most are settled right where they stand. */

import { FREE_KEY_CHARACTERS } from "../operations/paid_key.ts";
import type { Binary, Expression } from "../syntax/tree.ts";

/** Operators of comparison by the function that does it the general way. */
const COMPARISONS: { readonly [operator: string]: string } = {
  "==": "equal",
  "!=": "!equal",
  "<": "less",
  ">": "greater",
  "<=": "atMost",
  ">=": "atLeast",
};
/** What an operator becomes when its operands change places. */
const MIRRORED: { readonly [operator: string]: string } = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };
/** Values that are one and the same wherever they are. */
const SINGLE_VALUES: ReadonlySet<string> = new Set(["None", "True", "False"]);

/** How the operands of a comparison are generated. */
export interface OperandCode {
  /** JavaScript with the value of an operand. */
  readonly value: (operand: Expression) => string;
  /** A variable that nothing else uses between two operands. */
  readonly scratch: () => string;
  readonly site: string;
}

/** The number that an int or a float is written as, when JavaScript writes it too. */
export function writtenNumber(expression: Expression): number | undefined {
  if (expression.kind === "unary" && expression.operator === "-") {
    const number = writtenNumber(expression.operand);
    return number === undefined || number === 0 ? undefined : -number;
  }
  if (expression.kind !== "literal") return undefined;
  const { value } = expression;
  const number = value.type === "int" ? value.int : value.type === "float" ? value.float : undefined;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** Whether equality with the expression's value is JavaScript's, and never has a price. */
function isSingle(expression: Expression): boolean {
  if (expression.kind === "name") return isSingleName(expression);
  if (expression.kind !== "literal") return false;
  return expression.value.type === "string" && expression.value.text.length <= FREE_KEY_CHARACTERS;
}

/** Whether the expression is `True` or `False`. */
export function isWrittenBoolean(expression: Expression): boolean {
  return isSingleName(expression) && expression.name !== "None";
}

function isSingleName(expression: Expression): expression is Extract<Expression, { kind: "name" }> {
  return expression.kind === "name" && expression.binding?.place === "universal" && SINGLE_VALUES.has(expression.name);
}

/** JavaScript of a comparison one operand of which is written out; undefined for all else. */
export function knownComparison({ operator, left, right }: Binary, code: OperandCode): string | undefined {
  const general = COMPARISONS[operator];
  if (general === undefined) return undefined;
  const isEquality = operator === "==" || operator === "!=";
  if (isEquality && (isSingle(left) || isSingle(right))) {
    return `(${code.value(left)} ${operator === "==" ? "===" : "!=="} ${code.value(right)})`;
  }
  const [low, high] = [writtenNumber(left), writtenNumber(right)];
  const number = high ?? low;
  if (number === undefined) return undefined;
  const value = code.value(high === undefined ? right : left);
  const written = code.value(high === undefined ? left : right);
  const scratch = code.scratch();
  const operands = high === undefined ? `${written}, ${scratch}` : `${scratch}, ${written}`;
  const test = testWith(scratch, high === undefined ? MIRRORED[operator] ?? operator : operator, number);
  return `(typeof (${scratch} = ${value}) === "number" ? ${test} : ${general}(${operands}, T, ${code.site}))`;
}

/** A number's comparison with one that is no NaN, behind which NaN comes: what JavaScript denies of it holds. */
function testWith(variable: string, operator: string, number: number): string {
  switch (operator) {
    case ">":
      return `!(${variable} <= ${number})`;
    case ">=":
      return `!(${variable} < ${number})`;
    case "==":
      return `${variable} === ${number}`;
    case "!=":
      return `${variable} !== ${number}`;
    default:
      return `${variable} ${operator} ${number}`;
  }
}
