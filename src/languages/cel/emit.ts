/** Owns compiling the tree to JavaScript closures. */

import type { Environment, Scope } from "../scope.ts";
import { CEL_ARITHMETIC, celNegate } from "./arithmetic.ts";
import { emitComparison } from "./comparison.ts";
import type { Emitting, Evaluate } from "./evaluate.ts";
import { celField, hasField, isAmbiguousField, readIndex, readPath, selectField } from "./field.ts";
import { emitFold } from "./fold.ts";
import { findCelFunction } from "./functions.ts";
import { emitLogic, emitNot } from "./logic.ts";
import { emitList, emitMap } from "./literal.ts";
import { CelMeter } from "./meter.ts";
import { celChildren, type CelNode } from "./node.ts";
import { CelPatterns } from "./pattern.ts";
import { CelZones } from "./time.ts";
import { CelFailure, noOverload } from "./value.ts";

/** Where a variable's value is found. */
export type CelVariable =
  | { readonly kind: "payload" | "meta" }
  /** The same for every message. */
  | { readonly kind: "fixed"; readonly value: unknown }
  /** An entry of a map that stands where the payload does. */
  | { readonly kind: "entry"; readonly name: string };

/** Variables by name. */
export type CelVariables = ReadonlyMap<string, CelVariable>;

/** The four bindings of an expression in a pipeline. */
export function celBindings(environment: Environment): CelVariables {
  return new Map<string, CelVariable>([
    ["payload", { kind: "payload" }],
    ["meta", { kind: "meta" }],
    ["constants", { kind: "fixed", value: environment.constants }],
    ["parameters", { kind: "fixed", value: environment.parameters }],
  ]);
}

/**
 * Compiles a tree for one set of variables. What depends on no message is evaluated here, once. The function gives a
 * value or a failure; it keeps state while it runs, so it must not be entered again before it returns.
 * @throws {EventboatError} (the function) `budget` past the cost limit.
 */
export function emitCel(root: CelNode, variables: CelVariables): Evaluate {
  const emitter = new Emitter(variables);
  const run = emitter.emit(root);
  const { meter } = emitter;
  const units = emitter.cost(root);
  return (scope) => {
    meter.start(units);
    return run(scope);
  };
}

/** What evaluation before the first message sees; nothing that reads it is evaluated then. */
const NO_SCOPE: Scope = { payload: null, meta: {} };

class Emitter implements Emitting {
  readonly meter = new CelMeter();
  readonly slots: unknown[] = [];
  readonly zones = new CelZones();
  readonly patterns = new CelPatterns(this.meter);
  readonly #variables: CelVariables;
  readonly #fixedValues = new Map<CelNode, unknown>();
  #foldingUnits = 0;
  #isFoldingOver = false;

  constructor(variables: CelVariables) {
    this.#variables = variables;
  }

  emit(node: CelNode): Evaluate {
    const run = this.#build(node);
    if (this.#isFoldingOver || !this.#isFixed(node, new Set())) return run;
    try {
      // One budget for all of them: a text has room for many constants that cost nearly a whole one.
      this.meter.start(this.#foldingUnits);
      const value = run(NO_SCOPE);
      this.#foldingUnits = this.meter.spent;
      this.#fixedValues.set(node, value);
      return () => value;
    } catch {
      // Only the meter throws. Each evaluation will throw the same, where someone can be told.
      this.#isFoldingOver = true;
      return run;
    }
  }

  fixedValue(node: CelNode): unknown {
    return this.#fixedValues.get(node);
  }

  cost(node: CelNode): number {
    return celChildren(node).reduce((sum, child) => sum + this.cost(child), 1);
  }

  #isFixed(node: CelNode, bound: ReadonlySet<number>): boolean {
    if (node.kind === "variable") return this.#variables.get(node.name)?.kind === "fixed";
    if (node.kind === "local") return bound.has(node.slot);
    const inner = node.kind === "fold" ? new Set([...bound, node.slot]) : bound;
    return celChildren(node).every((child) => this.#isFixed(child, inner));
  }

  #build(node: CelNode): Evaluate {
    switch (node.kind) {
      case "constant": {
        const { value } = node;
        return () => value;
      }
      case "failure": {
        const failure = new CelFailure(node.reason, node.at);
        return () => failure;
      }
      case "variable":
        return this.#variable(node.name, node.at);
      case "local": {
        const { slots } = this;
        const { slot } = node;
        return () => slots[slot];
      }
      case "select":
        return this.#select(node.operand, node.field, node.at);
      case "has":
        return this.#has(node.operand, node.field, node.at);
      case "index": {
        const [operand, key, at] = [this.emit(node.operand), this.emit(node.key), node.at];
        return (scope) => readIndex(operand(scope), key(scope), at);
      }
      case "fold":
        return emitFold(node, this);
      case "list":
        return emitList(node.items.map((item) => this.emit(item)));
      case "map":
        return emitMap(node.entries.map(([key, value]) => [this.emit(key), this.emit(value)]), node.at);
      default:
        return this.#buildOperation(node);
    }
  }

  #buildOperation(node: CelNode): Evaluate {
    switch (node.kind) {
      case "and":
      case "or":
        return emitLogic(node.kind, node.terms.map((term) => this.emit(term)), node.at);
      case "not":
        return emitNot(this.emit(node.operand), node.at);
      case "negate": {
        const [operand, at] = [this.emit(node.operand), node.at];
        return (scope) => celNegate(operand(scope), at);
      }
      case "conditional":
        return this.#conditional(this.emit(node.test), this.emit(node.yes), this.emit(node.no), node.at);
      case "binary":
        return this.#binary(node);
      case "call":
        return this.#call(node);
      default:
        return this.#build(node);
    }
  }

