import assert from "node:assert/strict";
import plugin from "./lint_plugin.ts";

/** The rules, by name, that fire on a file of the given path and text. */
function fired(path: string, text: string): string[] {
  return Deno.lint.runPlugin(plugin, path, text).map(({ id }) => id.replace("eventboat/", ""));
}

/** A well-kept file around the given lines. */
function page(lines: string): string {
  return `/** Owns an example. */\n\n${lines}\n`;
}

function assertFires(rule: string, path: string, text: string): void {
  assert.deepEqual(fired(path, text), [rule], `${path}: ${text}`);
}

function assertQuiet(path: string, text: string): void {
  assert.deepEqual(fired(path, text), [], `${path}: ${text}`);
}

Deno.test("rooms: an import upwards is reported, one that the table allows is not", () => {
  assertFires("rooms", "src/store/file.ts", page(`import { Engine } from "../engine/mod.ts";\nnew Engine();`));
  assertQuiet("src/engine/file.ts", page(`import { Store } from "../store/mod.ts";\nnew Store();`));
  assertQuiet("src/store/file.ts", page(`import { Bag } from "../diagnostics/mod.ts";\nnew Bag();`));
  assertFires("rooms", "src/base/file.ts", page(`import { Bag } from "../diagnostics/mod.ts";\nnew Bag();`));
  assertFires(
    "rooms",
    "src/plugins/sinks/http/sink.ts",
    page(`import { Store } from "../../../store/mod.ts";\nnew Store();`),
  );
});

Deno.test("rooms: a row that allows types alone reports values", () => {
  assertQuiet(
    "src/engine/file.ts",
    page(`import type { Plan } from "../plan/mod.ts";\nlet plan: Plan;`.replace("let", "const")),
  );
  assertQuiet("src/engine/file.ts", page(`export type { Plan } from "../plan/mod.ts";`));
  assertFires("rooms", "src/engine/file.ts", page(`import { build } from "../plan/mod.ts";\nbuild();`));
  assertFires("rooms", "src/engine/file.ts", page(`import { build, type Plan } from "../plan/mod.ts";\nbuild();`));
});

Deno.test("rooms: another room is imported through its door only, by tests and scripts too", () => {
  for (const path of ["src/engine/file.ts", "src/engine/file_test.ts", "src/main.ts"]) {
    const up = path === "src/main.ts" ? "." : "..";
    assertFires("rooms", path, page(`import { Wal } from "${up}/store/wal.ts";\nnew Wal();`));
  }
  assertFires("rooms", "tests/faults/disk_test.ts", page(`import { Wal } from "../../src/store/wal.ts";\nnew Wal();`));
  assertFires("rooms", "scripts/tool.ts", page(`import { Wal } from "../src/store/wal.ts";\nnew Wal();`));
  assertFires("rooms", "src/plan/file.ts", page(`import { run } from "../languages/cel/mod.ts";\nrun();`));
});

Deno.test("rooms: within a room everything may be imported, and tests may import every door", () => {
  assertQuiet("src/languages/cel/file.ts", page(`import { Scope } from "../scope.ts";\nnew Scope();`));
  assertQuiet("src/store/file_test.ts", page(`import { Engine } from "../engine/mod.ts";\nnew Engine();`));
  assertQuiet("src/main.ts", page(`import { runCli } from "./cli/mod.ts";\nrunCli();`));
});

Deno.test("rooms: a plugin's folder imports nothing of another plugin's", () => {
  const shared = page(`import { client } from "../../shared/client.ts";\nclient();`);
  const foreign = page(`import { client } from "../file/client.ts";\nclient();`);
  assertQuiet("src/plugins/sinks/http/sink.ts", shared);
  assertFires("rooms", "src/plugins/sinks/http/sink.ts", foreign);
  assertQuiet("src/plugins/mod.ts", page(`export * from "./sinks/http/sink.ts";`));
});

Deno.test("rooms: every way of importing is looked at", () => {
  const path = "src/store/file.ts";
  assertFires("rooms", path, page(`export * from "../engine/mod.ts";`));
  assertFires("rooms", path, page(`export { run } from "../engine/mod.ts";`));
  assertFires("rooms", path, page(`await import("../engine/mod.ts");`));
  assertFires("rooms", path, page(`const a: import("../engine/mod.ts").Engine = run();`));
});

