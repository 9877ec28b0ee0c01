import assert from "node:assert/strict";
import { projectFiles } from "../../scripts/project_files.ts";
import { loadRuntime } from "../../src/config/mod.ts";
import { emptyCounts } from "../../src/engine/mod.ts";
import { Registry } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { verifyFile } from "../../src/verify/mod.ts";

const YAML_BLOCK_REGEXP = /^```yaml\n([\s\S]*?)^```$/gm;
const DENO_VERSION_REGEXP = /deno@(\d+\.\d+\.\d+)|DENO_VERSION=(\d+\.\d+\.\d+)|Deno\]\([^)]*\) (\d+\.\d+\.\d+)/g;

const encoder = new TextEncoder();
const pages = projectFiles().filter(({ path }) => path.endsWith(".md") && !path.startsWith("docs/diagnostics/"));

/** Whole documents of a page, of the kind given. */
function documents(text: string, kind: string): string[] {
  const blocks = [...text.matchAll(YAML_BLOCK_REGEXP)].map(([, block = ""]) => block);
  return blocks.filter((block) => block.includes("apiVersion:") && block.includes(`kind: ${kind}\n`));
}

Deno.test("docs: every whole pipeline that a page shows passes verify --strict", () => {
  let count = 0;
  const registry = new Registry(builtins());
  for (const { path, text } of pages) {
    for (const document of documents(text, "Pipeline")) {
      const readFile = () => encoder.encode(document);
      const { diagnostics } = verifyFile({ file: path, strict: true, registry, readFile, env: () => undefined });
      assert.deepEqual(diagnostics, []);
      count++;
    }
  }
  assert.ok(count > 0, "the README shows a pipeline");
});

Deno.test("docs: every Runtime document that a page shows loads", () => {
  for (const { path, text } of pages) {
    for (const document of documents(text, "Runtime")) {
      const { diagnostics } = loadRuntime({ file: path, text: encoder.encode(document), env: () => undefined });
      assert.deepEqual(diagnostics, []);
    }
  }
});

Deno.test("docs: README, CI and workflows name the same Deno", () => {
  const versions = new Set<string>();
  for (const { path, text } of projectFiles()) {
    if (path !== "README.md" && !path.startsWith(".ci/") && !path.startsWith(".github/")) continue;
    for (const [, a, b, c] of text.matchAll(DENO_VERSION_REGEXP)) versions.add(a ?? b ?? c ?? "");
  }
  assert.equal(versions.size, 1, [...versions].join(", "));
});

Deno.test("docs: the page about --json names every count of a run", () => {
  const page = pages.find(({ path }) => path === "docs/json.md")?.text ?? "";
  const missing = Object.keys(emptyCounts()).filter((count) => !page.includes(`\`${count}\``));
  assert.deepEqual(missing, []);
});
