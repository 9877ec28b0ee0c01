import assert from "node:assert/strict";
import { DiagnosticBag } from "../diagnostics/mod.ts";
import { readTree } from "./yaml_tree.ts";

/** A text with a mistake; where it is told, and what of its message and hint matters. */
const MISTAKES: readonly (readonly [what: string, text: string, place: string, told: readonly string[]])[] = [
  ["a line between two columns", "a:\n  b:\n    c: 1\n   d: 2\n", "4:1", ["indented by 3", "4, 2 or 0"]],
  ["a line deeper than the value above", "a:\n  b: 1\n   c: 2\n", "2:6", ["line 3 is indented by 3", "by 2"]],
  ["a line beside nothing in a list", "d:\n  - a: 1\n    b: 2\n   c: 3\n", "4:1", ["indented by 3", "4, 2 or 0"]],
  ["text at its key's indent", "t:\n  script: |\n  x = 1\n", "3:3", ['key "script"', "at least 3", "by 2"]],
  ["text that falls back", "t:\n  s: |\n      if a:\n        b\n     c\n", "5:1", ["by 6", "indented by 5"]],
  ["two keys on a line", "message: error: it broke\n", "1:10", ["second key", "quotes"]],
  ["no space after a colon", "a:b\nc: d\n", "1:1", ["after the colon of a key comes a space"]],
  ["a key without its colon", "a:\n  in\n  out: 1\n", "2:3", ["no colon"]],
  ["a brace that stays open", "a: { b: 1\nc: 2\n", "2:1", ["is not closed before this line"]],
  ["a brace too many", "a: { b: 1 }}\n", "1:12", ["this } closes nothing"]],
  ["a quote that stays open", 'a: "text\nb: 2\n', "3:1", ["the file ends inside a text in quotes"]],
  ["a list beside keys", "a:\n  - b\n  c: d\n", "3:1", ["side by side"]],
  ["a list on its key's line", "a: - b\n", "1:4", ["a list cannot begin on the line of its key"]],
  ["an escape that is none", 'a: "\\d+"\n', "1:5", ["\\d is none"]],
  ["a reserved beginning", "a: @daily\n", "1:4", ["cannot begin with @", "quotes"]],
  ["a schedule without quotes", "a: * * * * *\n", "1:4", ["* is followed by the name of an alias", "quotes"]],
  ["text after a quoted one", 'a: "x" y\n', "1:8", ["the end of a text in quotes"]],
  ["a missing comma", "a: { b: 1 c: 2 }\n", "1:9", ["separate the entries by commas"]],
  ["text on the line of its |", "a: |x\n  b\n", "1:5", ["after | or >"]],
  ["a comment without a space", "a: 'x'#c\n", "1:7", ["a space in front of its #"]],
  ["a reference in braces", "a: { b: ${X} }\n", "1:10", ["a reference needs quotes"]],
  ["a tab", "a:\n\tb: 1\n", "2:1", ["tab", "spaces"]],
];

for (const [what, text, place, told] of MISTAKES) {
  Deno.test(`syntaxWording: ${what}`, () => {
    const bag = new DiagnosticBag();
    readTree({ file: "a.yaml", text }, bag);
    const [found] = bag.list();
    assert.deepEqual([found?.code, `${found?.line}:${found?.column}`], ["yaml_parse", place]);
    const words = `${found?.message} ${found?.hint}`;
    for (const part of told) assert.ok(words.includes(part), words);
    assert.doesNotMatch(words, /implicit|flow|sequence|scalar|token|compact|block collection/);
  });
}
