/** Owns the name of a starter pipeline. */

import { basename, resolve } from "node:path";
import { nameProblem } from "../../schema/mod.ts";

const NAME_FALLBACK = "pipeline";
const NAME_LENGTH_MAX = 64;
const FOREIGN_REGEXP = /[^a-zA-Z0-9._-]+/g;
const START_REGEXP = /^[^a-zA-Z0-9]+/;
/** What YAML takes for text as it stands. */
const PLAIN_REGEXP = /^(?!(?:true|false|null)$)[a-z][a-z0-9._-]*$/i;

/** The name of a pipeline in this folder: the folder's own, as far as a pipeline may be called so. */
export function starterName(dir: string): string {
  const name = basename(resolve(dir)).replace(FOREIGN_REGEXP, "-").replace(START_REGEXP, "").slice(0, NAME_LENGTH_MAX);
  return nameProblem(name) === undefined ? name : NAME_FALLBACK;
}

/** A valid name as it stands in YAML: in quotes where it would be something else than text. */
export function nameInYaml(name: string): string {
  return PLAIN_REGEXP.test(name) ? name : JSON.stringify(name);
}
