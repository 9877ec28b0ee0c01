/** Owns the operations `init` and `init_templates`. */

import { didYouMeanOneOf } from "../../base/mod.ts";
import { EventboatError } from "../../diagnostics/mod.ts";
import { block, data, define, flag, nameProblem, optional, text } from "../../schema/mod.ts";
import type { Operation } from "../operation.ts";
import { writeStarter } from "./starter_folder.ts";
import { nameInYaml, starterName } from "./starter_name.ts";
import type { Template } from "./template.ts";
import { TEMPLATE_DEFAULT, TEMPLATES } from "./templates.ts";

/** What was written. */
export interface InitAnswer {
  readonly template: string;
  /** The pipeline's name. */
  readonly name: string;
  readonly dir: string;
  /** Paths below `dir`. */
  readonly files: readonly string[];
}

/** The templates, in the order of lists. */
export interface InitTemplatesAnswer {
  readonly templates: readonly { readonly name: string; readonly summary: string; readonly default: boolean }[];
}

const input = block({
  dir: text({ description: "The folder, made where it is missing.", default: "." }),
  template: text({ description: "What to begin from, one of init_templates.", default: TEMPLATE_DEFAULT }),
  name: optional(text({ description: "The pipeline's name. Default: that of the folder." })),
  force: flag({ description: "Overwrite files that are there, instead of writing nothing.", default: false }),
});

/** Writes a starter pipeline, its suite and a fixture. */
export const initOperation: Operation<typeof input, InitAnswer> = {
  name: "init",
  summary: "Writes a starter pipeline, its test suite and a fixture into a folder.",
  effect: "write",
  input: define(input),
  output: data({ description: "{template, name, dir, files}" }),
  // deno-lint-ignore require-await -- what it throws is to be the promise's
  async handle({ dir, template: wanted, name: given, force }) {
    const template = templateNamed(wanted);
    const name = given ?? starterName(dir);
    const problem = nameProblem(name);
    if (problem !== undefined) {
      throw new EventboatError("usage", `a pipeline cannot be called ${JSON.stringify(name)}: the name ${problem}`);
    }
    const files = template.files(nameInYaml(name));
    writeStarter(files, { dir, force });
    return { template: template.name, name, dir, files: files.map(({ path }) => path) };
  },
};

const noInput = block({});

/** Lists the templates. */
export const initTemplatesOperation: Operation<typeof noInput, InitTemplatesAnswer> = {
  name: "init_templates",
  summary: "Lists the templates of starter pipelines.",
  effect: "read",
  input: define(noInput),
  output: data({ description: "{templates: [{name, summary, default}]}" }),
  handle: () =>
    Promise.resolve({
      templates: TEMPLATES.map(({ name, summary }) => ({ name, summary, default: name === TEMPLATE_DEFAULT })),
    }),
};

function templateNamed(wanted: string): Template {
  const template = TEMPLATES.find(({ name }) => name === wanted);
  if (template !== undefined) return template;
  const names = TEMPLATES.map(({ name }) => name);
  throw new EventboatError(
    "usage",
    `there is no template named ${JSON.stringify(wanted)}`,
    { hint: didYouMeanOneOf(wanted, new Set(names)) ?? "init --list tells what each of them is" },
  );
}
