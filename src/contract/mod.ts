/** Contract suites: their format, how they run on the real engine, what is reported. */
export { junitText } from "./junit.ts";
export { type PreparedSuite, type PrepareScope, prepareSuiteText } from "./prepare_suite.ts";
export type { CaseReport, Difference, SuiteReport, TestReport } from "./report.ts";
export { reportText, type ReportTextOptions } from "./report_text.ts";
export {
  runSuites,
  type RunSuitesOptions,
  selectSuites,
  type SuiteSelection,
  type SuitesResult,
  type TestProgress,
} from "./run_suites.ts";
export { platformDisk, type SuiteDisk } from "./suite_folder.ts";
export { suiteSchema } from "./suite_schema.ts";
