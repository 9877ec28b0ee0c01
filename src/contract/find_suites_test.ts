import assert from "node:assert/strict";
import { inFolder } from "../../tests/suites/contract_folder.ts";
import { Registry } from "../plugin/mod.ts";
import { findSuites } from "./find_suites.ts";
import { platformDisk } from "./suite_folder.ts";

const scope = { registry: new Registry(), env: () => undefined, disk: platformDisk };
const SUITE = "suite: s\npipeline: p.yaml\ncases: []\n";

/** Names of what is found, and how many files were skipped. */
function found(folder: string, ...paths: string[]) {
  const { suites, skipped } = findSuites(paths.map((path) => `${folder}/${path}`), scope);
  const names = suites.map(({ file, diagnostics }) => `${file.slice(folder.length + 1)} ${diagnostics[0]?.code}`);
  return { names, skipped };
}

Deno.test("findSuites: YAML below a folder, in the order of names; what is no suite is counted", () =>
  inFolder({
    "b/tests/two.yml": SUITE,
    "b/tests/one.yaml": SUITE,
    "a/suite.yaml": SUITE,
    "a/pipeline.yaml": "kind: Pipeline\n",
    "a/notes.txt": SUITE,
    "a/.hidden/suite.yaml": SUITE,
    "node_modules/x/suite.yaml": SUITE,
    "k8s.yaml": "a: 1\n---\nb: 2\n",
  }, (folder) => {
    assert.deepEqual(found(folder, ""), {
      names: ["/a/suite.yaml", "/b/tests/one.yaml", "/b/tests/two.yml"].map((name) => `${name.slice(1)} suite_shape`),
      skipped: 2,
    });
    return Promise.resolve();
  }));

Deno.test("findSuites: a file that is named is looked at whatever its name, and once", () =>
  inFolder({ "suite.txt": SUITE, "p.yaml": "a: 1\n" }, (folder) => {
    assert.deepEqual(found(folder, "suite.txt", "./suite.txt", "p.yaml"), {
      names: ["suite.txt suite_shape"],
      skipped: 1,
    });
    return Promise.resolve();
  }));

Deno.test("findSuites: what cannot be read or parsed is told, not skipped", () =>
  inFolder({ "broken.yaml": "a: [\n", "latin.yaml": Uint8Array.of(0x61, 0xe9) }, (folder) => {
    assert.deepEqual(found(folder, "", "missing.yaml").names, [
      "broken.yaml yaml_parse",
      "latin.yaml yaml_parse",
      "missing.yaml io_read",
    ]);
    return Promise.resolve();
  }));
