/** Owns the steps that expressions and statements cost by their form. */

import type { Comprehension, Expression, Statement } from "../syntax/tree.ts";

/** Values that a display, a call or an unpacking names and that cost nothing to evaluate; one step pays for so many. */
const STEP_NAMED = 8;

/** Steps of evaluating an expression once: one for each operation, whichever way a condition goes. */
export function expressionCost(expression: Expression): number {
  switch (expression.kind) {
    case "literal":
    case "name":
      return 0;
    case "list":
    case "tuple":
      return 1 + named(expression.items.length) + total(expression.items);
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
    case "call": {
      const given = expression.arguments.map((argument) => argument.value);
      return 2 + named(given.length) + expressionCost(expression.callee) + total(given);
    }
    case "comprehension": {
      // The rest of it is paid for by each of its turns.
      const first = expression.clauses[0];
      const room = named(total([expression.key, expression.item]));
      return 2 + room + (first?.form === "for" ? expressionCost(first.source) : 0);
    }
    case "lambda": {
      const { parameters } = expression.function;
      return 1 + named(parameters.length) + total(parameters.map((parameter) => parameter.fallback));
    }
  }
}

function named(count: number): number {
  return Math.floor(count / STEP_NAMED);
}

function total(expressions: readonly (Expression | undefined)[]): number {
  let sum = 0;
  for (const expression of expressions) if (expression !== undefined) sum += expressionCost(expression);
  return sum;
}

/**
 * Steps of one turn of a comprehension's clause: its target, the conditions up to the next `for`, and what comes then:
 * opening that one, or making the item.
 */
export function turnCost(clauses: Comprehension["clauses"], at: number, { key, item }: Comprehension): number {
  const clause = clauses[at];
  let cost = 2 + (clause?.form === "for" ? expressionCost(clause.target) : 0);
  for (const next of clauses.slice(at + 1)) {
    if (next.form === "for") return cost + 1 + expressionCost(next.source);
    cost += 1 + expressionCost(next.test);
  }
  return cost + total([key, item]);
}

/** Steps of running a statement once; blocks inside it pay for themselves. */
export function statementCost(statement: Statement): number {
  switch (statement.kind) {
    case "expression":
      return 1 + expressionCost(statement.value);
    case "assignment":
      return 1 + expressionCost(statement.value) + expressionCost(statement.target) +
        (statement.operator === undefined ? 0 : 1);
    case "definition": {
      const { parameters } = statement.function;
      return 1 + named(parameters.length) + total(parameters.map((parameter) => parameter.fallback));
    }
    case "if":
      return statement.branches.length + total(statement.branches.map((branch) => branch.test));
    case "for":
      return 1 + expressionCost(statement.source);
    case "return":
      return 1 + (statement.value === undefined ? 0 : expressionCost(statement.value));
    default:
      return 1;
  }
}

/** Steps of entering a function for the variables it has, whether they are used or not. */
export function frameCost(variables: number): number {
  return named(variables);
}
