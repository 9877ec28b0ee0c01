/** Owns the operation `verify`. */

import type { Static } from "typebox";
import { block, data, define, flag, optional } from "../schema/mod.ts";
import { type FileFix, fixFiles, type Verdict, verifyFile, type VerifyOptions } from "../verify/mod.ts";
import { configField, overlaysField, runtimeField } from "./fields.ts";
import type { Operation, OperationContext } from "./operation.ts";
import { openRuntime, type RuntimeChoice } from "./runtime.ts";

/** The answer about a pipeline file: the verdict as plain data, without the plan it came with. */
export interface VerifyAnswer extends Omit<Verdict, "document" | "plan"> {
  /** What `fix` rewrote; absent without it. */
  readonly fixed?: readonly FileFix[];
}

const input = block({
  config: configField,
  overlays: overlaysField,
  runtime: optional(runtimeField),
  strict: flag({ description: "Let warnings fail the verdict too.", default: false }),
  fix: flag({ description: "Rewrite older spellings in the files first.", default: false }),
});

/** Judges a pipeline file without starting anything. */
export const verifyOperation: Operation<typeof input, VerifyAnswer> = {
  name: "verify",
  summary: "Judges a pipeline file and lists everything that is wrong with it.",
  // With `fix` it writes the files it was given.
  effect: "write",
  input: define(input),
  output: data({ description: "{ok, file, errors, warnings, diagnostics, permissions, fixed?}" }),
  handle(choice, context) {
    const fixed = choice.fix ? fixFiles([choice.config, ...choice.overlays]) : undefined;
    const answer = withRuntime(verifyAnswer(verifyFile(verifyOptions(choice, context))), choice, context);
    return Promise.resolve(fixed === undefined ? answer : { ...answer, fixed });
  },
};

/** The verdict with what is wrong with the Runtime document that a run would take, which would not begin then. */
function withRuntime(answer: VerifyAnswer, choice: RuntimeChoice, context: OperationContext): VerifyAnswer {
  const opened = openRuntime(choice, context);
  if (opened.kind === "opened") return answer;
  const { errors, warnings, diagnostics } = opened.verdict;
  return {
    ...answer,
    ok: false,
    errors: answer.errors + errors,
    warnings: answer.warnings + warnings,
    diagnostics: [...answer.diagnostics, ...diagnostics],
  };
}

/** What the verify room is told for an operation that names a pipeline file. */
export function verifyOptions(
  choice: Pick<Static<typeof input>, "config" | "overlays"> & { readonly strict?: boolean },
  context: OperationContext,
): VerifyOptions {
  const { config, overlays, strict = false } = choice;
  return { file: config, overlays, strict, registry: context.registry, env: context.env };
}

/** The verdict as every surface shows it. */
export function verifyAnswer(verdict: Verdict): VerifyAnswer {
  const { ok, file, errors, warnings, diagnostics, permissions } = verdict;
  return { ok, file, errors, warnings, diagnostics, permissions };
}
