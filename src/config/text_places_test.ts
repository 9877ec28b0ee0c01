import assert from "node:assert/strict";
import { DiagnosticBag } from "../diagnostics/mod.ts";
import { placeInText } from "./text_places.ts";
import { readTree } from "./yaml_tree.ts";

/** The value of the key `v`, and where each of its characters stands. */
function characters(source: string) {
  const tree = readTree({ file: "a.yaml", text: source }, new DiagnosticBag())?.entries.get("v")?.value;
  assert.ok(tree?.kind === "scalar" && typeof tree.value === "string", source);
  const text = tree.value;
  const lines = source.split("\n");
  const places = Array.from({ length: text.length }, (_, offset) => placeInText(tree.span, tree.segments, offset));
  return {
    text,
    places,
    sourceAt: (index: number) => {
      const place = places[index];
      return place === undefined ? undefined : lines[place.line - 1]?.[place.column - 1];
    },
  };
}

const SOURCES: readonly string[] = [
  "v: plain text\n",
  "v: 'single ''quoted'' text'\n",
  "v: plain\n  over\n\n  lines # comment\n",
  "v: 'single\n  folded\n\n\n  text'\n",
  'v: "double\n   folded\n\n   text"\n',
  "v: |\n  literal\n    deeper\n\n  last\n",
  "v: |2-\n    begins deep\n  less\n",
  "v: |+\n  kept\n\n\n",
  "v: |\n\n  after a blank line\n",
  "v: >\n  folded\n  text\n\n  next\n    deeper\n    still\n  back\n",
  "v: >-\n\n  begins\n  blank\n",
  "v: &a !!str |\n  anchored\n  text\n",
  "# before\nx: { a: [1, 2] }\nv:\n  on its own line\n",
];

for (const source of SOURCES) {
  Deno.test(`placeInText: every character stands where it is written: ${JSON.stringify(source)}`, () => {
    const { text, sourceAt } = characters(source);
    assert.ok(text.length > 0);
    for (let index = 0; index < text.length; index++) {
      const character = text[index] ?? "";
      if (character === " " || character === "\n") continue;
      assert.equal(sourceAt(index), character, `character ${index} of ${JSON.stringify(text)}`);
    }
  });
}

Deno.test("placeInText: characters after an escape stand behind it", () => {
  const { text, places } = characters('v: "a\\tb\\u00e9c\\U0001F600d\\\n   e\\x41f"\n');
  const at = (character: string) => {
    const { line, column } = places[text.indexOf(character)] ?? assert.fail(character);
    return [line, column];
  };
  assert.equal(text, "a\tbéc😀deAf");
  assert.deepEqual(at("a"), [1, 5]);
  assert.deepEqual(at("b"), [1, 8]);
  assert.deepEqual(at("c"), [1, 15]);
  assert.deepEqual(at("e"), [2, 4]);
  assert.deepEqual(at("f"), [2, 9]);
});
