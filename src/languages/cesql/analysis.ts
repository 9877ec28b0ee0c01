/** Owns what can be told of an expression without a message: what it reads, and which equalities it demands. */

import { attributeNames } from "./attribute.ts";
import { cesqlChildren, type CesqlNode } from "./node.ts";

/** An equality that must hold for an expression to be true. */
export interface CesqlEquality {
  readonly path: string;
  readonly value: string;
}

/** Text that a number, a truth value, a list or a mapping may be equal to as well: nothing follows from being equal to it. */
const AMBIGUOUS_REGEXP = /^(?:[+-]?[0-9.]+|true|false|[[{][^]*)$/i;

/** Dotted paths of all that is read, each once. */
export function cesqlReads(root: CesqlNode): readonly string[] {
  const reads = new Set<string>();
  const visit = (node: CesqlNode): void => {
    if (node.kind === "attribute") { for (const name of attributeNames(node.name)) reads.add(`meta.${name}`); }
    if (node.kind === "data") reads.add(["payload", ...node.path].join("."));
    for (const child of cesqlChildren(node)) visit(child);
  };
  visit(root);
  return [...reads];
}

/**
 * Equalities with text that must hold for the expression to be true: alone or joined by `AND`. Those that casts make
 * true for values of several types are left out.
 */
export function cesqlEqualities(root: CesqlNode): readonly CesqlEquality[] {
  if (root.kind === "logic" && root.operator === "AND") return root.terms.flatMap(cesqlEqualities);
  if (root.kind !== "comparison" || root.operator !== "=") return [];
  return [...equality(root.left, root.right), ...equality(root.right, root.left)];
}

function equality(read: CesqlNode, literal: CesqlNode): readonly CesqlEquality[] {
  if (literal.kind !== "literal" || typeof literal.value !== "string") return [];
  if (AMBIGUOUS_REGEXP.test(literal.value)) return [];
  const { value } = literal;
  if (read.kind === "data" && read.path.length > 0) return [{ path: ["payload", ...read.path].join("."), value }];
  if (read.kind !== "attribute") return [];
  const [name, other] = attributeNames(read.name);
  return name === undefined || other !== undefined ? [] : [{ path: `meta.${name}`, value }];
}
