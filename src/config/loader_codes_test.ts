import assert from "node:assert/strict";
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "../diagnostics/mod.ts";
import { expectedFindings, foundFindings, type LoaderFixture, loadFixture } from "./testing/annotated.ts";
import { DOCUMENT_FIXTURES } from "./testing/document_fixtures.ts";
import { NODE_FIXTURES } from "./testing/node_fixtures.ts";
import { SECTION_FIXTURES } from "./testing/section_fixtures.ts";

const FIXTURES: readonly LoaderFixture[] = [...DOCUMENT_FIXTURES, ...SECTION_FIXTURES, ...NODE_FIXTURES];

/** The loader's codes are the first ones of the catalogue, up to those that need the graph. */
function loaderCodes(): readonly string[] {
  const codes = Object.keys(DIAGNOSTIC_CODES);
  return codes.slice(0, codes.indexOf("topo_missing_ref" satisfies DiagnosticCode));
}

for (const [index, fixture] of FIXTURES.entries()) {
  const { code, raises, clean, overlay } = fixture;
  Deno.test(`loadPipeline: ${code} (${index}) stands where the fixture says, and its cure raises nothing`, () => {
    const expected = [...expectedFindings("p.yaml", raises), ...expectedFindings("o.yaml", overlay ?? "")];
    assert.ok(expected.some((finding) => finding.startsWith(`${code} `)), "the fixture does not name its code");
    assert.deepEqual(foundFindings(loadFixture(raises, overlay)), expected);
    assert.deepEqual(foundFindings(loadFixture(clean, fixture.cleanOverlay)), []);
  });
}

Deno.test("loadPipeline: every code of the loader has a fixture", () => {
  // `io_read` is about the disk: the tests of readPipeline have it.
  const covered = new Set<string>(["io_read", ...FIXTURES.map((fixture) => fixture.code)]);
  assert.deepEqual(loaderCodes().filter((code) => !covered.has(code)), []);
});
