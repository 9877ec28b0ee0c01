/** Owns evaluating a CEL expression once for somebody who looks on. */

import { EventboatError } from "../../diagnostics/mod.ts";
import type { Inspection } from "../inspection.ts";
import type { Environment, Scope } from "../scope.ts";
import { compileCelTree, PIPELINE_NAMING, tooDeep } from "./compile.ts";
import { celBindings, emitCel } from "./emit.ts";
import { settleCel } from "./settle.ts";
import { CelFailure, kindOf } from "./value.ts";

/** Evaluates an expression that sees what one in a pipeline does, by the way that pipelines use. */
export function inspectCel(source: string, environment: Environment, scope: Scope): Inspection {
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
