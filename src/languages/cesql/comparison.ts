/** Owns comparing: equality of values of any type, the order of Integers, and membership in a list. */

import type { CostMeter } from "../cost_meter.ts";
import type { CesqlEmitting, CesqlEvaluate } from "./emit.ts";
import type { CesqlNode } from "./node.ts";
import { typeOfCesql } from "./static_type.ts";
import {
  castCesql,
  castExplanation,
  CesqlFailure,
  type CesqlType,
  cesqlTypeOf,
  type CesqlValue,
  equalCesql,
} from "./value.ts";

type Comparison = CesqlNode & { readonly kind: "comparison" };

const ORDERS: { readonly [operator: string]: (left: number, right: number) => boolean } = {
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};

/** Compiles an operator that compares. */
export function emitComparison(node: Comparison, emitting: CesqlEmitting): CesqlEvaluate {
  const order = ORDERS[node.operator];
  if (order === undefined) return emitEquality(node, node.operator === "=", emitting);
  const left = emitting.emitAs(node.left, "Integer");
  const right = emitting.emitAs(node.right, "Integer");
  return (scope) => {
    const first = left(scope);
    if (typeof first !== "number") return first;
    const second = right(scope);
    return typeof second === "number" ? order(first, second) : second;
  };
}

/** The left operand is cast to the type of the right one. */
function emitEquality(node: Comparison, isEqual: boolean, emitting: CesqlEmitting): CesqlEvaluate {
  const { meter } = emitting;
  const right = emitting.emit(node.right);
  const type = typeOfCesql(node.right);
  if (type !== undefined) {
    const left = emitting.emitAs(node.left, type);
    return (scope) => {
      const first = left(scope);
      if (typeof first === "object") return first;
      const second = right(scope);
      return typeof second === "object" ? second : equalCesql(first, second, meter) === isEqual;
    };
  }
  const left = emitting.emit(node.left);
  const caster = new Caster(node.left.at, meter);
  return (scope) => {
    const first = left(scope);
    if (typeof first === "object") return first;
    const second = right(scope);
    if (typeof second === "object") return second;
    const cast = caster.cast(first, cesqlTypeOf(second));
    return typeof cast === "object" ? cast : equalCesql(cast, second, meter) === isEqual;
  };
}

/** Compiles `IN`: each item is cast to the type of the value; the first that is equal ends the search. */
export function emitIn(node: CesqlNode & { readonly kind: "in" }, emitting: CesqlEmitting): CesqlEvaluate {
  const { meter } = emitting;
  const { isNegated } = node;
  const operand = emitting.emit(node.operand);
  const items = node.items.map((item) => ({ run: emitting.emit(item), caster: new Caster(item.at, meter) }));
  return (scope) => {
    const value = operand(scope);
    if (typeof value === "object") return value;
    const type = cesqlTypeOf(value);
    for (const { run, caster } of items) {
      const item = run(scope);
      if (typeof item === "object") return item;
      const cast = caster.cast(item, type);
      if (typeof cast === "object") return cast;
      if (equalCesql(value, cast, meter)) return !isNegated;
    }
    return isNegated;
  };
}

/** Casts what a node gives to a type that is known only when there is a message. */
class Caster {
  readonly #at: number;
  readonly #meter: CostMeter;

  constructor(at: number, meter: CostMeter) {
    this.#at = at;
    this.#meter = meter;
  }

  cast(value: CesqlValue, type: CesqlType): CesqlValue | CesqlFailure {
    if (cesqlTypeOf(value) === type) return value;
    return castCesql(value, type, this.#meter) ?? new CesqlFailure("cast", castExplanation(type), this.#at);
  }
}
