/** Owns what is wrong with a text that is grammatical: functions there are not, and casts that can never succeed. */

import { didYouMeanOneOf, quotedText } from "../../base/mod.ts";
import { CostMeter } from "../cost_meter.ts";
import type { LanguageIssue } from "../scope.ts";
import { CESQL_FUNCTION_NAMES, cesqlArityText, findCesqlFunction } from "./functions.ts";
import { cesqlChildren, type CesqlNode } from "./node.ts";
import { typeOfCesql } from "./static_type.ts";
import { castCesql, castExplanation, type CesqlType } from "./value.ts";

const ORDER_HINT = "< <= > >= compare whole numbers only; text is compared by = and LIKE";

/**
 * What is wrong with a tree, whatever the message: an evaluation that came there would have an error each time. A tree
 * that `isWhole` is not may lack arguments that were written.
 */
export function checkCesql(root: CesqlNode, isWhole: boolean): readonly LanguageIssue[] {
  const issues: LanguageIssue[] = [];
  const visit = (node: CesqlNode): void => {
    issues.push(...(node.kind === "call" ? checkCall(node, isWhole) : checkNode(node)));
    for (const child of cesqlChildren(node)) visit(child);
  };
  visit(root);
  return issues;
}

function checkNode(node: CesqlNode): readonly LanguageIssue[] {
  switch (node.kind) {
    case "not":
      return castIssues(node.operand, "Boolean");
    case "negate":
      return castIssues(node.operand, "Integer");
    case "logic":
      return node.terms.flatMap((term) => castIssues(term, "Boolean"));
    case "arithmetic":
      return [...castIssues(node.left, "Integer"), ...checkDivisor(node.operator, node.right)];
    case "comparison": {
      const isEquality = node.operator === "=" || node.operator === "!=";
      if (isEquality) return castIssues(node.left, typeOfCesql(node.right));
      return [node.left, node.right].flatMap((operand) => castIssues(operand, "Integer", ORDER_HINT));
    }
    case "in":
      return node.items.flatMap((item) => castIssues(item, typeOfCesql(node.operand)));
    default:
      return [];
  }
}

function checkCall(node: CesqlNode & { readonly kind: "call" }, isWhole: boolean): readonly LanguageIssue[] {
  const { name, operands, at } = node;
  const found = findCesqlFunction(name, operands.length);
  if (found !== undefined) {
    return operands.flatMap((operand, index) => {
      const type = found.parameters[index] ?? found.rest;
      return type === "Any" ? castOfAny(found.name, operand) : castIssues(operand, type);
    });
  }
  const place = { offset: at, length: name.length };
  if (!CESQL_FUNCTION_NAMES.has(name.toUpperCase())) {
    const hint = didYouMeanOneOf(name.toUpperCase(), CESQL_FUNCTION_NAMES);
    return [{ message: `there is no function ${quotedText(name)}`, hint, ...place }];
  }
  if (!isWhole) return [];
  const message = `${name.toUpperCase()} takes ${cesqlArityText(name)} arguments, here are ${operands.length}`;
  return [{ message, ...place }];
}

/** `INT('x')` and `BOOL('x')` fail as a cast does. */
function castOfAny(name: string, operand: CesqlNode): readonly LanguageIssue[] {
  return name === "INT" ? castIssues(operand, "Integer") : name === "BOOL" ? castIssues(operand, "Boolean") : [];
}

function checkDivisor(operator: string, divisor: CesqlNode): readonly LanguageIssue[] {
  const issues = castIssues(divisor, "Integer");
  if (operator !== "/" && operator !== "%") return issues;
  const isZero = divisor.kind === "literal" && castCesql(divisor.value, "Integer", meter()) === 0;
  return isZero ? [{ message: "nothing can be divided by zero", offset: divisor.at }] : issues;
}

/** The issue of a literal that cannot be cast to the type wanted; undefined where any type will do. */
function castIssues(node: CesqlNode, type: CesqlType | undefined, hint?: string): readonly LanguageIssue[] {
  if (type === undefined || node.kind !== "literal" || castCesql(node.value, type, meter()) !== undefined) return [];
  const message = `${quotedText(String(node.value))} cannot stand for ${type === "Integer" ? "an" : "a"} ${type}: ` +
    castExplanation(type);
  return [{ message, offset: node.at, ...(hint === undefined ? {} : { hint }) }];
}

/** Literals are as short as the text is. */
function meter(): CostMeter {
  return new CostMeter({ language: "CESQL", unitsMax: Infinity, hint: "" });
}
