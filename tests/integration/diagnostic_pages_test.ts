import assert from "node:assert/strict";
import { loadRuntime } from "../../src/config/mod.ts";
import { prepareSuiteText, type SuiteDisk } from "../../src/contract/mod.ts";
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "../../src/diagnostics/mod.ts";
import { Registry } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { verifyFile } from "../../src/verify/mod.ts";
import {
  CODES_WITHOUT_PAGE,
  codesWithPage,
  type PagePart,
  pagePath,
  readPage,
} from "../../scripts/diagnostic_pages.ts";
import { PROJECT_ROOT } from "../../scripts/project_files.ts";

const registry = new Registry(builtins());

/** Pages about external plugins, which this version checks and cannot run: their plugin stays unknown. */
const EXTERNAL_REGEXP = /^(?:cfg_)?grpc_/;

const encoder = new TextEncoder();

/** The codes that the files of an example raise, in the order of their findings. Nothing touches the disk. */
function raisedBy({ files }: PagePart): DiagnosticCode[] {
  const env = () => undefined;
  const readFile = (path: string) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const text = files.get(name) ?? files.get(`tests/${name}`);
    if (text === undefined) throw new Deno.errors.NotFound(path);
    return encoder.encode(text);
  };
  const suite = files.get("tests/suite.yaml");
  if (suite !== undefined) return suiteCodes(suite, { env, readFile });
  const runtime = files.get("eventboat.yaml");
  const { diagnostics } = runtime === undefined
    ? verifyFile({
      file: "pipeline.yaml",
      overlays: files.has("overlay.yaml") ? ["overlay.yaml"] : [],
      registry,
      env,
      readFile,
    })
    : loadRuntime({ file: "eventboat.yaml", text: encoder.encode(runtime), env });
  return diagnostics.map(({ code }) => code);
}

/** The codes that a contract suite raises. Its cases are not run. */
function suiteCodes(text: string, scope: Pick<SuiteDisk, "readFile"> & { env(): undefined }): DiagnosticCode[] {
  const disk = { readFile: scope.readFile, realPath: (path: string) => path, listNames: () => [] };
  const prepared = prepareSuiteText({ file: "tests/suite.yaml", text }, { registry, env: scope.env, disk });
  assert.ok(prepared !== undefined, "the example is a suite");
  return prepared.diagnostics.map(({ code }) => code);
}

for (const code of codesWithPage()) {
  Deno.test(`diagnostic page ${code}: its first example raises it, its cure raises nothing`, () => {
    const { raises, cure } = readPage(Deno.readTextFileSync(new URL(pagePath(code), PROJECT_ROOT)));
    const raised = raisedBy(raises);
    assert.ok(raised.includes(code), `raised: ${raised.join(", ")}`);
    const left = raisedBy(cure).filter((other) => !(EXTERNAL_REGEXP.test(code) && other === "plugin_unknown"));
    assert.deepEqual(left, []);
  });
}

Deno.test("diagnostic pages: every code has a page or a reason", () => {
  const pages = [...Deno.readDirSync(new URL("docs/diagnostics/", PROJECT_ROOT))].map(({ name }) => name);
  assert.deepEqual(pages.sort(), codesWithPage().map((code) => `${code}.md`).sort());
  for (const code of CODES_WITHOUT_PAGE.keys()) assert.ok(Object.hasOwn(DIAGNOSTIC_CODES, code));
});
