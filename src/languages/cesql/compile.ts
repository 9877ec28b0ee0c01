/** Owns compiling CESQL: text to an expression, and an expression to the function that is called per message. */

import { EventboatError } from "../../diagnostics/mod.ts";
import { inExpression, tooDeep as evaluationTooDeep } from "../condition.ts";
import { quotedSource } from "../quoted_source.ts";
import type { Compiled, LanguageIssue, Scope } from "../scope.ts";
import { cesqlEqualities, cesqlReads } from "./analysis.ts";
import { checkCesql } from "./check.ts";
import { emitCesql } from "./emit.ts";
import type { CesqlExpression, CesqlFunction } from "./expression.ts";
import type { CesqlNode } from "./node.ts";
import { CESQL_ISSUES_MAX } from "./limits.ts";
import { parseCesql } from "./parse.ts";
import { typeOfCesql } from "./static_type.ts";
import { type CesqlErrorClass, CesqlFailure, type CesqlValue, cesqlZero } from "./value.ts";

/** What an evaluation gave: a value, and where it had an error its class, or what is wrong with the text. */
export type CesqlResult =
  | { readonly value: CesqlValue; readonly error?: CesqlErrorClass }
  | { readonly issues: readonly LanguageIssue[] };

/**
 * Compiles an expression over the attributes of an event. Called once, when a pipeline is verified; the issues are
 * everything wrong with the text, functions that do not exist and casts that never succeed among them. `quoted` is what errors
 * quote of it, by default all.
 */
export function compileCesql(source: string, quoted = source): Compiled<CesqlExpression> {
  const { root, issues } = parseCesql(source);
  const places = new Set(issues.map(({ offset }) => offset));
  const further = checkCesql(root, issues.length === 0).filter(({ offset }) => !places.has(offset));
  const found = [...issues, ...further].sort((left, right) => left.offset - right.offset).slice(0, CESQL_ISSUES_MAX);
  return found.length > 0 ? { ok: false, issues: found } : { ok: true, program: new Expression(source, quoted, root) };
}

/**
 * Evaluates an expression once, by the way that pipelines use, and gives the value that goes with an error, too. What
 * could be told before is an error where it is evaluated, not an issue: the public test suite asks for that.
 * @throws {EventboatError} `budget`.
 */
export function evaluateCesql(source: string, scope: Scope): CesqlResult {
  const { root, issues } = parseCesql(source);
  if (issues.length > 0) return { issues };
  const outcome = emitCesql(root)(scope);
  if (!(outcome instanceof CesqlFailure)) return { value: outcome };
  // The value of a failed operand says nothing about the whole.
  const value = outcome.at === root.at ? outcome.value : undefined;
  return { value: value ?? cesqlZero(typeOfCesql(root) ?? "Boolean"), error: outcome.errorClass };
}

class Expression implements CesqlExpression {
  readonly lang = "cesql";
  readonly source: string;
  readonly quoted: string;
  readonly reads: CesqlExpression["reads"];
  readonly literal: CesqlExpression["literal"];
  readonly equalities: CesqlExpression["equalities"];
  readonly #root: CesqlNode;

  constructor(source: string, quoted: string, root: CesqlNode) {
    this.source = source;
    this.quoted = quoted;
    this.reads = cesqlReads(root);
    this.literal = root.kind === "literal" && typeof root.value === "boolean" ? root.value : undefined;
    this.equalities = cesqlEqualities(root);
    this.#root = root;
  }

  bind(): CesqlFunction {
    const run = emitCesql(this.#root);
    const { quoted } = this;
    return (scope) => {
      let outcome;
      try {
        outcome = run(scope);
      } catch (caught) {
        throw inExpression(this, caught);
      }
      if (typeof outcome !== "object") return outcome;
      throw failed(quoted, outcome);
    };
  }
}

/** The stack ran out over data that nests too deep, on the way to its JSON text. */
export function tooDeep(source: string, cause: RangeError): EventboatError {
  return evaluationTooDeep({ lang: "cesql", quoted: source }, cause);
}

function failed(source: string, { explanation, at }: CesqlFailure): EventboatError {
  const message = `CESQL ${quotedSource(source)}: ${explanation} (at character ${at + 1})`;
  return new EventboatError("expression", message);
}
