/** Owns the contract of a compiled CESQL expression. */

import type { Condition } from "../condition.ts";
import type { Environment, Scope } from "../scope.ts";
import type { CesqlValue } from "./value.ts";

/** Units one evaluation may cost: about one an operation, a tenth of the length for what looks at text. */
export const CESQL_COST_LIMIT = 1_000_000;

/** A compiled expression, bound to nothing yet. The language has no way to name constants or parameters. */
export interface CesqlExpression extends Condition {
  readonly lang: "cesql";
  bind(environment: Environment): CesqlFunction;
}

/**
 * Evaluates on one message.
 * @throws {EventboatError} `expression` when the evaluation has an error, whatever value goes with it; `budget` past
 * {@linkcode CESQL_COST_LIMIT}.
 */
export type CesqlFunction = (scope: Scope) => CesqlValue;
