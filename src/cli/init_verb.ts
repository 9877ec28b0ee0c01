/** Owns the verb `init`. */

import { type InitAnswer, type InitTemplatesAnswer, OPERATIONS } from "../ops/mod.ts";
import { EXIT_OK } from "./exit_code.ts";
import type { Invocation } from "./invocation.ts";
import type { Session } from "./session.ts";

/** What a shell takes as it stands. */
const PLAIN_WORD_REGEXP = /^[A-Za-z0-9_./@%+,:][A-Za-z0-9_./@%+,:-]*$/;
const SINGLE_QUOTE_REGEXP = /'/g;

/** Writes a starter pipeline, and says what to do with it. */
export async function initVerb(
  { dir, template, name, force }: Invocation & { readonly verb: "init" },
  session: Session,
): Promise<number> {
  session.answer(await session.perform(OPERATIONS.init, { dir, template, name, force }), starterText);
  return EXIT_OK;
}

/** Lists the templates. */
export async function initListVerb(session: Session): Promise<number> {
  session.answer(await session.perform(OPERATIONS.init_templates, {}), templatesText);
  return EXIT_OK;
}

function starterText({ template, name, dir, files }: InitAnswer): string {
  const steps = [
    // A folder such as -x is no option.
    ...(dir === "." ? [] : [`cd ${dir.startsWith("-") ? "-- " : ""}${shellWord(dir)}`]),
    "eventboat verify --config pipeline.yaml --strict",
    "eventboat test tests",
    "eventboat run --config pipeline.yaml",
  ];
  return [
    `wrote pipeline "${name}" from template ${template} into ${JSON.stringify(dir)}:`,
    ...files.map((file) => `  ${file}`),
    "try it:",
    ...steps.map((step) => `  ${step}`),
    "",
  ].join("\n");
}

function templatesText({ templates }: InitTemplatesAnswer): string {
  const width = Math.max(...templates.map(({ name }) => name.length));
  return templates.map((each) => `${each.name.padEnd(width)}  ${each.summary}${each.default ? " (default)" : ""}\n`)
    .join("");
}

function shellWord(word: string): string {
  return PLAIN_WORD_REGEXP.test(word) ? word : `'${word.replaceAll(SINGLE_QUOTE_REGEXP, `'\\''`)}'`;
}
