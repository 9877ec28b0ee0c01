/** Owns what evaluating an expression once tells somebody who looks on. */

import type { LanguageIssue } from "./scope.ts";

/** What an expression gave. Offsets count UTF-16 units of its text. */
export type Inspection =
  /** `value` is plain data as the bound expression gives it, `type` its type as the language names it. */
  | { readonly kind: "value"; readonly value: unknown; readonly type: string }
  | { readonly kind: "failed"; readonly message: string; readonly offset: number }
  /** It cost more than an evaluation may. */
  | { readonly kind: "budget"; readonly message: string }
  | { readonly kind: "invalid"; readonly issues: readonly LanguageIssue[] };
