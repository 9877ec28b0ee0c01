/** Owns the verb `version`. */

import { buildInfo } from "../base/mod.ts";
import { EXIT_OK } from "./exit_code.ts";
import type { Session } from "./session.ts";

/** Prints what the program is made of. */
export function versionVerb(session: Session): number {
  session.answer(
    buildInfo(),
    ({ version, deno, v8, target }) => `eventboat ${version} (deno ${deno}, v8 ${v8}, ${target})\n`,
  );
  return EXIT_OK;
}
