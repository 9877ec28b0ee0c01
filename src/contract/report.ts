/** Owns the report of contract suites: plain data that every surface shows. */

import type { Diagnostic } from "../diagnostics/mod.ts";

/** Something that is not as a case expects it. */
export interface Difference {
  /** What was looked at, such as `sink "eu-out", message 1`. */
  readonly where: string;
  /** The path inside a message. */
  readonly path?: string;
  readonly expected: string;
  readonly found: string;
  /** What may help to see why. */
  readonly note?: string;
}

/** How one case ended. */
export interface CaseReport {
  readonly name: string;
  readonly ok: boolean;
  /** Real time it took, in milliseconds. */
  readonly ms: number;
  /** Empty where it is as expected. */
  readonly differences: readonly Difference[];
}

/** How one suite ended. */
export interface SuiteReport {
  /** The file as it was named, or found in the folder that was. */
  readonly file: string;
  /** Empty where the file could not be read so far. */
  readonly name: string;
  readonly cases: readonly CaseReport[];
  /** Why its cases did not run; absent where they did. */
  readonly diagnostics?: readonly Diagnostic[];
}

/** How all suites ended. */
export interface TestReport {
  /** Cases that are as expected. */
  readonly passed: number;
  /** Cases that are not. */
  readonly failed: number;
  readonly suites: readonly SuiteReport[];
}

/** The report of these suites. */
export function testReport(suites: readonly SuiteReport[]): TestReport {
  const cases = suites.flatMap((suite) => suite.cases);
  const passed = cases.filter(({ ok }) => ok).length;
  return { passed, failed: cases.length - passed, suites };
}
