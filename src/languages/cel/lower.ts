/** Owns the way from the library's syntax tree to ours: names resolved, macros recognised, calls checked. */

import type { Expr, Expr_Call, Expr_Comprehension, Expr_Select } from "@bufbuild/cel-spec/cel/expr/syntax_pb.js";
import { nearestName } from "../../base/mod.ts";
import type { LanguageIssue } from "../scope.ts";
import { findCelFunction } from "./functions.ts";
import { CEL_ISSUES_MAX } from "./limits.ts";
import type { CelBinaryOperator, CelMacro, CelNode } from "./node.ts";
import { patternFault } from "./pattern.ts";
import { parseDuration, parseTimestamp } from "./time.ts";
import { asInt, CelFailure, type CelKind, CelType, CelUint } from "./value.ts";

/** Which names an expression may use. */
export interface CelNaming {
  /** Variables, perhaps qualified (`a.b`): the longest name that fits wins. */
  readonly variables: ReadonlySet<string>;
  /** Names are looked up inside this qualifier first; empty for none. */
  readonly container: string;
  /** Names and functions that do not exist are failures of evaluation instead of issues. */
  readonly isLate: boolean;
}

/** What lowering needs beside the tree. */
export interface CelLowering extends CelNaming {
  readonly source: string;
  /** Offset of each node by its id. */
  readonly positions: { readonly [id: string]: number };
  /** Fields that stood in back-quotes, by the name that stands for them in the tree. */
  readonly quotedFields: ReadonlyMap<string, string>;
}

const TYPES: ReadonlySet<string> = new Set<CelKind>([
  "bool",
  "bytes",
  "double",
  "google.protobuf.Duration",
  "google.protobuf.Timestamp",
  "int",
  "list",
  "map",
  "null_type",
  "string",
  "type",
  "uint",
]);

/** By name in a map: an object would have names of its own, such as `constructor`, which an author may write. */
const BINARY_FUNCTIONS: ReadonlyMap<string, CelBinaryOperator> = new Map<string, CelBinaryOperator>([
  ["@in", "in"],
  ["_!=_", "!="],
  ["_%_", "%"],
  ["_*_", "*"],
  ["_+_", "+"],
  ["_-_", "-"],
  ["_/_", "/"],
  ["_<=_", "<="],
  ["_<_", "<"],
  ["_==_", "=="],
  ["_>=_", ">="],
  ["_>_", ">"],
]);

/** A name other implementations keep for themselves: an expression that uses it would not be portable. */
const ACCUMULATOR = "__result__";

/** Lowers a tree. The node is only to be used when there are no issues. */
export function lowerCel(
  expr: Expr | undefined,
  lowering: CelLowering,
): { readonly root: CelNode; readonly issues: readonly LanguageIssue[] } {
  const lowerer = new Lowerer(lowering);
  const root = lowerer.lower(expr);
  return { root, issues: lowerer.issues };
}

class Lowerer {
  readonly issues: LanguageIssue[] = [];
  readonly #input: CelLowering;
  readonly #locals: { readonly name: string; readonly slot: number }[] = [];
  #slots = 0;

  constructor(input: CelLowering) {
    this.#input = input;
  }

  lower(expr: Expr | undefined): CelNode {
    const at = this.#position(expr);
    const kind = expr?.exprKind;
    switch (kind?.case) {
      case "constExpr":
        return this.#constant(kind.value.constantKind, at);
      case "identExpr":
        return this.#qualified([kind.value.name], at) ?? this.#unknown(kind.value.name, at);
      case "selectExpr":
        return this.#select(kind.value, at);
      case "callExpr":
        return this.#call(kind.value, at);
      case "listExpr":
        return { kind: "list", at, items: kind.value.elements.map((element) => this.lower(element)) };
      case "structExpr":
        if (kind.value.messageName !== "") {
          return this.#messages(kind.value.messageName, at);
        }
        return { kind: "map", at, entries: kind.value.entries.map((entry) => this.#entry(entry.keyKind, entry.value)) };
      case "comprehensionExpr":
        return this.#fold(kind.value, at);
      default:
        return this.#refuse("this part of the expression is of a kind that is not offered", { at });
    }
  }

  #position(expr: Expr | undefined): number {
    return this.#input.positions[String(expr?.id)] ?? 0;
  }

  #constant(constant: { readonly case?: string | undefined; readonly value?: unknown }, at: number): CelNode {
    const value = constant.value;
    switch (constant.case) {
      case "nullValue":
        return { kind: "constant", at, value: null };
      case "uint64Value":
        return { kind: "constant", at, value: new CelUint(value as bigint) };
      case "int64Value":
        if (asInt(value) === undefined) return this.#refuse(`the integer ${value} does not fit in 64 bits`, { at });
        return { kind: "constant", at, value };
      case "doubleValue":
        if (!Number.isFinite(value)) return this.#refuse("the number does not fit a double", { at });
    }
    return { kind: "constant", at, value };
  }

