/** Owns what an expression or script sees: the bindings of one message and those of the pipeline. */

import type { Data } from "../base/mod.ts";
import type { Meta } from "../message/mod.ts";

/** The bindings that change with each message; a `Message` is one. */
export interface Scope {
  readonly payload: unknown;
  readonly meta: Meta;
}

/** The bindings that stay for the life of a pipeline or of one run. */
export interface Environment {
  readonly constants: { readonly [name: string]: Data };
  readonly parameters: { readonly [name: string]: Data };
}

/** Something wrong in source text. `offset` and `length` count UTF-16 units from its start. */
export interface LanguageIssue {
  readonly message: string;
  readonly offset: number;
  readonly length?: number;
  readonly hint?: string;
}

/** What compiling gives: a program, or everything that is wrong with the text. */
export type Compiled<Program> =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly issues: readonly LanguageIssue[] };
