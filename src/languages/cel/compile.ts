/** Owns compiling CEL: text to an expression, and an expression to the functions that the engine calls. */

import { EventboatError } from "../../diagnostics/mod.ts";
import { inExpression, tooDeep as evaluationTooDeep, wrongResult } from "../condition.ts";
import { quotedSource } from "../quoted_source.ts";
import type { Compiled, Environment, LanguageIssue } from "../scope.ts";
import { celEqualities, celIntArithmetic, celReads } from "./analysis.ts";
import { celBindings, emitCel } from "./emit.ts";
import type { CelExpression, CelFunction, CelKey } from "./expression.ts";
import { type CelNaming, lowerCel } from "./lower.ts";
import type { CelNode } from "./node.ts";
import { parseCel } from "./parse.ts";
import { settleCel } from "./settle.ts";
import { CelFailure, kindInWords } from "./value.ts";

/** What every expression of a pipeline may name. */
export const PIPELINE_NAMING: CelNaming = {
  variables: new Set(["payload", "meta", "constants", "parameters"]),
  container: "",
  isLate: false,
};

/**
 * Compiles an expression that sees `payload`, `meta`, `constants` and `parameters`. Called once, when a pipeline is
 * verified; the issues are everything wrong with the text. `quoted` is what errors quote of it, by default all.
 */
export function compileCel(source: string, quoted = source): Compiled<CelExpression> {
  const compiled = compileCelTree(source, PIPELINE_NAMING);
  return "issues" in compiled
    ? { ok: false, issues: compiled.issues }
    : { ok: true, program: new Expression(source, quoted, compiled.root) };
}

/** Compiles text to a tree, for any set of variables. */
export function compileCelTree(
  source: string,
  naming: CelNaming,
): { readonly root: CelNode } | { readonly issues: readonly LanguageIssue[] } {
  const parsed = parseCel(source);
  if ("issues" in parsed) return parsed;
  const { positions, quotedFields } = parsed;
  const { root, issues } = lowerCel(parsed.expr, { ...naming, source, positions, quotedFields });
  return issues.length > 0 ? { issues: [...issues].sort((left, right) => left.offset - right.offset) } : { root };
}

/**
 * Binds an expression that must give a string, such as an `order_key`.
 * @throws {EventboatError} (the function) `expression` when it fails or gives anything else, `budget`.
 */
export function bindKey(expression: CelExpression, environment: Environment): CelKey {
  return expression.bindKey(environment);
}

class Expression implements CelExpression {
  readonly lang = "cel";
  readonly source: string;
  readonly quoted: string;
  readonly reads: CelExpression["reads"];
  readonly intArithmetic: CelExpression["intArithmetic"];
  readonly literal: CelExpression["literal"];
  readonly equalities: CelExpression["equalities"];
  readonly #root: CelNode;

  constructor(source: string, quoted: string, root: CelNode) {
    this.source = source;
    this.quoted = quoted;
    this.reads = celReads(root);
    this.intArithmetic = celIntArithmetic(root);
    this.literal = root.kind === "constant" && typeof root.value === "boolean" ? root.value : undefined;
    this.equalities = celEqualities(root);
    this.#root = root;
  }

  bind(environment: Environment): CelFunction {
    const run = emitCel(this.#root, celBindings(environment));
    const { quoted } = this;
    return (scope) => {
      try {
        const value = run(scope);
        if (typeof value === "boolean" || typeof value === "string" || typeof value === "number") return value;
        if (!(value instanceof CelFailure)) return settleCel(value);
        throw failed(quoted, value);
      } catch (caught) {
        throw inExpression(this, caught);
      }
    };
  }

  bindKey(environment: Environment): CelKey {
    const run = emitCel(this.#root, celBindings(environment));
    return (scope) => {
      try {
        const value = run(scope);
        if (typeof value === "string") return value;
        throw value instanceof CelFailure
          ? failed(this.quoted, value)
          : wrongResult(this, "a string", kindInWords(value));
      } catch (caught) {
        throw inExpression(this, caught);
      }
    };
  }
}

/** The stack ran out over data that nests too deep. */
export function tooDeep(source: string, cause: RangeError): EventboatError {
  return evaluationTooDeep({ lang: "cel", quoted: source }, cause);
}

function failed(source: string, failure: CelFailure): EventboatError {
  return new EventboatError(
    "expression",
    `CEL ${quotedSource(source)}: ${failure.explanation} (at character ${failure.at + 1})`,
  );
}
