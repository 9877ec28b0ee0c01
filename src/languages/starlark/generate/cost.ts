/** Owns the steps that expressions and statements cost by their form. */

import type { Expression, Statement } from "../syntax/tree.ts";

/** Steps of evaluating an expression once: one for each operation, whichever way a condition goes. */
export function expressionCost(expression: Expression): number {
  switch (expression.kind) {
    case "literal":
    case "name":
      return 0;
    case "list":
    case "tuple":
      return 1 + total(expression.items);
    case "dict":
      return 1 + total(expression.entries.flatMap(({ key, value }) => [key, value])) + expression.entries.length;
    case "unary":
      return 1 + expressionCost(expression.operand);
    case "binary":
    case "logical":
      return 1 + expressionCost(expression.left) + expressionCost(expression.right);
    case "conditional":
      return 1 + total([expression.test, expression.yes, expression.no]);
    case "attribute":
      return 1 + expressionCost(expression.target);
    case "index":
      return 1 + expressionCost(expression.target) + expressionCost(expression.index);
    case "slice":
      return 1 + total([expression.target, expression.low, expression.high, expression.step]);
    case "call":
      return 2 + expressionCost(expression.callee) + total(expression.arguments.map((argument) => argument.value));
    case "comprehension": {
      // The rest of it is paid for by each of its turns.
      const first = expression.clauses[0];
      return 2 + (first?.form === "for" ? expressionCost(first.source) : 0);
    }
    case "lambda":
      return 1 + total(expression.function.parameters.map((parameter) => parameter.fallback));
  }
}

function total(expressions: readonly (Expression | undefined)[]): number {
  let sum = 0;
  for (const expression of expressions) if (expression !== undefined) sum += expressionCost(expression);
  return sum;
}

/** Steps of running a statement once; blocks inside it pay for themselves. */
export function statementCost(statement: Statement): number {
  switch (statement.kind) {
    case "expression":
      return expressionCost(statement.value);
    case "assignment":
      return 1 + expressionCost(statement.value) + expressionCost(statement.target) +
        (statement.operator === undefined ? 0 : 1);
    case "definition":
      return 1 + total(statement.function.parameters.map((parameter) => parameter.fallback));
    case "if":
      return 1 + total(statement.branches.map((branch) => branch.test));
    case "for":
      return 1 + expressionCost(statement.source);
    case "return":
      return 1 + (statement.value === undefined ? 0 : expressionCost(statement.value));
    default:
      return 1;
  }
}
