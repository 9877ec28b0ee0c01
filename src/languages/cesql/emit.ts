/** Owns compiling the tree to JavaScript closures. */

import { CostMeter } from "../cost_meter.ts";
import type { Scope } from "../scope.ts";
import { emitArithmetic, negateInteger } from "./arithmetic.ts";
import { cesqlValueOf, isContextAttribute, readAttribute, readData } from "./attribute.ts";
import { emitComparison, emitIn } from "./comparison.ts";
import { CESQL_COST_LIMIT } from "./expression.ts";
import { findCesqlFunction } from "./functions.ts";
import { LikePattern } from "./like.ts";
import { type CesqlAttribute, cesqlChildren, type CesqlData, type CesqlNode } from "./node.ts";
import { typeOfCesql } from "./static_type.ts";
import {
  booleanOfText,
  castExplanation,
  CesqlFailure,
  type CesqlOutcome,
  type CesqlType,
  type CesqlValue,
  integerOfText,
} from "./value.ts";

/** Compiled code: gives a value or a failure. Throws only when the meter runs out, or the stack over nested data. */
export type CesqlEvaluate = (scope: Scope) => CesqlOutcome;

/** The compiler as its parts see it. */
export interface CesqlEmitting {
  readonly meter: CostMeter;
  emit(node: CesqlNode): CesqlEvaluate;
  /** The same, and what it gives is cast. */
  emitAs(node: CesqlNode, type: CesqlType): CesqlEvaluate;
}

/**
 * Compiles a tree. The function keeps count while it runs, so it must not be entered again before it returns.
 * @throws {EventboatError} (the function) `budget` past the cost limit.
 */
export function emitCesql(root: CesqlNode): CesqlEvaluate {
  const emitter = new Emitter();
  const run = emitter.emit(root);
  const { meter } = emitter;
  const units = countNodes(root);
  return (scope) => {
    meter.start(units);
    return run(scope);
  };
}

function countNodes(node: CesqlNode): number {
  return cesqlChildren(node).reduce((sum, child) => sum + countNodes(child), 1);
}

class Emitter implements CesqlEmitting {
  readonly meter = new CostMeter({
    language: "CESQL",
    unitsMax: CESQL_COST_LIMIT,
    hint: "each look at a long text costs a tenth of its length",
  });

  emit(node: CesqlNode): CesqlEvaluate {
    switch (node.kind) {
      case "literal": {
        const { value } = node;
        return () => value;
      }
      case "attribute":
      case "data":
        return this.#read(node);
      case "exists": {
        const read = readOf(node.operand);
        return (scope) => (read(scope) ?? undefined) !== undefined;
      }
      case "not": {
        const operand = this.emitAs(node.operand, "Boolean");
        return (scope) => {
          const value = operand(scope);
          return typeof value === "object" ? value : !value;
        };
      }
      case "negate": {
        const [operand, { at }] = [this.emitAs(node.operand, "Integer"), node];
        return (scope) => {
          const value = operand(scope);
          return typeof value === "number" ? negateInteger(value, at) : value;
        };
      }
      case "logic":
        return this.#logic(node);
      case "arithmetic":
        return emitArithmetic(node, this);
      case "comparison":
        return emitComparison(node, this);
      case "like":
        return this.#like(node);
      case "in":
        return emitIn(node, this);
      case "call":
        return this.#call(node);
    }
  }

  emitAs(node: CesqlNode, type: CesqlType): CesqlEvaluate {
    const run = this.emit(node);
    if (typeOfCesql(node) === type) return run;
    const { meter } = this;
    switch (type) {
      case "String":
        return (scope) => {
          const value = run(scope);
          return typeof value === "string" || typeof value === "object" ? value : String(value);
        };
      case "Integer": {
        const failure = new CesqlFailure("cast", castExplanation(type), node.at);
        return (scope) => {
          const value = run(scope);
          if (typeof value === "number") return value;
          if (typeof value === "string") return integerOfText(value, meter) ?? failure;
          return typeof value === "object" ? value : Number(value);
        };
      }
      case "Boolean": {
        const failure = new CesqlFailure("cast", castExplanation(type), node.at);
        return (scope) => {
          const value = run(scope);
          if (typeof value === "boolean") return value;
          if (typeof value === "string") return booleanOfText(value) ?? failure;
          return typeof value === "object" ? value : value !== 0;
        };
      }
    }
  }

