/** Owns trying an expression on a message: its value, its type, why it fails. */

import { type Data, plainJson } from "../../base/mod.ts";
import { type Environment, inspectCel, inspectCesql } from "../../languages/mod.ts";
import { compileFailure, placeIn, type ReplFailure } from "./failure.ts";
import type { ReplSample } from "./sample.ts";

/** Languages of expressions. */
export const EXPRESSION_LANGUAGES = ["cel", "cesql"] as const;

/** A language of expressions. */
export type ExpressionLanguage = typeof EXPRESSION_LANGUAGES[number];

/** What an expression gave. */
export interface ExpressionOutcome {
  /** As `plainJson` shows it. */
  readonly value: Data;
  /** The type as the language names it. */
  readonly type: string;
}

/** An expression that was tried. */
export type ExpressionTrial =
  | { readonly ok: true; readonly result: ExpressionOutcome }
  | { readonly ok: false; readonly failure: ReplFailure };

/** What an expression is tried with. */
export interface ExpressionSettings {
  readonly language: ExpressionLanguage;
  readonly sample: ReplSample;
  readonly environment: Environment;
}

/** Evaluates an expression once. */
export function tryExpression(source: string, { language, sample, environment }: ExpressionSettings): ExpressionTrial {
  const inspection = language === "cel" ? inspectCel(source, environment, sample) : inspectCesql(source, sample);
  switch (inspection.kind) {
    case "value":
      return { ok: true, result: { value: plainJson(inspection.value), type: inspection.type } };
    case "invalid":
      return { ok: false, failure: compileFailure(source, inspection.issues) };
    case "failed": {
      const { message, offset } = inspection;
      return { ok: false, failure: { kind: "runtime", message, ...placeIn(source, offset) } };
    }
    case "budget":
      return { ok: false, failure: { kind: "budget", message: inspection.message, line: 1, column: 1 } };
  }
}