  #entry(key: { readonly case?: string | undefined; readonly value?: unknown }, value: Expr | undefined) {
    return [this.lower(key.value as Expr | undefined), this.lower(value)] as const;
  }

  /** A name, qualified or not, as local, variable or type; undefined when it is none of them. */
  #qualified(path: readonly string[], at: number): CelNode | undefined {
    const name = path.join(".");
    // A leading dot, which the tree does not keep, passes by the locals and the container.
    const isAbsolute = this.#input.source[at] === ".";
    if (!isAbsolute && path.length === 1) {
      const found = this.#locals.findLast((candidate) => candidate.name === name);
      if (found !== undefined) return local(found, at);
    }
    const { container, variables } = this.#input;
    const candidates = [name];
    if (!isAbsolute) {
      for (let outer = container; outer !== ""; outer = outer.slice(0, Math.max(0, outer.lastIndexOf(".")))) {
        candidates.splice(-1, 0, `${outer}.${name}`);
      }
    }
    const variable = candidates.find((candidate) => variables.has(candidate));
    if (variable !== undefined) return { kind: "variable", at, name: variable };
    return TYPES.has(name) ? { kind: "constant", at, value: new CelType(name as CelKind) } : undefined;
  }

  #unknown(name: string, at: number): CelNode {
    const known = [...this.#input.variables, ...this.#locals.map((local) => local.name)];
    const nearest = nearestName(name, known);
    const hint = nearest === undefined ? `an expression sees ${known.join(", ")}` : `did you mean "${nearest}"?`;
    return this.#missing(`there is no variable "${name}"`, { at, length: name.length, hint });
  }

  #select(select: Expr_Select, at: number): CelNode {
    const field = this.#input.quotedFields.get(select.field) ?? select.field;
    if (select.testOnly) return { kind: "has", at, operand: this.lower(select.operand), field };
    const path = pathOf(select.operand);
    const root = path?.[0];
    const isLocal = root !== undefined && this.#locals.some((local) => local.name === root);
    if (path !== undefined && !isLocal) {
      const named = this.#qualified([...path, field], this.#rootPosition(select.operand));
      if (named !== undefined) return named;
    }
    return { kind: "select", at, operand: this.lower(select.operand), field };
  }

  #rootPosition(expr: Expr | undefined): number {
    const kind = expr?.exprKind;
    return kind?.case === "selectExpr" ? this.#rootPosition(kind.value.operand) : this.#position(expr);
  }

  #call(call: Expr_Call, at: number): CelNode {
    const name = call.function;
    if (name === "_&&_" || name === "_||_") return this.#logic(name === "_&&_" ? "and" : "or", call, at);
    const operands = [...(call.target === undefined ? [] : [call.target]), ...call.args];
    const operator = BINARY_FUNCTIONS.get(name);
    const [first, second, third] = operands;
    if (operator !== undefined) {
      return { kind: "binary", at, operator, left: this.lower(first), right: this.lower(second) };
    }
    switch (name) {
      case "!_":
        return { kind: "not", at, operand: this.lower(first) };
      case "-_":
        return { kind: "negate", at, operand: this.lower(first) };
      case "_[_]":
        return { kind: "index", at, operand: this.lower(first), key: this.lower(second) };
      case "_?_:_":
        return { kind: "conditional", at, test: this.lower(first), yes: this.lower(second), no: this.lower(third) };
    }
    return this.#named(call, operands, at);
  }

  #named(call: Expr_Call, operands: readonly Expr[], at: number): CelNode {
    const name = call.function;
    const found = findCelFunction(name, call.target !== undefined, call.args.length);
    if ("reason" in found) {
      const place = { at: Math.max(at, this.#input.source.indexOf(name, at)), length: name.length, hint: found.hint };
      if (name === "has") return this.#refuse(found.reason, place);
      // What it is called on and with may hold mistakes of its own, but a namespace (`math.abs(x)`) is none.
      const checked = call.target === undefined || pathOf(call.target) === undefined ? operands : call.args;
      if (!this.#input.isLate) checked.forEach((operand) => this.lower(operand));
      return this.#missing(found.reason, place);
    }
    const node: CelNode = {
      kind: "call",
      at,
      name,
      isMethod: call.target !== undefined,
      operands: operands.map((operand) => this.lower(operand)),
    };
    this.#checkLiteral(node);
    return node;
  }

  /** Text that must be a pattern, a timestamp or a duration is read while the author still looks. */
  #checkLiteral(node: CelNode & { readonly kind: "call" }): void {
    const literal = node.operands.at(-1);
    if (this.#input.isLate || literal?.kind !== "constant" || typeof literal.value !== "string") return;
    if (node.name === "matches") {
      const fault = patternFault(literal.value);
      if (fault !== undefined) this.#refuse(fault, { at: literal.at });
    } else if (node.name === "timestamp" || node.name === "duration") {
      const read = node.name === "timestamp" ? parseTimestamp(literal.value, 0) : parseDuration(literal.value, 0);
      if (read instanceof CelFailure) this.#refuse(read.explanation, { at: literal.at });
    }
  }

  /** The tree balances long chains; one node with many terms means the same and costs less. */
  #logic(kind: "and" | "or", call: Expr_Call, at: number): CelNode {
    const terms = call.args.map((argument) => this.lower(argument));
    return { kind, at, terms: terms.flatMap((term) => term.kind === kind ? term.terms : [term]) };
  }

  #fold(fold: Expr_Comprehension, at: number): CelNode {
    const range = this.lower(fold.iterRange);
    const slot = this.#slots++;
    if (fold.iterVar === ACCUMULATOR) this.#refuse(`${ACCUMULATOR} may not be the variable of a macro`, { at });
    const parts = macroParts(fold);
    if (parts === undefined) return this.#refuse("this macro is not offered", { at });
    this.#locals.push({ name: fold.iterVar, slot });
    const test = parts.test === undefined ? undefined : this.lower(parts.test);
    // What the parser adds for filter() stands where the macro stands, not where a name was written.
    const isAdded = parts.step?.exprKind.case === "identExpr" && this.#position(parts.step) === at;
    const step = parts.step === undefined
      ? undefined
      : isAdded
      ? local({ name: fold.iterVar, slot }, at)
      : this.lower(parts.step);
    this.#locals.pop();
    return { kind: "fold", at, macro: parts.macro, range, slot, test, step };
  }

  #messages(name: string, at: number): CelNode {
    const hint = "a map is written {'key': value}";
    return this.#missing(`there are no messages here, so "${name}" cannot be made`, { at, hint });
  }

  /** What does not exist: an issue, or where the caller wants that a failure of evaluation. */
  #missing(reason: string, place: Place): CelNode {
    return this.#input.isLate ? { kind: "failure", at: place.at, reason } : this.#refuse(reason, place);
  }

  #refuse(reason: string, { at, length, hint }: Place): CelNode {
    const details = { ...(length === undefined ? {} : { length }), ...(hint === undefined ? {} : { hint }) };
    if (this.issues.length < CEL_ISSUES_MAX) this.issues.push({ message: reason, offset: at, ...details });
    return { kind: "failure", at, reason };
  }
}

