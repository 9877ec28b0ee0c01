import assert from "node:assert/strict";
import { inFolder } from "../../tests/suites/contract_folder.ts";
import { DiagnosticBag } from "../diagnostics/mod.ts";
import { platformDisk, SuiteFolder } from "./suite_folder.ts";

const span = { file: "s.yaml", line: 3, column: 4 };

/** What reading `path` in the suite `file` gives: the text, or the codes and messages of its findings. */
function reading(file: string, path: string) {
  const bag = new DiagnosticBag();
  const folder = new SuiteFolder(file, platformDisk, bag);
  const bytes = folder.read(path, span, "the fixture");
  return bytes === undefined
    ? bag.list().map(({ code, line, column, message, hint }) => ({ code, line, column, message, hint }))
    : new TextDecoder().decode(bytes);
}

Deno.test("SuiteFolder: files below the folder that holds tests are read", () =>
  inFolder({ "app/data.ndjson": "data", "app/tests/deep/a.json": "a", "secret.txt": "s" }, (folder) => {
    const suite = `${folder}/app/tests/deep/suite.yaml`;
    assert.equal(reading(suite, "a.json"), "a");
    assert.equal(reading(suite, "../../data.ndjson"), "data");
    return Promise.resolve();
  }));

Deno.test("SuiteFolder: a path that leaves the root is refused where it stands, absolute ones too", () =>
  inFolder({ "app/tests/a.json": "a", "secret.txt": "s", "application/x.txt": "x" }, (folder) => {
    const suite = `${folder}/app/tests/suite.yaml`;
    const why = [
      ["../../secret.txt", "leads out"],
      ["../../application/x.txt", "leads out"],
      ["../..", "leads out"],
      [`${folder}/app/tests/a.json`, "is absolute"],
    ] as const;
    for (const [path, reason] of why) {
      const [finding] = reading(suite, path) as { code: string; line: number; column: number; message: string }[];
      assert.deepEqual([finding?.code, finding?.line, finding?.column], ["suite_path", 3, 4], path);
      assert.ok(finding?.message.includes(reason), finding?.message);
    }
    return Promise.resolve();
  }));

Deno.test("SuiteFolder: a suite in no tests folder has its own folder as root", () =>
  inFolder({ "app/x.json": "x", "y.json": "y" }, (folder) => {
    assert.equal(reading(`${folder}/app/suite.yaml`, "x.json"), "x");
    assert.match(JSON.stringify(reading(`${folder}/app/suite.yaml`, "../y.json")), /suite_path/);
    return Promise.resolve();
  }));

Deno.test({
  name: "SuiteFolder: links that lead out are refused, of files and of folders, those that stay inside are followed",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inFolder({ "app/tests/a.json": "a", "secret/s.json": "s" }, (folder) => {
      const suite = `${folder}/app/tests/suite.yaml`;
      Deno.symlinkSync(`${folder}/secret/s.json`, `${folder}/app/tests/out.json`);
      Deno.symlinkSync(`${folder}/secret`, `${folder}/app/tests/outside`);
      Deno.symlinkSync(`${folder}/app/tests/a.json`, `${folder}/app/in.json`);
      for (const path of ["out.json", "outside/s.json", "outside/new/golden.json"]) {
        assert.match(JSON.stringify(reading(suite, path)), /suite_path.*symbolic link/, path);
      }
      assert.equal(reading(suite, "../in.json"), "a");
      return Promise.resolve();
    }),
});

Deno.test("SuiteFolder: a root that is reached over a link is no way out", () =>
  inFolder({ "real/tests/a.json": "a" }, (folder) => {
    Deno.symlinkSync(`${folder}/real`, `${folder}/linked`);
    assert.equal(reading(`${folder}/linked/tests/suite.yaml`, "a.json"), "a");
    return Promise.resolve();
  }));

Deno.test("SuiteFolder: a missing file names the one that is meant", () =>
  inFolder({ "tests/fixtures/order.json": "{}" }, (folder) => {
    const [finding] = reading(`${folder}/tests/suite.yaml`, "fixtures/ordr.json") as { code: string; hint: string }[];
    assert.deepEqual([finding?.code, finding?.hint], ["suite_file", 'did you mean "order.json"?']);
    return Promise.resolve();
  }));
