/** Owns evaluating a CESQL expression once for somebody who looks on. */

import { EventboatError } from "../../diagnostics/mod.ts";
import type { Inspection } from "../inspection.ts";
import type { Scope } from "../scope.ts";
import { compileCesql, tooDeep } from "./compile.ts";
import { emitCesql } from "./emit.ts";
import { parseCesql } from "./parse.ts";
import { CesqlFailure, type CesqlType, type CesqlValue } from "./value.ts";

/** Evaluates an expression as an edge of a pipeline does. */
export function inspectCesql(source: string, scope: Scope): Inspection {
  const compiled = compileCesql(source);
  if (!compiled.ok) return { kind: "invalid", issues: compiled.issues };
  try {
    const outcome = emitCesql(parseCesql(source).root)(scope);
    if (outcome instanceof CesqlFailure) {
      return { kind: "failed", message: outcome.explanation, offset: outcome.at };
    }
    return { kind: "value", value: outcome, type: typeOf(outcome) };
  } catch (caught) {
    const error = caught instanceof RangeError ? tooDeep(source, caught) : caught;
    if (error instanceof EventboatError && error.code === "budget") return { kind: "budget", message: error.message };
    throw error;
  }
}

function typeOf(value: CesqlValue): CesqlType {
  return typeof value === "boolean" ? "Boolean" : typeof value === "number" ? "Integer" : "String";
}
