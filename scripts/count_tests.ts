/** Owns the counting of a test run from its JUnit report, for the last line of .ci/run. */

/** What a report says. */
export interface TestCounts {
  readonly passed: number;
  /** Names of the tests that failed. */
  readonly failed: readonly string[];
  /** Names of the tests that were skipped. */
  readonly skipped: readonly string[];
}

const TESTCASE_REGEXP = /<testcase name="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g;
const STEP_MARK = " &gt; ";

/** Counts the tests of a report; steps inside a test belong to it. */
export function countTests(report: string): TestCounts {
  const cases = [...report.matchAll(TESTCASE_REGEXP)];
  const names = new Set(cases.map(([, name = ""]) => name));
  let passed = 0;
  const failed: string[] = [];
  const skipped: string[] = [];
  for (const [, name = "", body = ""] of cases) {
    if (isStep(name, names)) continue;
    if (body.includes("<failure") || body.includes("<error")) failed.push(name);
    else if (body.includes("<skipped")) skipped.push(name);
    else passed++;
  }
  return { passed, failed, skipped };
}

/** A step is reported under its test's name, the mark, and its own name. */
function isStep(name: string, names: ReadonlySet<string>): boolean {
  for (let at = name.indexOf(STEP_MARK); at >= 0; at = name.indexOf(STEP_MARK, at + 1)) {
    if (names.has(name.slice(0, at))) return true;
  }
  return false;
}

/** Prints what failed and was skipped, then `<passed> <failed>`: here a skipped test has failed. */
function main([path = "", exitCode = "1"]: readonly string[]): void {
  let report = "";
  try {
    report = Deno.readTextFileSync(path);
  } catch (caught) {
    if (!(caught instanceof Deno.errors.NotFound)) throw caught;
    console.log("no report was written: the test run broke off");
  }
  const { passed, failed, skipped } = countTests(report);
  for (const name of failed) console.log(`failed: ${name}`);
  for (const name of skipped) console.log(`skipped, which counts as failed here: ${name}`);
  const told = failed.length + skipped.length;
  // A module that does not load fails the run without being a test.
  console.log(`${passed} ${told === 0 && exitCode !== "0" ? 1 : told}`);
}

if (import.meta.main) main(Deno.args);
