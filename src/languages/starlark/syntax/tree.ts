/** Owns the syntax tree of a script. Positions are UTF-16 offsets into its text. */

import type { FunctionScope } from "../resolve/scope.ts";
import type { Binding } from "../resolve/binding.ts";

/** What every node has: where it begins and ends, and the place its failures are reported at. */
interface Node {
  readonly start: number;
  readonly end: number;
}

/** A name, whether read or bound. The resolver fills in what it stands for. */
export interface Name extends Node {
  readonly kind: "name";
  readonly name: string;
  binding: Binding | undefined;
}

/** A number, string or bytes literal, decoded. */
export interface Literal extends Node {
  readonly kind: "literal";
  readonly value: LiteralValue;
}

/** Decoded literals; a float is marked, as an integral one would look like an int. */
export type LiteralValue =
  | { readonly type: "string"; readonly text: string }
  | { readonly type: "bytes"; readonly bytes: Uint8Array }
  | { readonly type: "int"; readonly int: number | bigint }
  | { readonly type: "float"; readonly float: number };

/** `[a, b]` or `(a, b)` or `a, b`. */
export interface Sequence extends Node {
  readonly kind: "list" | "tuple";
  readonly items: readonly Expression[];
}

/** `{key: value}`. */
export interface DictDisplay extends Node {
  readonly kind: "dict";
  readonly entries: readonly { readonly key: Expression; readonly value: Expression; readonly colon: number }[];
}

/** `-x`, `+x`, `~x`, `not x`. */
export interface Unary extends Node {
  readonly kind: "unary";
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

/** Operators of {@linkcode Unary}. */
export type UnaryOperator = "-" | "+" | "~" | "not";

/** Operators of {@linkcode Binary} that compute a value from two. */
export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "//"
  | "%"
  | "&"
  | "|"
  | "^"
  | "<<"
  | ">>"
  | "=="
  | "!="
  | "<"
  | ">"
  | "<="
  | ">="
  | "in"
  | "not in";

/** `a + b`, `a in b` and the like. `site` is the operator's place. */
export interface Binary extends Node {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly site: number;
}

/** `a and b`, `a or b`. */
export interface Logical extends Node {
  readonly kind: "logical";
  readonly operator: "and" | "or";
  readonly left: Expression;
  readonly right: Expression;
}

/** `a if test else b`. */
export interface Conditional extends Node {
  readonly kind: "conditional";
  readonly test: Expression;
  readonly yes: Expression;
  readonly no: Expression;
}

/** `target.name`. `site` is the dot's place. */
export interface Attribute extends Node {
  readonly kind: "attribute";
  readonly target: Expression;
  readonly name: string;
  readonly site: number;
}

/** `target[index]`. `site` is the bracket's place. */
export interface Index extends Node {
  readonly kind: "index";
  readonly target: Expression;
  readonly index: Expression;
  readonly site: number;
}

/** `target[low:high:step]`. */
export interface Slice extends Node {
  readonly kind: "slice";
  readonly target: Expression;
  readonly low: Expression | undefined;
  readonly high: Expression | undefined;
  readonly step: Expression | undefined;
  readonly site: number;
}

/** One argument of a call. */
export interface Argument extends Node {
  readonly form: "positional" | "named" | "sequence" | "mapping";
  readonly name: string;
  readonly value: Expression;
}

/** `callee(arguments)`. `site` is the parenthesis's place. */
export interface Call extends Node {
  readonly kind: "call";
  readonly callee: Expression;
  readonly arguments: readonly Argument[];
  readonly site: number;
}

/** One clause of a comprehension. */
export type Clause =
  | { readonly form: "for"; readonly target: Expression; readonly source: Expression; readonly site: number }
  | { readonly form: "if"; readonly test: Expression };

/** `[item for ...]` or `{key: item for ...}`. */
export interface Comprehension extends Node {
  readonly kind: "comprehension";
  /** The key of a dict comprehension; undefined for a list. */
  readonly key: Expression | undefined;
  readonly item: Expression;
  readonly clauses: readonly Clause[];
  readonly site: number;
}

/** One parameter of a function. */
export interface Parameter extends Node {
  readonly form: "plain" | "sequence" | "mapping" | "separator";
  readonly name: Name | undefined;
  readonly fallback: Expression | undefined;
}

/** What `def` and `lambda` share. A lambda's body is one return statement. */
export interface FunctionNode extends Node {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
  readonly isLambda: boolean;
  readonly site: number;
  scope: FunctionScope | undefined;
}

/** `lambda x: e`. */
export interface Lambda extends Node {
  readonly kind: "lambda";
  readonly function: FunctionNode;
}

/** Whatever has a value. */
export type Expression =
  | Name
  | Literal
  | Sequence
  | DictDisplay
  | Unary
  | Binary
  | Logical
  | Conditional
  | Attribute
  | Index
  | Slice
  | Call
  | Comprehension
  | Lambda;

/** An expression for its effect. */
export interface ExpressionStatement extends Node {
  readonly kind: "expression";
  readonly value: Expression;
}

/** `target = value`, or `target += value` when there is an operator. `site` is the operator's place. */
export interface Assignment extends Node {
  readonly kind: "assignment";
  readonly target: Expression;
  readonly operator: BinaryOperator | undefined;
  readonly value: Expression;
  readonly site: number;
}

/** `def name(parameters): body`. */
export interface Definition extends Node {
  readonly kind: "definition";
  readonly name: Name;
  readonly function: FunctionNode;
}

/** `if test: body else: otherwise`; an `elif` is one more branch. */
export interface If extends Node {
  readonly kind: "if";
  readonly branches: readonly { readonly test: Expression; readonly body: readonly Statement[] }[];
  readonly otherwise: readonly Statement[];
}

/** `for target in source: body`. */
export interface For extends Node {
  readonly kind: "for";
  readonly target: Expression;
  readonly source: Expression;
  readonly body: readonly Statement[];
}

/** `while test: body`: parsed so that the resolver can say that it is not allowed. */
export interface While extends Node {
  readonly kind: "while";
  readonly test: Expression;
  readonly body: readonly Statement[];
}

/** `return value`. */
export interface Return extends Node {
  readonly kind: "return";
  readonly value: Expression | undefined;
}

/** `break`, `continue`, `pass`. */
export interface Jump extends Node {
  readonly kind: "break" | "continue" | "pass";
}

/** `load("module", "name", local="name")`. */
export interface Load extends Node {
  readonly kind: "load";
  readonly module: string;
  readonly moduleStart: number;
  readonly names: readonly { readonly local: Name; readonly from: string; readonly start: number }[];
}

/** Whatever stands on a line of its own. */
export type Statement =
  | ExpressionStatement
  | Assignment
  | Definition
  | If
  | For
  | While
  | Return
  | Jump
  | Load;
