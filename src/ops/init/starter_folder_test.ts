import assert from "node:assert/strict";
import { EventboatError } from "../../diagnostics/mod.ts";
import { writeStarter } from "./starter_folder.ts";

const FILES = [
  { path: "pipeline.yaml", text: "kind: Pipeline\n" },
  { path: "tests/fixtures/one.json", text: "{}\n" },
  { path: "tests/suite.yaml", text: "suite: s\n" },
];

/** Calls back with a folder of its own. */
function inFolder(fn: (root: string) => void): void {
  const root = Deno.makeTempDirSync({ prefix: "eventboat-init-" });
  try {
    fn(root);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

/** Every entry below a folder: texts of files, null for folders. */
function contentOf(folder: string, below = ""): Record<string, string | null> {
  const content: Record<string, string | null> = {};
  for (const { name, isDirectory, isFile } of Deno.readDirSync(folder)) {
    content[below + name] = isFile ? Deno.readTextFileSync(`${folder}/${name}`) : null;
    if (isDirectory) Object.assign(content, contentOf(`${folder}/${name}`, `${below}${name}/`));
  }
  return content;
}

const WRITTEN = {
  "pipeline.yaml": "kind: Pipeline\n",
  "tests": null,
  "tests/fixtures": null,
  "tests/fixtures/one.json": "{}\n",
  "tests/suite.yaml": "suite: s\n",
};

function refuses(dir: string, { force }: { readonly force: boolean }): EventboatError {
  let refused: unknown;
  try {
    writeStarter(FILES, { dir, force });
  } catch (caught) {
    refused = caught;
  }
  assert.ok(refused instanceof EventboatError);
  assert.equal(refused.code, "io");
  return refused;
}

Deno.test("writeStarter: makes the folder with those above it, and writes every file", () => {
  inFolder((root) => {
    writeStarter(FILES, { dir: `${root}/a/b`, force: false });
    assert.deepEqual(contentOf(`${root}/a/b`), WRITTEN);
  });
});

Deno.test("writeStarter: files that are there are all named, and nothing is written", () => {
  inFolder((root) => {
    Deno.mkdirSync(`${root}/tests`);
    Deno.writeTextFileSync(`${root}/tests/suite.yaml`, "mine");
    Deno.symlinkSync("nowhere", `${root}/pipeline.yaml`);
    const before = contentOf(root);
    const { message } = refuses(root, { force: false });
    assert.ok(message.includes("pipeline.yaml") && message.includes("tests/suite.yaml"), message);
    assert.ok(!message.includes("one.json"), message);
    assert.deepEqual(contentOf(root), before);
  });
});

Deno.test("writeStarter: with force replaces its own files, a link instead of what it leads to, and no others", () => {
  inFolder((root) => {
    Deno.mkdirSync(`${root}/dir`);
    Deno.writeTextFileSync(`${root}/elsewhere`, "mine");
    Deno.writeTextFileSync(`${root}/dir/notes`, "mine");
    Deno.symlinkSync(`${root}/elsewhere`, `${root}/dir/pipeline.yaml`);
    writeStarter(FILES, { dir: `${root}/dir`, force: true });
    assert.deepEqual(contentOf(`${root}/dir`), { ...WRITTEN, notes: "mine" });
    assert.equal(Deno.readTextFileSync(`${root}/elsewhere`), "mine");
  });
});

Deno.test("writeStarter: a folder where a file is to be is no matter of force", () => {
  inFolder((root) => {
    Deno.mkdirSync(`${root}/pipeline.yaml`);
    const { message, hint } = refuses(root, { force: true });
    assert.ok(message.includes("pipeline.yaml/"), message);
    assert.ok(!hint?.includes("--force"), hint);
    assert.deepEqual(contentOf(root), { "pipeline.yaml": null });
  });
});

for (const force of [false, true]) {
  Deno.test(`writeStarter: what was made before a failure is taken away again${force ? ", with force" : ""}`, () => {
    inFolder((root) => {
      Deno.writeTextFileSync(`${root}/tests`, "a file where a folder is to be");
      if (force) Deno.writeTextFileSync(`${root}/pipeline.yaml`, "mine");
      const before = contentOf(root);
      refuses(root, { force });
      assert.deepEqual(contentOf(root), before);
    });
  });

  Deno.test(`writeStarter: a file that cannot be written undoes the others${force ? ", with force" : ""}`, () => {
    inFolder((root) => {
      if (force) Deno.writeTextFileSync(`${root}/pipeline.yaml`, "mine");
      const before = contentOf(root);
      const tooLong = { path: `late/${"x".repeat(300)}`, text: "" };
      assert.throws(() => writeStarter([...FILES, tooLong], { dir: root, force }), { code: "io" });
      assert.deepEqual(contentOf(root), before);
    });
  });
}
