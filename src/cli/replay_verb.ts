/** Owns the verb `replay`. */

import { OPERATIONS, type ReplayAnswer } from "../ops/mod.ts";
import { errorText } from "./error_text.ts";
import { EXIT_FAILED, EXIT_OK } from "./exit_code.ts";
import type { Invocation } from "./invocation.ts";
import { notesText, previewText, replayText } from "./letters_text.ts";
import { liveRun } from "./live_run.ts";
import type { Session } from "./session.ts";
import { StatusLine } from "./status_line.ts";
import { StopSignals } from "./stop_signals.ts";
import { verdictText } from "./verify_verb.ts";

type ReplayInvocation = Invocation & { readonly verb: "replay" };

/**
 * Replays, or shows what would be replayed. Exit code 0 when all of it has committed and nothing became a dead letter, as
 * for `trigger`.
 */
export async function replayVerb(invocation: ReplayInvocation, session: Session): Promise<number> {
  const { terminal } = session;
  const answer = await perform(invocation, session);
  if (answer.kind === "refused") {
    if (session.json) session.answer(answer.verdict, verdictText);
    else terminal.err(verdictText(answer.verdict));
    return EXIT_FAILED;
  }
  const { kind: _kind, ...document } = answer;
  if (answer.kind === "preview") {
    session.answer(document, () => previewText(answer));
    if (!session.json) terminal.err(notesText(answer));
    return EXIT_OK;
  }
  session.answer(document, () => replayText(answer));
  if (!session.json) {
    if (answer.failure !== undefined) terminal.err(errorText(answer.failure));
    terminal.err(notesText(answer.replay));
  }
  return answer.status === "completed" ? EXIT_OK : EXIT_FAILED;
}

async function perform(invocation: ReplayInvocation, session: Session): Promise<ReplayAnswer> {
  const { terminal } = session;
  const { config, overlays, dataDir, runtime, dlq, spool, job, from, to, since, where, ids, at } = invocation;
  using stop = new StopSignals(terminal);
  using line = new StatusLine(terminal);
  const input = {
    config,
    overlays,
    data_dir: dataDir,
    runtime,
    ephemeral: invocation.ephemeral ? true : undefined,
    dlq,
    spool,
    job,
    from,
    to,
    since,
    where,
    ids,
    at,
    limit: invocation.limit,
    delete: invocation.delete,
    dry_run: invocation.dryRun,
  };
  const answer = await session.perform(OPERATIONS.replay, input, {
    signal: stop.signal,
    ...liveRun(terminal, line),
  });
  line.clear();
  return answer;
}
