/** Owns the operation `test`: contract suites found, run, reported, and run again when a file changes. */

import { dirname } from "node:path";
import { junitText, runSuites, selectSuites, type SuiteSelection, type TestReport } from "../contract/mod.ts";
import { EventboatError, reasonOf } from "../diagnostics/mod.ts";
import { block, data, define, flag, list, optional, text } from "../schema/mod.ts";
import { FileWatch } from "./file_watch.ts";
import type { Operation, OperationContext } from "./operation.ts";

/** What came of contract suites. */
export interface TestAnswer {
  readonly report: TestReport;
  /** YAML files that are no suites. */
  readonly skipped: number;
  /** Whether every file could be read as what it has to be. */
  readonly readable: boolean;
  /** Golden files that were written. */
  readonly written: readonly string[];
}

const input = block({
  paths: list(text({ description: "A suite file, or a folder that is searched for them." }), {
    description: "What to test.",
  }),
  update_golden: flag({ description: "Write golden files that differ, instead of failing.", default: false }),
  junit: optional(text({ description: "File that the report is written to, as JUnit XML." })),
  watch: flag({ description: "Test again when a file that matters changes.", default: false }),
});

/** Runs contract suites. */
export const testOperation: Operation<typeof input, TestAnswer> = {
  name: "test",
  summary: "Runs contract suites: pipelines on the real engine, fed by fixtures, their sinks captured.",
  // It writes golden files and the JUnit report where it is asked to.
  effect: "write",
  input: define(input),
  output: data({
    description: "{report: {passed, failed, suites: [{file, name, cases: [{name, ok, ms, differences}]}]}, skipped, " +
      "readable, written}",
  }),
  async handle(choice, context) {
    for (;;) {
      const selection = selectSuites(choice.paths, context);
      if (selection.suites.length === 0 && !choice.watch) throw nothingFound(choice.paths, selection);
      // Before the cases run: what changes meanwhile is not missed.
      using watch = choice.watch ? watchOf(selection, context) : undefined;
      const answer = await testOnce(selection, choice, context);
      if (watch === undefined) return answer;
      context.onTested?.(answer);
      if (!await watch.changed(context.signal)) return answer;
    }
  },
};

/** What a round is told beside its suites. */
interface RoundChoice {
  readonly update_golden: boolean;
  readonly junit?: string;
}

async function testOnce(
  selection: SuiteSelection,
  { update_golden: updateGolden, junit }: RoundChoice,
  context: OperationContext,
): Promise<TestAnswer> {
  const { registry, clock, signal, env, onTestProgress } = context;
  const { report, readable, written } = await runSuites(selection.suites, {
    registry,
    clock,
    signal,
    env,
    updateGolden,
    ...(onTestProgress === undefined ? {} : { onProgress: onTestProgress }),
  });
  if (junit !== undefined) await writeReport(junit, junitText(report));
  return { report, skipped: selection.skipped, readable, written };
}

async function writeReport(file: string, text: string): Promise<void> {
  try {
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, text);
  } catch (caught) {
    throw new EventboatError("io", `cannot write the report "${file}": ${reasonOf(caught)}`, { cause: caught });
  }
}

/** Watches everything the answer depends on. Only what lies in a folder that is there can be watched. */
function watchOf({ files, folders }: SuiteSelection, { clock }: OperationContext): FileWatch {
  const watchable = files.filter((file) => {
    try {
      return Deno.statSync(dirname(file)).isDirectory;
    } catch {
      return false;
    }
  });
  return new FileWatch({ files: watchable, folders, clock });
}

function nothingFound(paths: readonly string[], { skipped }: SuiteSelection): EventboatError {
  const searched = paths.map((path) => `"${path}"`).join(", ");
  const others = skipped === 0 ? "" : ` (${skipped} YAML file(s) have no top-level key "suite")`;
  return new EventboatError("usage", `no contract suite found at ${searched}${others}`);
}
