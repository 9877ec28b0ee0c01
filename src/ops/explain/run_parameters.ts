/** Owns the parameters a sample is explained with: what was given, over what the pipeline declares. */

import { type Data, didYouMeanOneOf } from "../../base/mod.ts";
import { isBinding, type ParameterDeclaration, parameterProblem, type ParameterValues } from "../../config/mod.ts";
import { EventboatError } from "../../diagnostics/mod.ts";

/** The start of the run, where a parameter stands for it: fixed, as the stamps of a sample are. */
const STARTED_MS = Date.UTC(2026, 0, 1);

/**
 * Values of all declared parameters. One that is required and was not given is null: explaining has no need of it until
 * something reads it.
 * @throws {EventboatError} `usage` for a value that does not fit, or a name that is not declared.
 */
export function runParameters(
  declared: readonly ParameterDeclaration[],
  given: { readonly [name: string]: Data },
): ParameterValues {
  const names = declared.map(({ name }) => name);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const hint = didYouMeanOneOf(name, names);
    throw new EventboatError("usage", `the pipeline declares no parameter "${name}"`, { hint });
  }
  return Object.fromEntries(declared.map((declaration) => [declaration.name, valueOf(declaration, given)]));
}

function valueOf(declaration: ParameterDeclaration, given: { readonly [name: string]: Data }): Data {
  const { name, type, default: fallback = null } = declaration;
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value !== undefined) {
    const problem = parameterProblem(declaration, value);
    if (problem === undefined) return value;
    throw new EventboatError("usage", `the parameter "${name}" ${problem}`);
  }
  if (!isBinding(declaration, fallback)) return fallback;
  if (fallback !== "now") return null;
  return type === "string" ? new Date(STARTED_MS).toISOString() : STARTED_MS;
}
