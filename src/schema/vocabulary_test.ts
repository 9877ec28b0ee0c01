import assert from "node:assert/strict";
import { NAME_PATTERN, nameProblem, nodeNameProblem } from "./name_rule.ts";
import { EDGE_ATTRIBUTES, FRAMEWORK_FIELDS, RESERVED_PLUGIN_NAMES } from "./vocabulary.ts";

Deno.test("RESERVED_PLUGIN_NAMES: holds every framework field and edge attribute", () => {
  const fields = Object.values(FRAMEWORK_FIELDS).flatMap((section) => Object.keys(section));
  for (const name of [...fields, ...Object.keys(EDGE_ATTRIBUTES)]) {
    assert.ok(RESERVED_PLUGIN_NAMES.includes(name), name);
  }
});

Deno.test("nameProblem: takes names that are safe as file names everywhere", () => {
  for (const name of ["a", "A.b-c_1", "1x", "x".repeat(64), "console", "com10", "nul-1"]) {
    assert.equal(nameProblem(name), undefined, name);
    assert.match(name, new RegExp(NAME_PATTERN));
  }
  for (
    const name of [
      "",
      ".a",
      "-a",
      "_a",
      "a b",
      "a/b",
      "a..b",
      "ä",
      "x".repeat(65),
      "CON",
      "nul.txt",
      "Com1",
      "lpt9.a.b",
      "a\n",
    ]
  ) {
    assert.notEqual(nameProblem(name), undefined, name);
  }
});

Deno.test("nodeNameProblem: alphabet and length are all that a node's name has to keep to", () => {
  for (const name of ["aux", "nul.x", "a..b", "n".repeat(64)]) assert.equal(nodeNameProblem(name), undefined);
  for (const name of ["", "-a", "a/b", "n".repeat(65)]) assert.notEqual(nodeNameProblem(name), undefined);
});
