/** Owns what a name in a script stands for. */

import type { FunctionNode } from "../syntax/tree.ts";

/**
 * Where a name lives: in a function or comprehension, in the script, as `payload` or `meta`, among the pipeline's
 * bindings, or in the language itself.
 */
export type BindingPlace = "local" | "global" | "payload" | "meta" | "predeclared" | "universal";

/** What a name stands for. Every name of the same thing shares one. */
export interface Binding {
  readonly name: string;
  readonly place: BindingPlace;
  /** Number among all variables of the script: the generated variable is named after it, never after the script. */
  readonly id: number;
  /** Where the name is first bound; -1 when the script does not bind it. */
  readonly declaredAt: number;
  /** How many places of the text bind it. */
  assignments: number;
  /** The function, when the only place that binds the name is a `def`. */
  definition: FunctionNode | undefined;
  /** A parameter or comprehension variable, which always has a value. */
  readonly isAlwaysSet: boolean;
}