interface Place {
  readonly at: number;
  readonly length?: number | undefined;
  readonly hint?: string | undefined;
}

function local({ name, slot }: { readonly name: string; readonly slot: number }, at: number): CelNode {
  return { kind: "local", at, name, slot };
}

/** `a.b.c` as its names; undefined when the expression is anything else. */
function pathOf(expr: Expr | undefined): readonly string[] | undefined {
  const kind = expr?.exprKind;
  if (kind?.case === "identExpr") return [kind.value.name];
  if (kind?.case !== "selectExpr" || kind.value.testOnly) return undefined;
  const path = pathOf(kind.value.operand);
  return path === undefined ? undefined : [...path, kind.value.field];
}

interface MacroParts {
  readonly macro: CelMacro;
  readonly test: Expr | undefined;
  readonly step: Expr | undefined;
}

/** Finds the arguments of a macro in what the parser has made of it: only macros make comprehensions. */
function macroParts(fold: Expr_Comprehension): MacroParts | undefined {
  const start = fold.accuInit?.exprKind;
  const step = callArguments(fold.loopStep);
  if (start?.case === "constExpr") {
    const initial = start.value.constantKind.value;
    if (typeof initial === "bigint") return { macro: "exists_one", test: step[0], step: undefined };
    return { macro: initial === true ? "all" : "exists", test: step[1], step: undefined };
  }
  if (start?.case !== "listExpr") return undefined;
  if (step.length === 2) return { macro: "map", test: undefined, step: onlyElement(step[1]) };
  return { macro: "map", test: step[0], step: onlyElement(callArguments(step[1])[1]) };
}

function callArguments(expr: Expr | undefined): readonly Expr[] {
  return expr?.exprKind.case === "callExpr" ? expr.exprKind.value.args : [];
}

function onlyElement(expr: Expr | undefined): Expr | undefined {
  return expr?.exprKind.case === "listExpr" ? expr.exprKind.value.elements[0] : undefined;
}