  #read(node: CesqlAttribute | CesqlData): CesqlEvaluate {
    const read = readOf(node);
    const { meter } = this;
    const missing = new CesqlFailure("missingAttribute", `there is no ${nameOf(node)}`, node.at);
    if (node.kind === "attribute" && isContextAttribute(node.name)) {
      return (scope) => {
        const found = read(scope);
        if (typeof found === "string") return found;
        const value = cesqlValueOf(found, meter);
        return value === undefined ? missing : String(value);
      };
    }
    return (scope) => {
      const found = read(scope);
      return typeof found === "string" ? found : cesqlValueOf(found, meter) ?? missing;
    };
  }

  /** The right operand is not looked at where the left one decides; a failed left one decides nothing and fails all. */
  #logic({ operator, terms }: CesqlNode & { readonly kind: "logic" }): CesqlEvaluate {
    const [first, second, ...others] = terms.map((term) => this.emitAs(term, "Boolean"));
    // A logical node has two terms at least.
    if (first === undefined || second === undefined) return () => false;
    if (operator === "XOR") return exclusive([first, second, ...others]);
    const isOr = operator === "OR";
    if (others.length === 0) {
      return (scope) => {
        const value = first(scope);
        return value === isOr || typeof value === "object" ? value : second(scope);
      };
    }
    const rest = [second, ...others];
    return (scope) => {
      let value = first(scope);
      for (const run of rest) {
        if (value === isOr || typeof value === "object") return value;
        value = run(scope);
      }
      return value;
    };
  }

  #like(node: CesqlNode & { readonly kind: "like" }): CesqlEvaluate {
    const operand = this.emitAs(node.operand, "String");
    const { meter } = this;
    const pattern = new LikePattern(node.pattern);
    const { isNegated } = node;
    return (scope) => {
      const text = operand(scope);
      return typeof text === "string" ? pattern.matches(text, meter) !== isNegated : text;
    };
  }

  #call({ name, operands, at }: CesqlNode & { readonly kind: "call" }): CesqlEvaluate {
    const found = findCesqlFunction(name, operands.length);
    if (found === undefined) {
      const failure = new CesqlFailure("missingFunction", `there is no function ${name}/${operands.length}`, at);
      return () => failure;
    }
    const { parameters, rest, call } = found;
    const runs = operands.map((operand, index) => {
      const type = parameters[index] ?? rest ?? "Any";
      return type === "Any" ? this.emit(operand) : this.emitAs(operand, type);
    });
    const { meter } = this;
    const tools = { meter, at };
    return (scope) => {
      const values: CesqlValue[] = [];
      for (const run of runs) {
        const value = run(scope);
        if (typeof value === "object") return value;
        if (typeof value === "string") meter.spendLength(value.length);
        values.push(value);
      }
      return call(values, tools);
    };
  }
}

function exclusive(terms: readonly CesqlEvaluate[]): CesqlEvaluate {
  return (scope) => {
    let isTrue = false;
    for (const run of terms) {
      const value = run(scope);
      if (typeof value === "object") return value;
      isTrue = isTrue !== value;
    }
    return isTrue;
  };
}

function readOf(node: CesqlAttribute | CesqlData): (scope: Scope) => unknown {
  return node.kind === "data" ? readData(node) : readAttribute(node);
}

function nameOf(node: CesqlAttribute | CesqlData): string {
  return node.kind === "data" ? ["data", ...node.path].join(".") : `attribute ${node.name}`;
}
