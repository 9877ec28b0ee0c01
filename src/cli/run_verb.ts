/** Owns the verb `run`. */

import { OPERATIONS, type RunAnswer } from "../ops/mod.ts";
import { errorText } from "./error_text.ts";
import { EXIT_FAILED, runExitCode } from "./exit_code.ts";
import type { Invocation } from "./invocation.ts";
import { liveRun } from "./live_run.ts";
import type { Session } from "./session.ts";
import { StatusLine } from "./status_line.ts";
import { endedText } from "./status_text.ts";
import { StopSignals } from "./stop_signals.ts";
import { verdictText } from "./verify_verb.ts";

/** Verifies a pipeline and runs it; the first signal stops it, a second one ends the program. */
export async function runVerb(invocation: Invocation & { readonly verb: "run" }, session: Session): Promise<number> {
  const { terminal } = session;
  const { config, overlays, dataDir, ephemeral, runtime, watch } = invocation;
  using stop = new StopSignals(terminal);
  using line = new StatusLine(terminal);
  const input = { config, overlays, data_dir: dataDir, ephemeral: ephemeral ? true : undefined, runtime, watch };
  const answer = await session.perform(OPERATIONS.run, input, {
    signal: stop.signal,
    ...liveRun(terminal, line),
    onVerdict: (verdict) => line.log(verdictText(verdict)),
    onEnd: (ended) => line.log(`${endedText(ended)}\n`),
  });
  line.clear();
  if (answer.kind === "refused") {
    if (session.json) session.answer(answer.verdict, verdictText);
    else terminal.err(verdictText(answer.verdict));
    return EXIT_FAILED;
  }
  session.answer(jsonForm(answer), () => `${endedText(answer)}\n`);
  if (answer.failure !== undefined && !session.json) terminal.err(errorText(answer.failure));
  return runExitCode(answer);
}

/** The answer without what only tells its kind. */
function jsonForm({ kind: _kind, ...answer }: RunAnswer & { readonly kind: "ended" }) {
  return answer;
}
