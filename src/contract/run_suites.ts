/** Owns the running of contract suites: found, prepared, run side by side, reported. */

import type { Clock } from "../base/mod.ts";
import type { Registry } from "../plugin/mod.ts";
import { findSuites } from "./find_suites.ts";
import { judgeCase } from "./judge_case.ts";
import type { PreparedCase, PreparedSuite } from "./prepare_suite.ts";
import { type CaseReport, type SuiteReport, type TestReport, testReport } from "./report.ts";
import { runCase } from "./run_case.ts";
import { platformDisk } from "./suite_folder.ts";

/** Suites that are under way at once: while one waits for its store, another computes. */
const SUITES_AT_ONCE = 4;

/** How far the running has come. */
export interface TestProgress {
  readonly cases: number;
  readonly done: number;
  readonly failed: number;
  /** The suite whose case has just ended. */
  readonly suite: string;
}

/** How suites are prepared and run. */
export interface RunSuitesOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The value of an environment variable, for pipelines whose suite does not set it. */
  env(name: string): string | undefined;
  readonly updateGolden?: boolean;
  /** Real time a case may take. */
  readonly caseMsMax?: number;
  onProgress?(progress: TestProgress): void;
}

/** Suites that were found and can be run. */
export interface SuiteSelection {
  readonly suites: readonly PreparedSuite[];
  /** YAML files that are no suites. */
  readonly skipped: number;
  /** Absolute paths of everything the answer depends on. */
  readonly files: readonly string[];
  /** Folders that were searched. */
  readonly folders: readonly string[];
}

/** What came of the suites. */
export interface SuitesResult {
  readonly report: TestReport;
  /** Whether every file could be read as what it has to be. */
  readonly readable: boolean;
  /** Golden files that were written. */
  readonly written: readonly string[];
}

/** Finds and prepares the suites at these paths. Nothing is run. */
export function selectSuites(
  paths: readonly string[],
  { registry, env }: Pick<RunSuitesOptions, "registry" | "env">,
): SuiteSelection {
  const { suites, skipped, folders } = findSuites(paths, { registry, env, disk: platformDisk });
  const files = new Set(suites.flatMap((suite) => [suite.file, ...suite.files]));
  return { suites, skipped, files: [...files], folders };
}

/** Runs prepared suites. Rejects when the caller stops it, and where a golden file cannot be written. */
export async function runSuites(suites: readonly PreparedSuite[], options: RunSuitesOptions): Promise<SuitesResult> {
  const written: string[] = [];
  const run = new SuitesRun(suites, options, (file) => written.push(file));
  const reports = await run.toEnd();
  return { report: testReport(reports), readable: suites.every(({ state }) => state !== "broken"), written };
}

/** One run of suites. */
class SuitesRun {
  readonly #suites: readonly PreparedSuite[];
  readonly #options: RunSuitesOptions;
  readonly #onGolden: (file: string) => void;
  readonly #reports: SuiteReport[];
  #next = 0;
  #done = 0;
  #failed = 0;

  constructor(suites: readonly PreparedSuite[], options: RunSuitesOptions, onGolden: (file: string) => void) {
    this.#suites = suites;
    this.#options = options;
    this.#onGolden = onGolden;
    this.#reports = new Array(suites.length);
  }

  async toEnd(): Promise<readonly SuiteReport[]> {
    await Promise.all(Array.from({ length: SUITES_AT_ONCE }, () => this.#work()));
    return this.#reports;
  }

  /** Takes one suite after the other until none is left. */
  async #work(): Promise<void> {
    for (;;) {
      const index = this.#next++;
      const suite = this.#suites[index];
      if (suite === undefined) return;
      this.#reports[index] = await this.#suite(suite);
    }
  }

  async #suite(suite: PreparedSuite): Promise<SuiteReport> {
    const { file, name, diagnostics } = suite;
    if (suite.state !== "ready") return { file, name, cases: notRun(suite), diagnostics };
    const cases: CaseReport[] = [];
    for (const one of suite.cases) {
      const report = await this.#case(one);
      cases.push(report);
      this.#done++;
      if (!report.ok) this.#failed++;
      this.#options.onProgress?.({
        cases: this.#suites.reduce((sum, each) => sum + each.cases.length, 0),
        done: this.#done,
        failed: this.#failed,
        suite: name,
      });
    }
    return { file, name, cases };
  }

  async #case(one: PreparedCase): Promise<CaseReport> {
    const record = await runCase(one, this.#options);
    return await judgeCase(one, record, {
      updateGolden: this.#options.updateGolden ?? false,
      onGolden: this.#onGolden,
    });
  }
}

/** The cases of a suite that could not run: all of them failed, for the one reason its findings tell. */
function notRun({ caseNames, state }: PreparedSuite): readonly CaseReport[] {
  const found = state === "refused" ? "the pipeline does not pass verify" : "the suite has errors";
  const difference = { where: "the run", expected: "it ends", found: `it did not begin: ${found}` };
  return caseNames.map((name) => ({ name, ok: false, ms: 0, differences: [difference] }));
}