  #variable(name: string, at: number): Evaluate {
    const variable = this.#variables.get(name);
    switch (variable?.kind) {
      case "payload":
        return (scope) => scope.payload;
      case "meta":
        return (scope) => scope.meta;
      case "fixed":
        return () => variable.value;
      case "entry": {
        const field = celField(variable.name, undefined, at);
        return (scope) => selectField(scope.payload, field);
      }
      default: {
        const failure = new CelFailure(`there is no variable ${name}`, at);
        return () => failure;
      }
    }
  }

  #select(operandNode: CelNode, field: string, at: number): Evaluate {
    const read = celField(field, readPath(operandNode), at);
    const isPayload = operandNode.kind === "variable" && this.#variables.get(operandNode.name)?.kind === "payload";
    const operand = this.emit(operandNode);
    if (isAmbiguousField(field)) return (scope) => selectField(operand(scope), read);
    if (isPayload) {
      // The commonest read of all: one closure less.
      return (scope) => {
        const value = scope.payload;
        if (typeof value === "object" && value !== null) {
          const member = (value as { readonly [key: string]: unknown })[field];
          if (member !== undefined) return member;
        }
        return selectField(value, read);
      };
    }
    return (scope) => {
      const value = operand(scope);
      if (typeof value === "object" && value !== null) {
        const member = (value as { readonly [key: string]: unknown })[field];
        if (member !== undefined) return member;
      }
      return selectField(value, read);
    };
  }

  #has(operandNode: CelNode, field: string, at: number): Evaluate {
    const operand = this.emit(operandNode);
    if (isAmbiguousField(field)) return (scope) => hasField(operand(scope), field, at);
    return (scope) => {
      const value = operand(scope);
      const isThere = typeof value === "object" && value !== null &&
        (value as { readonly [key: string]: unknown })[field] !== undefined;
      return isThere || hasField(value, field, at);
    };
  }

  #conditional(test: Evaluate, yes: Evaluate, no: Evaluate, at: number): Evaluate {
    return (scope) => {
      const value = test(scope);
      if (value === true) return yes(scope);
      return value === false ? no(scope) : noOverload("?:", [value], at);
    };
  }

  #binary(node: CelNode & { readonly kind: "binary" }): Evaluate {
    const { operator, at } = node;
    switch (operator) {
      case "+":
      case "-":
      case "*":
      case "/":
      case "%": {
        const [apply, left, right, { meter }] = [
          CEL_ARITHMETIC[operator],
          this.emit(node.left),
          this.emit(node.right),
          this,
        ];
        return (scope) => apply(left(scope), right(scope), at, meter);
      }
      default:
        return emitComparison(node, operator, this);
    }
  }

  #call(node: CelNode & { readonly kind: "call" }): Evaluate {
    const { name, at } = node;
    const operands = node.operands.map((operand) => this.emit(operand));
    const last = node.operands.at(-1);
    const pattern = name === "matches" && last !== undefined ? this.fixedValue(last) : undefined;
    if (typeof pattern === "string") this.patterns.prepare(pattern);
    const found = findCelFunction(name, node.isMethod, node.operands.length - (node.isMethod ? 1 : 0));
    if ("reason" in found) return () => new CelFailure(found.reason, at);
    const { call } = found;
    return (scope) => {
      const values: unknown[] = [];
      for (const operand of operands) {
        const value = operand(scope);
        if (value instanceof CelFailure) return value;
        values.push(value);
      }
      return call(values, at, this);
    };
  }
}
