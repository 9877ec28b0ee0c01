/** Owns the program's exit codes. */

import type { EndedRun } from "../ops/mod.ts";

/** All is well. */
export const EXIT_OK = 0;
/** The verdict, the run or the program failed. */
export const EXIT_FAILED = 1;
/** The command line is wrong. */
export const EXIT_USAGE = 2;

/**
 * The exit code of `run`. A batch run that was interrupted or left dead letters has not done what it was to do; a
 * continuous pipeline is stopped by its user, and its dead letters are no fault of the run.
 */
export function runExitCode({ mode, status }: Pick<EndedRun, "mode" | "status">): number {
  if (status === "failed") return EXIT_FAILED;
  if (mode === "batch") return status === "completed" ? EXIT_OK : EXIT_FAILED;
  return EXIT_OK;
}
