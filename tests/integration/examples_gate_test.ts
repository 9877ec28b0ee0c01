import assert from "node:assert/strict";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../scripts/project_files.ts";
import { systemClock } from "../../src/base/mod.ts";
import { reportText, runSuites, selectSuites } from "../../src/contract/mod.ts";
import { Registry } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";

const EXAMPLES = join(PROJECT_ROOT.pathname, "examples");
const PIPELINE_REGEXP = /^kind: Pipeline$/m;
/** What the suites of the examples hold together, at the least. */
const CASES_MIN = 40;

const registry = new Registry(builtins());
const selection = selectSuites([EXAMPLES], { registry, env: () => undefined });

/** Every pipeline of every example. */
function pipelines(): string[] {
  return [...Deno.readDirSync(EXAMPLES)].filter(({ isDirectory }) => isDirectory).flatMap(({ name }) => {
    const folder = join(EXAMPLES, name);
    const files = [...Deno.readDirSync(folder)].filter((entry) => entry.isFile && entry.name.endsWith(".yaml"));
    return files.map((entry) => join(folder, entry.name)).filter((file) =>
      PIPELINE_REGEXP.test(Deno.readTextFileSync(file))
    );
  });
}

for (const file of pipelines()) {
  Deno.test(`examples: ${file.slice(EXAMPLES.length + 1)} has a suite`, () => {
    assert.ok(selection.suites.some(({ files }) => files.includes(file)), "no suite below examples/ names it");
  });
}

Deno.test("examples: every pipeline passes verify --strict in its suite's environment", () => {
  for (const { file, state, diagnostics } of selection.suites) {
    assert.deepEqual([state, diagnostics], ["ready", []], file);
  }
});

Deno.test("examples: every suite passes", async () => {
  const { signal } = new AbortController();
  const { report } = await runSuites(selection.suites, { registry, clock: systemClock, signal, env: () => undefined });
  assert.equal(report.failed, 0, reportText(report, { skipped: 0, written: [] }));
  assert.ok(report.passed >= CASES_MIN, `${report.passed} cases`);
});
