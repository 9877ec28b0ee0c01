/** Owns the verb `verify`. */

import { renderDiagnostics } from "../diagnostics/mod.ts";
import { OPERATIONS, type VerifyAnswer } from "../ops/mod.ts";
import { EXIT_FAILED, EXIT_OK } from "./exit_code.ts";
import type { Invocation } from "./invocation.ts";
import type { Session } from "./session.ts";

/** Prints the verdict on a pipeline file. */
export async function verifyVerb(
  { config, overlays, runtime, strict, fix }: Invocation & { readonly verb: "verify" },
  session: Session,
): Promise<number> {
  const answer = await session.perform(OPERATIONS.verify, { config, overlays, runtime, strict, fix });
  session.answer(answer, verdictText);
  if (!answer.ok && answer.errors === 0) {
    session.terminal.err("verify fails on warnings, as --strict asks\n");
  }
  return answer.ok ? EXIT_OK : EXIT_FAILED;
}

/** What was rewritten, then every finding, then how many there are. */
export function verdictText(answer: VerifyAnswer): string {
  const fixed = (answer.fixed ?? []).map(({ file, line, column, before, after }) =>
    `fixed ${file}:${line}:${column}: ${before} is now ${after}\n`
  );
  return fixed.join("") + renderDiagnostics(answer.file, answer.diagnostics);
}
