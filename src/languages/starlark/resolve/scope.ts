/** Owns the blocks of names that a script nests. */

import type { Binding } from "./binding.ts";

/** Names of one function, comprehension or the whole script. */
export class NameScope {
  readonly parent: NameScope | undefined;
  readonly kind: "module" | "function" | "comprehension";
  readonly names = new Map<string, Binding>();

  constructor(kind: NameScope["kind"], parent: NameScope | undefined) {
    this.kind = kind;
    this.parent = parent;
  }
}

/** What the generator needs to know of one function: its variables, parameters left out. */
export interface FunctionScope {
  readonly locals: readonly Binding[];
}
