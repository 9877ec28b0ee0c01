/** Owns the macros: `all`, `exists`, `exists_one`, `map` and `filter`. */

import type { Scope } from "../scope.ts";
import type { Emitting, Evaluate } from "./evaluate.ts";
import type { CelFold, CelNode } from "./node.ts";
import { CelFailure, CelMap, isDataMap, kindInWords, noOverload } from "./value.ts";

/** What a macro does with its elements. */
type Walk = (elements: readonly unknown[], visit: Visit, scope: Scope) => unknown;

/** Puts an element in its place and takes the cost of one round. */
type Visit = (element: unknown) => void;

/** Compiles a macro. The range is a list or, by its keys, a map. */
export function emitFold(node: CelFold & { readonly at: number }, emitting: Emitting): Evaluate {
  const { slot, at } = node;
  const { slots, meter } = emitting;
  const range = emitting.emit(node.range);
  const walk = emitWalk(node, emitting);
  const units = 1 + costOf(node.test, emitting) + costOf(node.step, emitting);
  const visit: Visit = (element) => {
    meter.spend(units);
    slots[slot] = element;
  };
  return (scope) => {
    const value = range(scope);
    const elements = elementsOf(value);
    // The keys of a map are listed, however few of them the macro then looks at.
    if (elements !== undefined && !Array.isArray(value)) meter.spendEntries(elements.length);
    if (elements === undefined) {
      if (value instanceof CelFailure) return value;
      return new CelFailure(`${node.macro}() goes over a list or a map, not ${kindInWords(value)}`, at);
    }
    const result = walk(elements, visit, scope);
    // An element is part of a message: it must not live on in here.
    slots[slot] = undefined;
    return result;
  };
}

function costOf(node: CelNode | undefined, emitting: Emitting): number {
  return node === undefined ? 0 : emitting.cost(node);
}

function elementsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (value instanceof CelMap) return value.keys();
  return isDataMap(value) ? Object.keys(value) : undefined;
}

function emitWalk(node: CelFold & { readonly at: number }, emitting: Emitting): Walk {
  const always: Evaluate = () => true;
  const test = node.test === undefined ? always : emitting.emit(node.test);
  switch (node.macro) {
    case "all":
      return walkUntil(test, false, "&&", node.at);
    case "exists":
      return walkUntil(test, true, "||", node.at);
    case "exists_one":
      return walkCounting(test, node.at);
    case "map":
      return walkMapping(test, node.step === undefined ? always : emitting.emit(node.step), node.at);
  }
}

/** `all` and `exists` are `&&` and `||` over the elements: one that decides hides the failures of others. */
function walkUntil(test: Evaluate, decisive: boolean, operator: string, at: number): Walk {
  return (elements, visit, scope) => {
    let fault: CelFailure | undefined;
    for (const element of elements) {
      visit(element);
      const value = test(scope);
      if (value === decisive) return decisive;
      if (typeof value !== "boolean") fault ??= noOverload(operator, [value], at);
    }
    return fault ?? !decisive;
  };
}

function walkCounting(test: Evaluate, at: number): Walk {
  return (elements, visit, scope) => {
    let count = 0;
    for (const element of elements) {
      visit(element);
      const value = test(scope);
      if (value === true) count += 1;
      else if (value !== false) return noOverload("exists_one()", [value], at);
    }
    return count === 1;
  };
}

function walkMapping(test: Evaluate, step: Evaluate, at: number): Walk {
  return (elements, visit, scope) => {
    const results: unknown[] = [];
    for (const element of elements) {
      visit(element);
      const chosen = test(scope);
      if (chosen === false) continue;
      if (chosen !== true) return noOverload("filter()", [chosen], at);
      const value = step(scope);
      if (value instanceof CelFailure) return value;
      results.push(value);
    }
    return results;
  };
}
