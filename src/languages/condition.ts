/** Owns what the conditions of every language share, and binding one to the predicate the engine calls. */

import { EventboatError } from "../diagnostics/mod.ts";
import { quotedSource } from "./quoted_source.ts";
import type { Environment, Scope } from "./scope.ts";

/** The languages of conditions, as pipeline files name them. */
export type ConditionLanguage = "cel" | "cesql";

/** A compiled expression of one of them, bound to nothing yet. Immutable and shared. */
export interface Condition {
  readonly lang: ConditionLanguage;
  /** The text it was compiled from. */
  readonly source: string;
  /** What errors quote of it: the text, unless that holds what is not to be shown. */
  readonly quoted: string;
  /** Dotted paths the expression reads, such as `payload.region`, `meta.route`: for explain and lint. */
  readonly reads: readonly string[];
  /** The value when the expression is a literal true or false, else undefined. */
  readonly literal: boolean | undefined;
  /**
   * Equalities that must hold for the expression to be true, where that can be told: for finding conditions that exclude
   * each other. In CEL `payload.a == "x" && meta.b == 1` gives one entry a path.
   */
  readonly equalities: readonly { readonly path: string; readonly value: string | number | boolean }[];
  /**
   * Binds constants and parameters and gives the function to call per message.
   * @throws {EventboatError} (the function) `expression`, `budget`.
   */
  bind(environment: Environment): (scope: Scope) => unknown;
}

/**
 * A predicate on one message.
 * @throws {EventboatError} `expression` when it fails or its value is no bool, `budget` when it costs too much.
 */
export type Predicate = (scope: Scope) => boolean;

const LANGUAGE_NAMES: { readonly [lang in ConditionLanguage]: string } = { cel: "CEL", cesql: "CESQL" };

/**
 * Binds an expression that must give a bool, such as the condition of an edge.
 * @throws {EventboatError} (the predicate) `expression` when it fails or gives anything else, `budget`.
 */
export function bindPredicate(condition: Condition, environment: Environment): Predicate {
  const run = condition.bind(environment);
  return (scope) => {
    const value = run(scope);
    if (typeof value === "boolean") return value;
    throw wrongResult(condition, "a bool", kindOfData(value));
  };
}

/** What plain data is, in words: never what it holds, which is no concern of a log. */
function kindOfData(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Uint8Array) return "bytes";
  switch (typeof value) {
    case "bigint":
      return "a number";
    case "boolean":
      return "a bool";
    case "object":
      return "a map";
    default:
      return `a ${typeof value}`;
  }
}

/** What an evaluation threw, as the error that names the expression it was in. */
export function inExpression(expression: Pick<Condition, "lang" | "quoted">, caught: unknown): unknown {
  if (caught instanceof RangeError) return tooDeep(expression, caught);
  if (!(caught instanceof EventboatError) || caught.code !== "budget") return caught;
  const hint = caught.hint === undefined ? {} : { hint: caught.hint };
  return new EventboatError("budget", `${placeOf(expression)}: ${caught.message}`, hint);
}

/** The stack ran out over data that nests some thousand levels: the one thing that depth of text does not bound. */
export function tooDeep(expression: Pick<Condition, "lang" | "quoted">, cause: RangeError): EventboatError {
  const message = `${placeOf(expression)}: the data nests deeper than an evaluation can follow`;
  return new EventboatError("budget", message, { cause });
}

function placeOf({ lang, quoted }: Pick<Condition, "lang" | "quoted">): string {
  return `${LANGUAGE_NAMES[lang]} ${quotedSource(quoted)}`;
}

/** The error of an expression whose value is of a kind (`found`, in words) that its place does not take. */
export function wrongResult(
  expression: Pick<Condition, "lang" | "quoted">,
  wanted: string,
  found: string,
): EventboatError {
  const message = `${placeOf(expression)} must give ${wanted}, it gave ${found}`;
  return new EventboatError("expression", message);
}
