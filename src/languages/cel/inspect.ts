/** Owns evaluating an expression once for somebody who looks on: the value with its type, or where it went wrong. */

import { EventboatError } from "../../diagnostics/mod.ts";
import type { Environment, LanguageIssue, Scope } from "../scope.ts";
import { compileCelTree, PIPELINE_NAMING, tooDeep } from "./compile.ts";
import { celBindings, emitCel } from "./emit.ts";
import { settleCel } from "./settle.ts";
import { CelFailure, type CelKind, kindOf } from "./value.ts";

/** What an expression gave. Offsets count UTF-16 units of its text. */
export type CelInspection =
  /** `value` is plain data as a {@linkcode CelFunction} gives it, `type` what `type()` names it. */
  | { readonly kind: "value"; readonly value: unknown; readonly type: CelKind }
  | { readonly kind: "failed"; readonly message: string; readonly offset: number }
  /** It cost more than an evaluation may. */
  | { readonly kind: "budget"; readonly message: string }
  | { readonly kind: "invalid"; readonly issues: readonly LanguageIssue[] };

/** Evaluates an expression that sees what one in a pipeline does, by the way that pipelines use. */
export function inspectCel(source: string, environment: Environment, scope: Scope): CelInspection {
  const compiled = compileCelTree(source, PIPELINE_NAMING);
  if ("issues" in compiled) return { kind: "invalid", issues: compiled.issues };
  try {
    const value = emitCel(compiled.root, celBindings(environment))(scope);
    if (value instanceof CelFailure) return { kind: "failed", message: value.explanation, offset: value.at };
    return { kind: "value", value: settleCel(value), type: kindOf(value) };
  } catch (caught) {
    const error = caught instanceof RangeError ? tooDeep(source, caught) : caught;
    if (error instanceof EventboatError && error.code === "budget") return { kind: "budget", message: error.message };
    throw error;
  }
}
