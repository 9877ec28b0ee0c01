/** Owns the verb `test`. */

import { OPERATIONS, reportText, type TestAnswer } from "../ops/mod.ts";
import { EXIT_FAILED, EXIT_OK, EXIT_USAGE } from "./exit_code.ts";
import type { Invocation } from "./invocation.ts";
import type { Session } from "./session.ts";
import { StatusLine } from "./status_line.ts";
import { StopSignals } from "./stop_signals.ts";

/** Runs contract suites: 1 where a case fails, 2 where a file cannot be read as what it has to be. */
export async function testVerb(
  { paths, updateGolden, junit, watch }: Invocation & { readonly verb: "test" },
  session: Session,
): Promise<number> {
  const { terminal } = session;
  using stop = new StopSignals(terminal);
  using line = new StatusLine(terminal);
  const input = { paths, update_golden: updateGolden, junit, watch };
  const answer = await session.perform(OPERATIONS.test, input, {
    signal: stop.signal,
    onTestProgress: ({ cases, done, failed, suite }) =>
      line.show(`${done} of ${cases} cases, ${failed} failed: ${suite}`),
    onTested: (round) => {
      line.clear();
      // One document is printed at the end: what comes before is for people.
      if (session.json) terminal.err(textOf(round));
      else terminal.out(textOf(round));
    },
  });
  line.clear();
  // The report is what programs are given: what else is known shows in the exit code and in the text.
  if (session.json) session.answer(answer.report, () => "");
  else if (!watch) terminal.out(textOf(answer));
  return testExitCode(answer);
}

function textOf({ report, ...rest }: TestAnswer): string {
  return reportText(report, rest);
}

/** What could not be read weighs more than what failed: the answer is not whole. */
function testExitCode({ report, readable }: TestAnswer): number {
  if (!readable) return EXIT_USAGE;
  return report.failed > 0 ? EXIT_FAILED : EXIT_OK;
}
