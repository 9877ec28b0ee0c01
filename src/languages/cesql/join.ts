/** Owns putting two operands and the operator between them together, and how deep a tree nests. */

import {
  type CesqlArithmeticOperator,
  cesqlChildren,
  type CesqlComparisonOperator,
  type CesqlLogicOperator,
  type CesqlNode,
} from "./node.ts";
import type { CesqlToken } from "./token.ts";

/** The node of an operator on two operands. A chain of one logical operator is one node, however long it is. */
export function joinCesql({ text, start: at }: CesqlToken, left: CesqlNode, right: CesqlNode): CesqlNode {
  switch (text) {
    case "AND":
    case "OR":
    case "XOR":
      return joinLogic(text, left, right, at);
    case "<>":
      return { kind: "comparison", operator: "!=", left, right, at };
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return { kind: "arithmetic", operator: text satisfies CesqlArithmeticOperator, left, right, at };
    default:
      // The caller's tables hold no other operators.
      return { kind: "comparison", operator: text as CesqlComparisonOperator, left, right, at };
  }
}

function joinLogic(operator: CesqlLogicOperator, left: CesqlNode, right: CesqlNode, at: number): CesqlNode {
  const isChain = left.kind === "logic" && left.operator === operator;
  // The list of a chain is grown in place: it belongs to the node that is replaced here.
  const terms = isChain ? left.terms as CesqlNode[] : [left];
  terms.push(right);
  return { kind: "logic", operator, terms, at };
}

/** How deep nodes nest. A node is added once all below it are. */
export class CesqlDepths {
  readonly #depths = new WeakMap<CesqlNode, number>();
  readonly #longest = new WeakMap<readonly CesqlNode[], number>();

  /** The depth of a node that was just made; a leaf's is 1. */
  add(node: CesqlNode): number {
    const depth = 1 + (node.kind === "logic" ? this.#ofTerms(node.terms) : this.#below(cesqlChildren(node)));
    this.#depths.set(node, depth);
    return depth;
  }

  /** A growing chain looks at its newest term alone. */
  #ofTerms(terms: readonly CesqlNode[]): number {
    const known = this.#longest.get(terms);
    const depth = known === undefined ? this.#below(terms) : Math.max(known, this.#below(terms.slice(-1)));
    this.#longest.set(terms, depth);
    return depth;
  }

  #below(nodes: readonly CesqlNode[]): number {
    return nodes.reduce((deepest, node) => Math.max(deepest, this.#depths.get(node) ?? 1), 1);
  }
}
