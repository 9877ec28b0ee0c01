import assert from "node:assert/strict";
import { linkTargetFolders } from "./link_targets.ts";
import { parseGlobs } from "./path_glob.ts";

/** Makes a folder with files, and links by the paths they lead to; gives what the function says, relative to it. */
function foldersOf(pattern: string, files: readonly string[], links: Readonly<Record<string, string>>): string[] {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "eventboat-links-" }));
  const make = (path: string) => Deno.mkdirSync(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
  try {
    for (const file of files) {
      make(file);
      Deno.writeTextFileSync(`${folder}/${file}`, "");
    }
    for (const [link, target] of Object.entries(links)) {
      make(link);
      Deno.symlinkSync(target.startsWith("/") ? target : `${folder}/${target}`, `${folder}/${link}`);
    }
    return linkTargetFolders(parseGlobs(pattern, folder)).map((path) => path.replace(`${folder}/`, ""));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const options = { ignore: Deno.build.os === "windows" };

Deno.test("linkTargetFolders: the folder that all targets have in common, through links to links", options, () => {
  const files = ["pods/a_1/web/0.log", "pods/b_2/db/3.log"];
  const links = {
    "containers/a.log": "pods/a_1/web/0.log",
    "containers/b.log": "hop.log",
    "hop.log": "pods/b_2/db/3.log",
  };
  assert.deepEqual(foldersOf("containers/*.log", files, links), ["pods"]);
});

Deno.test("linkTargetFolders: one target's own folder; nothing where no link leads out", options, () => {
  assert.deepEqual(foldersOf("in/*.log", ["out/deep/x.log"], { "in/x.log": "out/deep/x.log" }), ["out/deep"]);
  assert.deepEqual(foldersOf("in/*.log", ["in/x.log"], { "in/y.log": "in/x.log" }), []);
  assert.deepEqual(foldersOf("in/*.log", ["in/x.log", "out/y.txt"], { "in/y.txt": "out/y.txt" }), []);
  assert.deepEqual(foldersOf("in/*.log", ["in/x.log"], { "in/y.log": "nowhere/y.log" }), []);
  assert.deepEqual(foldersOf("nowhere/*.log", [], {}), []);
});

Deno.test("linkTargetFolders: linked folders on the way are followed, below `**` they are not", options, () => {
  const files = ["there/app/x.log", "far/y.log"];
  assert.deepEqual(foldersOf("in/*/x.log", files, { "in/app": "there/app" }), ["there/app"]);
  assert.deepEqual(foldersOf("in/**/*.log", files, { "in/app": "there/app" }), []);
});

Deno.test("linkTargetFolders: never asks for the whole disk", options, () => {
  const folders = foldersOf("in/*.log", ["out/x.log"], { "in/x.log": "out/x.log", "in/h.log": "/etc/hostname" });
  assert.deepEqual(folders, ["/etc", "out"]);
});
