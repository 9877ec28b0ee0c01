/** Owns what the parts of the compiler share: the shape of compiled code and what it may use. */

import type { Scope } from "../scope.ts";
import type { CelTools } from "./functions.ts";
import type { CelNode } from "./node.ts";

/** Compiled code: gives a value or a `CelFailure`. Throws only when the meter runs out. */
export type Evaluate = (scope: Scope) => unknown;

/** The compiler as its parts see it. */
export interface Emitting extends CelTools {
  /** The elements that folds stand at, by slot. */
  readonly slots: unknown[];
  emit(node: CelNode): Evaluate;
  /** The value of a node, emitted before, that depends on no message; undefined when it depends on one. */
  fixedValue(node: CelNode): unknown;
  /** Units one evaluation of a node costs, apart from what depends on data. */
  cost(node: CelNode): number;
}
