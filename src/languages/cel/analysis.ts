/** Owns what can be told of an expression without evaluating it: what it reads, must hold, and can never give. */

import { celChildren, type CelNode } from "./node.ts";

/** An equality that must hold for an expression to be true. */
export interface CelEquality {
  readonly path: string;
  readonly value: string | number | boolean;
}

/** Arithmetic that never evaluates, and what to write instead. */
export interface CelIntArithmetic {
  readonly offset: number;
  readonly suggestion: string;
}

const IDENTIFIER_REGEXP = /^[A-Za-z_][A-Za-z0-9_]*$/;
const ARITHMETIC: ReadonlySet<string> = new Set(["%", "*", "+", "-", "/"]);

/** The paths an expression reads, each once, in the order of the text. */
export function celReads(root: CelNode): readonly string[] {
  const reads: string[] = [];
  const visit = (node: CelNode): void => {
    const path = pathOf(node);
    if (path === undefined) celChildren(node).forEach(visit);
    else if (!reads.includes(path)) reads.push(path);
    // A key that is computed reads something itself.
    if (path !== undefined) computedKeys(node).forEach(visit);
  };
  visit(root);
  return reads;
}

/**
 * `payload.a.b`, `meta["x"]` and such as a path. Where an element is chosen by number or by what is computed, the path
 * ends before it. Undefined for a node that does not start at a variable.
 */
function pathOf(node: CelNode): string | undefined {
  switch (node.kind) {
    case "variable":
      return node.name;
    case "select":
    case "has":
      return extend(node.operand, node.field);
    case "index":
      if (node.key.kind === "constant" && typeof node.key.value === "string") {
        return extend(node.operand, node.key.value);
      }
      return pathOf(node.operand);
    default:
      return undefined;
  }
}

function extend(operand: CelNode, field: string): string | undefined {
  const path = pathOf(operand);
  if (path === undefined || !isExact(operand)) return path;
  return IDENTIFIER_REGEXP.test(field) ? `${path}.${field}` : `${path}[${JSON.stringify(field)}]`;
}

/** Whether the path of a node says all of it: no element chosen on the way. */
function isExact(node: CelNode): boolean {
  switch (node.kind) {
    case "select":
    case "has":
      return isExact(node.operand);
    case "index":
      return node.key.kind === "constant" && typeof node.key.value === "string" && isExact(node.operand);
    default:
      return true;
  }
}

function computedKeys(node: CelNode): readonly CelNode[] {
  switch (node.kind) {
    case "select":
    case "has":
      return computedKeys(node.operand);
    case "index":
      return [...computedKeys(node.operand), ...(node.key.kind === "constant" ? [] : [node.key])];
    default:
      return [];
  }
}

/** The equalities without which the expression cannot be true. */
export function celEqualities(root: CelNode): readonly CelEquality[] {
  if (root.kind === "and") return root.terms.flatMap(celEqualities);
  if (root.kind === "not") return flag(root.operand, false);
  if (root.kind !== "binary") return flag(root, true);
  if (root.operator === "==") return equality(root.left, root.right) ?? equality(root.right, root.left) ?? [];
  return [];
}

function flag(node: CelNode, value: boolean): readonly CelEquality[] {
  const isRead = node.kind === "select" || node.kind === "index";
  const path = isRead && isExact(node) ? pathOf(node) : undefined;
  return path === undefined ? [] : [{ path, value }];
}

function equality(read: CelNode, constant: CelNode): readonly CelEquality[] | undefined {
  const path = isExact(read) && read.kind !== "has" ? pathOf(read) : undefined;
  if (path === undefined || constant.kind !== "constant") return undefined;
  const value = typeof constant.value === "bigint" ? Number(constant.value) : constant.value;
  if (typeof value === "number" && typeof constant.value === "bigint" && !Number.isSafeInteger(value)) return undefined;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return [{ path, value }];
  return undefined;
}

/**
 * Arithmetic between a number of the message, which is a double, and an int. The offset is that of the int literal; the
 * suggestion is what to put in its place, or for `%`, which doubles do not have, in place of the whole term.
 */
export function celIntArithmetic(root: CelNode): readonly CelIntArithmetic[] {
  const found: CelIntArithmetic[] = [];
  const visit = (node: CelNode, elements: ReadonlySet<number>): void => {
    if (node.kind === "binary" && ARITHMETIC.has(node.operator)) {
      const literal = isIntLiteral(node.right) ? node.right : isIntLiteral(node.left) ? node.left : undefined;
      const other = literal === node.right ? node.left : node.right;
      if (literal !== undefined && isDouble(other, elements)) {
        found.push({
          offset: literal.at,
          suggestion: suggestion(node.operator, literal, other, node.left === literal),
        });
      }
    }
    const inner = node.kind === "fold" && isDouble(node.range, elements) ? new Set([...elements, node.slot]) : elements;
    for (const child of celChildren(node)) visit(child, inner);
  };
  visit(root, new Set());
  return found;
}

type IntLiteral = CelNode & { readonly kind: "constant"; readonly value: unknown };

function isIntLiteral(node: CelNode): node is IntLiteral {
  return node.kind === "constant" && typeof node.value === "bigint";
}

/** Whether a number found here is surely a double: read from data, or computed from what is. */
function isDouble(node: CelNode, elements: ReadonlySet<number>): boolean {
  switch (node.kind) {
    case "variable":
      return true;
    case "local":
      return elements.has(node.slot);
    case "constant":
      return typeof node.value === "number";
    case "select":
    case "index":
      return isDouble(node.operand, elements);
    case "negate":
      return isDouble(node.operand, elements);
    case "binary":
      return ARITHMETIC.has(node.operator) && isDouble(node.left, elements) && isDouble(node.right, elements);
    case "call":
      return node.name === "double" ||
        (node.name === "dyn" && node.operands.every((child) => isDouble(child, elements)));
    default:
      return false;
  }
}

function suggestion(operator: string, literal: IntLiteral, other: CelNode, isLiteralFirst: boolean): string {
  if (operator !== "%") return `${literal.value}.0`;
  const converted = `int(${pathOf(other) ?? "..."})`;
  return isLiteralFirst ? `${literal.value} % ${converted}` : `${converted} % ${literal.value}`;
}
