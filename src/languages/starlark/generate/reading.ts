/** Owns the question whether a script can only read: then nothing that came with a message is ever changed by it. */

import { mayChangeReceiver } from "../library/methods.ts";
import type { Binding } from "../resolve/binding.ts";
import type { Expression, FunctionNode, Statement } from "../syntax/tree.ts";

/** Functions of the language that change what they are given, or find methods whose names are not written out. */
const CHANGING_FUNCTIONS: ReadonlySet<string> = new Set(["getattr", "remove"]);

/**
 * Whether no statement, call or method of a script can change a list, dict or set, nor bind `payload` or `meta` again:
 * told by the text alone, so that "no" may be wrong and "yes" never is.
 */
export function onlyReads(statements: readonly Statement[]): boolean {
  return statements.every(readsInStatement);
}

function readsInStatement(statement: Statement): boolean {
  switch (statement.kind) {
    case "expression":
      return reads(statement.value);
    case "assignment":
      // What is added to a list or dict by an operator of assignment goes into it.
      if (statement.operator === "+" || statement.operator === "|") return false;
      return bindsNames(statement.target) && reads(statement.value);
    case "definition":
      return readsInFunction(statement.function);
    case "if":
      return statement.branches.every(({ test, body }) => reads(test) && onlyReads(body)) &&
        onlyReads(statement.otherwise);
    case "for":
      return bindsNames(statement.target) && reads(statement.source) && onlyReads(statement.body);
    case "return":
      return statement.value === undefined || reads(statement.value);
    case "break":
    case "continue":
    case "pass":
    case "load":
      return true;
    case "while":
      return false;
  }
}

function readsInFunction(node: FunctionNode): boolean {
  return node.parameters.every(({ fallback }) => fallback === undefined || reads(fallback)) && onlyReads(node.body);
}

/** Whether a target is made of names that a script has for itself. */
function bindsNames(target: Expression): boolean {
  if (target.kind === "list" || target.kind === "tuple") return target.items.every(bindsNames);
  return target.kind === "name" && isOwn(target.binding);
}

function isOwn(binding: Binding | undefined): boolean {
  return binding?.place === "global" || binding?.place === "local";
}

function reads(expression: Expression | undefined): boolean {
  switch (expression?.kind) {
    case undefined:
    case "literal":
      return true;
    case "name":
      return isOwn(expression.binding) || !CHANGING_FUNCTIONS.has(expression.name);
    case "attribute":
      return !mayChangeReceiver(expression.name) && reads(expression.target);
    case "lambda":
      return readsInFunction(expression.function);
    case "comprehension":
      return reads(expression.key) && reads(expression.item) && expression.clauses.every((clause) => {
        return clause.form === "if" ? reads(clause.test) : bindsNames(clause.target) && reads(clause.source);
      });
    case "list":
    case "tuple":
      return expression.items.every(reads);
    case "dict":
      return expression.entries.every(({ key, value }) => reads(key) && reads(value));
    case "unary":
      return reads(expression.operand);
    case "binary":
    case "logical":
      return reads(expression.left) && reads(expression.right);
    case "conditional":
      return reads(expression.test) && reads(expression.yes) && reads(expression.no);
    case "index":
      return reads(expression.target) && reads(expression.index);
    case "slice":
      return [expression.target, expression.low, expression.high, expression.step].every(reads);
    case "call":
      return reads(expression.callee) && expression.arguments.every(({ value }) => reads(value));
  }
}
