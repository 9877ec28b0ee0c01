/** Owns the syntax tree of CESQL. */

import type { CesqlValue } from "./value.ts";

/** An attribute of the event: a key of meta, as it was written. */
export interface CesqlAttribute {
  readonly kind: "attribute";
  readonly name: string;
  readonly at: number;
}

/** A value of the payload: `data` is the payload itself, `data.a.b` has two steps. */
export interface CesqlData {
  readonly kind: "data";
  readonly path: readonly string[];
  readonly at: number;
}

/** The operators on two numbers that give one. */
export type CesqlArithmeticOperator = "+" | "-" | "*" | "/" | "%";

/** The operators that compare; `<>` is written `!=` here. */
export type CesqlComparisonOperator = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** The operators on two truth values, all of one precedence. */
export type CesqlLogicOperator = "AND" | "OR" | "XOR";

/** A node of the tree. `at` is the offset of the token that makes it what it is, and no two nodes share one. */
export type CesqlNode =
  | { readonly kind: "literal"; readonly value: CesqlValue; readonly at: number }
  | CesqlAttribute
  | CesqlData
  | { readonly kind: "exists"; readonly operand: CesqlAttribute | CesqlData; readonly at: number }
  | { readonly kind: "not" | "negate"; readonly operand: CesqlNode; readonly at: number }
  | {
    readonly kind: "logic";
    readonly operator: CesqlLogicOperator;
    readonly terms: readonly CesqlNode[];
    readonly at: number;
  }
  | {
    readonly kind: "arithmetic";
    readonly operator: CesqlArithmeticOperator;
    readonly left: CesqlNode;
    readonly right: CesqlNode;
    readonly at: number;
  }
  | {
    readonly kind: "comparison";
    readonly operator: CesqlComparisonOperator;
    readonly left: CesqlNode;
    readonly right: CesqlNode;
    readonly at: number;
  }
  | {
    readonly kind: "like";
    readonly operand: CesqlNode;
    readonly pattern: string;
    readonly isNegated: boolean;
    readonly at: number;
  }
  | {
    readonly kind: "in";
    readonly operand: CesqlNode;
    readonly items: readonly CesqlNode[];
    readonly isNegated: boolean;
    readonly at: number;
  }
  | { readonly kind: "call"; readonly name: string; readonly operands: readonly CesqlNode[]; readonly at: number };

/** The nodes right below a node, in the order of the text. */
export function cesqlChildren(node: CesqlNode): readonly CesqlNode[] {
  switch (node.kind) {
    case "literal":
    case "attribute":
    case "data":
      return [];
    case "exists":
    case "not":
    case "negate":
    case "like":
      return [node.operand];
    case "logic":
      return node.terms;
    case "arithmetic":
    case "comparison":
      return [node.left, node.right];
    case "in":
      return [node.operand, ...node.items];
    case "call":
      return node.operands;
  }
}
