import assert from "node:assert/strict";
import { GlobError, isPlainPath, parseGlobs } from "./path_glob.ts";
import { scanPaths } from "./path_scan.ts";
import { TrialFolder } from "./source_trial.ts";

/** A folder with the files; returns those that the pattern finds, relative to it. */
async function find(pattern: string, names: readonly string[]): Promise<string[]> {
  using folder = new TrialFolder();
  for (const name of names) {
    Deno.mkdirSync(folder.at(name).replace(/\/[^/]*$/, ""), { recursive: true });
    folder.write(name, "x");
  }
  const { files } = await scanPaths(parseGlobs(pattern, folder.path));
  return files.map((file) => file.path.slice(folder.path.length + 1));
}

const TREE = ["a.log", "b.log", "c.txt", ".hidden.log", "x/a.log", "x/y/a.log", "x/y/z/b.log", ".git/a.log"];

Deno.test("glob: stars, question marks and classes match within a name", async () => {
  assert.deepEqual(await find("*.log", TREE), ["a.log", "b.log"]);
  assert.deepEqual(await find("?.log", ["a.log", "ab.log"]), ["a.log"]);
  assert.deepEqual(await find("[a-b].*", TREE), ["a.log", "b.log"]);
  assert.deepEqual(await find("[!a].log", TREE), ["b.log"]);
  assert.deepEqual(await find("x/*/a.log", TREE), ["x/y/a.log"]);
  assert.deepEqual(await find("a.log", TREE), ["a.log"]);
  assert.deepEqual(await find("*(1).log", ["a(1).log", "a1.log"]), ["a(1).log"]);
});

Deno.test("glob: two stars match any number of folders", async () => {
  assert.deepEqual(await find("**/a.log", TREE), ["a.log", "x/a.log", "x/y/a.log"]);
  assert.deepEqual(await find("x/**", TREE), ["x/a.log", "x/y/a.log", "x/y/z/b.log"]);
  assert.deepEqual(await find("**/y/**/*.log", TREE), ["x/y/a.log", "x/y/z/b.log"]);
});

Deno.test("glob: braces stand for several patterns, nested ones too", async () => {
  assert.deepEqual(await find("{a,c}.{log,txt}", TREE), ["a.log", "c.txt"]);
  assert.deepEqual(await find("{x/{a,y/a},b}.log", TREE), ["b.log", "x/a.log", "x/y/a.log"]);
  assert.deepEqual(await find("{a,*}.log", TREE), ["a.log", "b.log"]);
});

Deno.test("glob: a leading dot wants a dot", async () => {
  assert.deepEqual(await find(".*.log", TREE), [".hidden.log"]);
});

Deno.test({
  name: "glob: a backslash takes the next character as it is",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    assert.deepEqual(await find("\\*.log", ["*.log", "a.log"]), ["*.log"]);
    assert.equal(isPlainPath(parseGlobs("/a/\\[b\\].log", "/")), true);
    assert.equal(parseGlobs("/a/\\[b\\].log", "/")[0]?.root, "/a/[b].log");
  },
});

Deno.test("glob: roots are the fixed folders", () => {
  const roots = (pattern: string) => parseGlobs(pattern, "/pipelines").map((glob) => glob.root);
  assert.deepEqual(roots("a/b/*.log"), ["/pipelines/a/b"]);
  assert.deepEqual(roots("../in/a.log"), ["/in/a.log"]);
  assert.deepEqual(roots("/*.log"), ["/"]);
  assert.deepEqual(roots("/var/{log,tmp}/**"), ["/var/log", "/var/tmp"]);
});

Deno.test("glob: what is not closed, or too much, is an error with its place", () => {
  assert.throws(() => parseGlobs("a/[b", "/"), GlobError);
  assert.throws(() => parseGlobs("a{b", "/"), (error) => error instanceof GlobError && error.offset === 1);
  assert.throws(() => parseGlobs("{1,2,3,4,5,6,7,8}".repeat(3), "/"), GlobError);
});

Deno.test({
  name: "scanPaths: follows links to files, but goes in no circles, and finds a file of two names once",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    using folder = new TrialFolder();
    Deno.mkdirSync(folder.at("x"));
    folder.write("x/a.log", "1");
    Deno.symlinkSync("..", folder.at("x/loop"));
    Deno.symlinkSync("a.log", folder.at("x/b.log"));
    Deno.linkSync(folder.at("x/a.log"), folder.at("x/c.log"));
    const names = async (pattern: string) =>
      (await scanPaths(parseGlobs(pattern, folder.path))).files.map((f) => f.path);
    assert.deepEqual(await names("**/*.log"), [folder.at("x/a.log")]);
    assert.deepEqual(await names("x/[bc].log"), [folder.at("x/b.log")]);
    assert.deepEqual(await names("x/loop/x/a.log"), [folder.at("x/loop/x/a.log")]);
  },
});

Deno.test("scanPaths: a path that is written out and no file is a problem, one that a pattern meets is passed over", async () => {
  using folder = new TrialFolder();
  Deno.mkdirSync(folder.at("logs"));
  const scan = async (pattern: string) => await scanPaths(parseGlobs(pattern, folder.path));
  const named = await scan("logs");
  assert.deepEqual(named.problems.map(({ path }) => path), [folder.at("logs")]);
  assert.match(named.problems[0]?.error.message ?? "", /^it is a folder /);
  assert.deepEqual((await scan("l*")).problems, []);
  assert.deepEqual((await scan("nothing")).problems, []);
});