Deno.test("rooms: registries, URLs and absolute paths stand in deno.json alone", () => {
  for (const name of ["npm:yaml@2", "jsr:@std/assert", "https://example.com/x.ts", "file:///x.ts", "/x.ts"]) {
    assertFires("rooms", "src/config/file.ts", page(`import x from "${name}";\nx();`));
    assertFires("rooms", "src/config/file_test.ts", page(`import x from "${name}";\nx();`));
  }
  assertQuiet(
    "src/config/file.ts",
    page(`import { parse } from "yaml";\nimport { join } from "node:path";\nparse(join());`),
  );
});

Deno.test("rooms: a room imports neither the assembly nor tests and scripts", () => {
  assertFires("rooms", "src/cli/file.ts", page(`import { start } from "../main.ts";\nstart();`));
  assertFires("rooms", "src/cli/file.ts", page(`import { tidy } from "../../scripts/tidy.ts";\ntidy();`));
  assertQuiet("src/version.ts", page(`import config from "../deno.json" with { type: "json" };\nconfig.version;`));
});

Deno.test("rooms: a folder that the table does not have is reported", () => {
  assertFires("rooms", "src/main.ts", page(`import { x } from "./attic/mod.ts";\nx();`));
});

Deno.test("rooms: an import for a side effect is reported", () => {
  assertFires("rooms", "src/store/file.ts", page(`import "./register.ts";`));
});

Deno.test("dynamic-import: a specifier made at run time is reported in the program, not in tests", () => {
  assertFires("dynamic-import", "src/store/file.ts", page("await import(name);"));
  assertFires("dynamic-import", "src/store/file.ts", page("await import(`./${name}.ts`);"));
  assertQuiet("src/store/file_test.ts", page("await import(name);"));
});

Deno.test("module-state: variables at module level are reported, constants and locals are not", () => {
  assertFires("module-state", "src/store/file.ts", page("let count = 0;"));
  assertFires("module-state", "src/store/file.ts", page("/** A count. */\nexport let count = 0;"));
  assertQuiet("src/store/file.ts", page("const count = 0;\nfunction f() {\n  let i = count;\n  i++;\n}\nf();"));
});

Deno.test("console: is reported outside cli, main.ts, scripts and tests", () => {
  const talk = page('console.log("hi");');
  assertFires("console", "src/store/file.ts", talk);
  for (
    const path of ["src/cli/file.ts", "src/main.ts", "scripts/tool.ts", "src/store/file_test.ts", "tests/e2e/run.ts"]
  ) {
    assertQuiet(path, talk);
  }
});

Deno.test("file-name: catch-all names and other spellings are reported", () => {
  for (const name of ["utils", "util", "helpers", "helper", "common", "types", "utils_test"]) {
    assertFires("file-name", `src/store/${name}.ts`, page(""));
  }
  assertFires("file-name", "src/store/readFile.ts", page(""));
  assertFires("file-name", "src/store/read-file.ts", page(""));
  assertQuiet("src/store/read_file.ts", page(""));
});

Deno.test("owns: a file opens with what it owns, a door with what the room is", () => {
  assertFires("owns", "src/store/file.ts", "const x = 1;\nx;\n");
  assertFires("owns", "src/store/file.ts", "/** Does an example. */\nconst x = 1;\nx;\n");
  assertFires("owns", "src/store/mod.ts", 'export * from "./file.ts";\n');
  assertFires("owns", "src/entry.ts", "const x = 1;\nx;\n");
  assertQuiet("src/entry.ts", "/** The entry file of an isolate. */\n");
  assertQuiet("src/store/mod.ts", '/** The store. */\nexport * from "./file.ts";\n');
  assertQuiet("scripts/tool.ts", "#!/usr/bin/env -S deno run\n/** Owns a tool. */\n");
  assertQuiet("src/store/file.ts", "/**\n * Owns an example of many lines.\n */\n");
});

Deno.test("doc: an exported declaration has a doc comment of its own", () => {
  const path = "src/store/file.ts";
  assertFires("doc", path, page("export type A = 1;"));
  assertFires("doc", path, page("// no doc\nexport function a() {}"));
  assertFires("doc", path, page("/** Too far. */\nconst x = 1;\nexport interface A {\n  x: typeof x;\n}"));
  assertFires("doc", path, "/** Owns a class. */\nexport class A {}\n");
  assertFires("doc", path, page("export default class {}"));
  assertQuiet(path, page("/** A letter. */\nexport type A = 1;\n/** An act. */\nexport const b = 1;"));
  assertQuiet(path, page("const a = 1;\nexport { a };"));
});
