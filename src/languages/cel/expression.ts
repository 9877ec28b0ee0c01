/** Owns the contract of a compiled CEL expression. */

import type { Condition } from "../condition.ts";
import type { Environment, Scope } from "../scope.ts";

/** Units one evaluation may cost: about one an operation, a tenth of the length for size-driven ones. */
export const CEL_COST_LIMIT = 1_000_000;

/** A compiled expression, bound to nothing yet. */
export interface CelExpression extends Condition {
  readonly lang: "cel";
  /** Places where a JSON number, a double, meets an integer literal in arithmetic: such a term never evaluates. */
  readonly intArithmetic: readonly { readonly offset: number; readonly suggestion: string }[];
  bind(environment: Environment): CelFunction;
  /** The same for an expression that must give a string: a value that is only written as text, such as a timestamp, is none. */
  bindKey(environment: Environment): CelKey;
}

/**
 * Evaluates on one message. Returns plain data: bool, string, double and int as number (int and uint beyond 2^53 as
 * bigint), bytes as Uint8Array, null, arrays, plain objects for maps with string keys, `Map` for others.
 * @throws {EventboatError} `expression` or `budget`.
 */
export type CelFunction = (scope: Scope) => unknown;

/**
 * Gives the key of one message.
 * @throws {EventboatError} `expression` when it fails or its value is no string, `budget` past {@linkcode CEL_COST_LIMIT}.
 */
export type CelKey = (scope: Scope) => string;
