/** Owns the contract of a compiled CEL expression. */

import type { Environment, Scope } from "../scope.ts";

/** Units one evaluation may cost: about one an operation, a tenth of the length for size-driven ones. */
export const CEL_COST_LIMIT = 1_000_000;

/** A compiled expression, bound to nothing yet. Immutable and shared. */
export interface CelExpression {
  /** The text it was compiled from. */
  readonly source: string;
  /** Dotted paths the expression reads, such as `payload.region`, `meta.route`: for explain and lint. */
  readonly reads: readonly string[];
  /** Places where a JSON number, a double, meets an integer literal in arithmetic: such a term never evaluates. */
  readonly intArithmetic: readonly { readonly offset: number; readonly suggestion: string }[];
  /** The value when the expression is a literal `true` or `false`, else undefined. */
  readonly literal: boolean | undefined;
  /**
   * Alternatives of equalities that must hold for the expression to be true, where that can be told: for finding
   * conditions that exclude each other. `payload.a == "x" && meta.b == 1` gives one entry a path.
   */
  readonly equalities: readonly { readonly path: string; readonly value: string | number | boolean }[];
  /** Binds constants and parameters and gives the function to call per message. */
  bind(environment: Environment): CelFunction;
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

/**
 * A predicate on one message.
 * @throws {EventboatError} `expression` when it fails or its value is no bool, `budget` past {@linkcode CEL_COST_LIMIT}.
 */
export type CelPredicate = (scope: Scope) => boolean;
