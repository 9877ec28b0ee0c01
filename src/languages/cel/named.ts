/** Owns conditions over other bindings than a pipeline's, such as what chooses dead letters. */

import { EventboatError } from "../../diagnostics/mod.ts";
import { quotedSource } from "../quoted_source.ts";
import type { Compiled } from "../scope.ts";
import { celEqualities, celReads } from "./analysis.ts";
import { compileCelTree, tooDeep } from "./compile.ts";
import { type CelVariables, emitCel } from "./emit.ts";
import type { CelExpression } from "./expression.ts";
import { CelFailure, kindInWords } from "./value.ts";

/** A condition over bindings of its own. Not to be entered again before it has returned. */
export interface NamedCondition extends Pick<CelExpression, "source" | "reads" | "equalities"> {
  /**
   * Whether it holds for these values, one for each name.
   * @throws {EventboatError} `expression` when it fails or gives no bool, `budget` when it costs too much.
   */
  holds(values: { readonly [name: string]: unknown }): boolean;
}

/** Compiles a condition that sees `names` and nothing else; the issues are everything wrong with the text. */
export function compileNamedCondition(source: string, names: readonly string[]): Compiled<NamedCondition> {
  const compiled = compileCelTree(source, { variables: new Set(names), container: "", isLate: false });
  if ("issues" in compiled) return { ok: false, issues: compiled.issues };
  const { root } = compiled;
  const variables: CelVariables = new Map(names.map((name) => [name, { kind: "entry", name }]));
  const run = emitCel(root, variables);
  const program: NamedCondition = {
    source,
    reads: celReads(root),
    equalities: celEqualities(root),
    holds(values) {
      let value: unknown;
      try {
        value = run({ payload: values, meta: {} });
      } catch (caught) {
        throw caught instanceof RangeError ? tooDeep(source, caught) : caught;
      }
      if (typeof value === "boolean") return value;
      const why = value instanceof CelFailure
        ? `${value.explanation} (at character ${value.at + 1})`
        : `it must give a bool, it gave ${kindInWords(value)}`;
      throw new EventboatError("expression", `CEL ${quotedSource(source)}: ${why}`);
    },
  };
  return { ok: true, program };
}
