import assert from "node:assert/strict";
import { measureFunctions } from "./function_lengths.ts";
import { projectFiles } from "./project_files.ts";
import { changelogFindings, FILE_LINES_MAX, FUNCTION_LINES_MAX, lengthFindings, textFindings } from "./tidy.ts";
import { TIDY_EXCEPTIONS } from "./tidy_exceptions.ts";

/** A function of so many lines. */
function functionOf(lines: number): string {
  return `function long() {\n${"  work();\n".repeat(lines - 2)}}\n`;
}

/** The prefix of a path, in pieces so that this file does not hold it. */
const MACHINE_PATH = ["", "root", ""].join("/");

Deno.test("tidy: the project is tidy", () => {
  const files = projectFiles();
  assert.deepEqual([
    ...lengthFindings(files, TIDY_EXCEPTIONS),
    ...textFindings(files),
    ...changelogFindings(files),
  ], []);
});

Deno.test("measureFunctions: names declarations, methods, constants and callbacks", () => {
  const text =
    `function a() {\n}\nclass B {\n  #c() {\n\n  }\n}\nconst d = () => {\n};\nDeno.test("t", () => {\n\n\n});\n`;
  assert.deepEqual(measureFunctions("x.ts", text), [
    { name: "a", lines: 2 },
    { name: "B.#c", lines: 3 },
    { name: "d", lines: 2 },
    { name: "(given to Deno.test)", lines: 4 },
  ]);
});

Deno.test("lengthFindings: the longest allowed file and function pass, one line more does not", () => {
  const file = (lines: number) => [{ path: "src/a/b.ts", text: "//\n".repeat(lines) }];
  assert.deepEqual(lengthFindings(file(FILE_LINES_MAX), []), []);
  assert.equal(lengthFindings(file(FILE_LINES_MAX + 1), []).length, 1);
  const holder = (lines: number) => [{ path: "tests/a.ts", text: functionOf(lines) }];
  assert.deepEqual(lengthFindings(holder(FUNCTION_LINES_MAX), []), []);
  assert.match(lengthFindings(holder(FUNCTION_LINES_MAX + 1), [])[0] ?? "", /^tests\/a\.ts#long has 71 lines/);
});

Deno.test("lengthFindings: golden files and fixtures are not measured", () => {
  for (const path of ["tests/golden/a.ts", "src/plan/fixtures/a.ts", "docs/a.md"]) {
    assert.deepEqual(lengthFindings([{ path, text: "//\n".repeat(FILE_LINES_MAX + 1) }], []), []);
  }
});

Deno.test("lengthFindings: an exception fits to the line, and goes when it is not needed", () => {
  const files = (lines: number) => [{ path: "src/a/b.ts", text: functionOf(lines) }];
  const exceptions = [{ path: "src/a/b.ts", function: "long", lines: 90, reason: "one switch" }];
  assert.deepEqual(lengthFindings(files(90), exceptions), []);
  assert.match(lengthFindings(files(91), exceptions)[0] ?? "", /grew/);
  assert.match(lengthFindings(files(89), exceptions)[0] ?? "", /shrank/);
  assert.match(lengthFindings(files(60), exceptions)[0] ?? "", /needs no exception/);
  assert.match(lengthFindings([], exceptions)[0] ?? "", /needs no exception/);
});

Deno.test("textFindings: a path of one machine is found, with its line", () => {
  assert.match(textFindings([{ path: "docs/a.md", text: `one\n${MACHINE_PATH}x` }])[0] ?? "", /^docs\/a\.md:2 /);
  assert.deepEqual(textFindings([{ path: "docs/a.md", text: "/var/lib/eventboat and src/work/x" }]), []);
});

Deno.test("textFindings: a lint rule is switched off with a reason only", () => {
  const ignore = "// deno-lint-ignore no-console";
  assert.equal(textFindings([{ path: "src/a/b.ts", text: ignore }]).length, 1);
  assert.deepEqual(textFindings([{ path: "src/a/b.ts", text: `${ignore} -- the terminal is the product here` }]), []);
});

Deno.test("textFindings: a link leads somewhere", () => {
  const page = (link: string) => [{ path: "docs/a.md", text: `See [it](${link}).` }, { path: "README.md", text: "" }];
  for (const link of ["../README.md", "#here", "a.md#there", "https://example.com/x", "../docs"]) {
    assert.deepEqual(textFindings(page(link)), [], link);
  }
  assert.match(textFindings(page("b.md"))[0] ?? "", /links to b\.md/);
});

Deno.test("changelogFindings: the log is there and has an open section", () => {
  assert.equal(changelogFindings([]).length, 1);
  assert.equal(changelogFindings([{ path: "CHANGELOG.md", text: "# Changelog\n" }]).length, 1);
  assert.deepEqual(changelogFindings([{ path: "CHANGELOG.md", text: "# Changelog\n\n## [Unreleased]\n" }]), []);
});
