/** Owns the tree an expression is compiled from: names resolved, macros recognised, every call known to exist. */

/** Two operands, both evaluated first. */
export type CelBinaryOperator = "+" | "-" | "*" | "/" | "%" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "in";

/** The macros that go over a list or the keys of a map. `filter` is a `map` to the element itself. */
export type CelMacro = "all" | "exists" | "exists_one" | "map";

/** A node. `at` is the offset in the source, in UTF-16 units, of its operator or name. */
export type CelNode = { readonly at: number } & CelNodeKind;

/** A macro over a range. `map` has a `step` and may have a `test`, the others have a `test` only. */
export interface CelFold {
  readonly kind: "fold";
  readonly macro: CelMacro;
  readonly range: CelNode;
  /** Where the element stands while `test` and `step` are evaluated; no other fold of the expression has the number. */
  readonly slot: number;
  readonly test: CelNode | undefined;
  readonly step: CelNode | undefined;
}

type CelNodeKind =
  | { readonly kind: "constant"; readonly value: unknown }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "local"; readonly slot: number; readonly name: string }
  | { readonly kind: "select"; readonly operand: CelNode; readonly field: string }
  | { readonly kind: "has"; readonly operand: CelNode; readonly field: string }
  | { readonly kind: "index"; readonly operand: CelNode; readonly key: CelNode }
  | { readonly kind: "and" | "or"; readonly terms: readonly CelNode[] }
  | { readonly kind: "not" | "negate"; readonly operand: CelNode }
  | { readonly kind: "conditional"; readonly test: CelNode; readonly yes: CelNode; readonly no: CelNode }
  | {
    readonly kind: "binary";
    readonly operator: CelBinaryOperator;
    readonly left: CelNode;
    readonly right: CelNode;
  }
  | { readonly kind: "call"; readonly name: string; readonly isMethod: boolean; readonly operands: readonly CelNode[] }
  | { readonly kind: "list"; readonly items: readonly CelNode[] }
  | { readonly kind: "map"; readonly entries: readonly (readonly [CelNode, CelNode])[] }
  | CelFold
  /** What never has a value: a name or function that does not exist, where the caller asked to find that out late. */
  | { readonly kind: "failure"; readonly reason: string };

/** The nodes directly below a node. */
export function celChildren(node: CelNode): readonly CelNode[] {
  switch (node.kind) {
    case "select":
    case "has":
    case "not":
    case "negate":
      return [node.operand];
    case "index":
      return [node.operand, node.key];
    case "and":
    case "or":
      return node.terms;
    case "conditional":
      return [node.test, node.yes, node.no];
    case "binary":
      return [node.left, node.right];
    case "call":
      return node.operands;
    case "list":
      return node.items;
    case "map":
      return node.entries.flat();
    case "fold":
      return [node.range, node.test, node.step].filter((child) => child !== undefined);
    default:
      return [];
  }
}
