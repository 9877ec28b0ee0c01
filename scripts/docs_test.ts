import assert from "node:assert/strict";
import { ERROR_CODES } from "../src/diagnostics/mod.ts";
import { generatedPages } from "./docs.ts";
import { markdownTable, withPart } from "./generated_parts.ts";
import { PROJECT_ROOT } from "./project_files.ts";
import { COMMON_ROOMS, mayImport, ROOMS } from "./rooms.ts";

Deno.test("docs: what is generated is up to date", async () => {
  for (const [page, text] of await generatedPages()) {
    assert.equal(Deno.readTextFileSync(new URL(page, PROJECT_ROOT)), text, `${page} is stale: run "deno task docs"`);
  }
});

Deno.test("withPart: replaces what stands between its markers and nothing else", () => {
  const page = "a\n<!-- generated: x -->\nold\n<!-- end of generated: x -->\nb\n";
  assert.equal(withPart(page, "x", "new\n"), "a\n<!-- generated: x -->\n\nnew\n\n<!-- end of generated: x -->\nb\n");
  assert.throws(() => withPart(page, "y", "new"), /holds no/);
});

Deno.test("markdownTable: a bar in a cell does not make a column", () => {
  assert.equal(markdownTable(["a", "b"], [["1|2", "3"]]), "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |");
});

Deno.test("ROOMS: imports lead downwards, so no two rooms can need each other", () => {
  for (const room of ROOMS) {
    for (const other of [...room.mayImport, ...room.mayImportTypes ?? []]) {
      const target = ROOMS.find(({ name }) => name === other);
      assert.ok(target !== undefined && target.floor < room.floor, `${room.name} -> ${other}`);
      assert.equal(mayImport(other, room.name, "type"), false);
    }
  }
});

Deno.test("mayImport: everyone may import the common rooms, and those nothing", () => {
  for (const { name } of ROOMS) {
    for (const common of COMMON_ROOMS) {
      assert.equal(mayImport(name, common, "value"), name === common || !COMMON_ROOMS.includes(name), name);
    }
  }
});

Deno.test("ROOMS: every folder of src/ is a room of the table", () => {
  for (const entry of Deno.readDirSync(new URL("src/", PROJECT_ROOT))) {
    if (entry.isDirectory) assert.ok(ROOMS.some(({ name }) => name === entry.name), entry.name);
  }
});

Deno.test("docs/errors.md: has a row for every code and none beside", () => {
  const page = Deno.readTextFileSync(new URL("docs/errors.md", PROJECT_ROOT));
  const rows = [...page.matchAll(/^\| `([a-z_]+)`/gm)].map(([, code]) => code);
  assert.deepEqual(rows, [...ERROR_CODES]);
});
