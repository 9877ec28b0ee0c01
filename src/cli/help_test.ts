import assert from "node:assert/strict";
import { helpScreens } from "./command_line.ts";

const GOLDEN = new URL("../../tests/golden/help/", import.meta.url);
/** `UPDATE_GOLDEN=1 deno test src/cli/help_test.ts` writes the files anew, to be looked at before they are committed. */
const UPDATE = Deno.env.get("UPDATE_GOLDEN") === "1";

function fileOf(words: string): string {
  return `${words === "" ? "eventboat" : words.replaceAll(" ", "_")}.txt`;
}

for (const [words, screen] of helpScreens()) {
  Deno.test(`helpScreens: "eventboat ${words}" shows its golden screen`, () => {
    const file = new URL(fileOf(words), GOLDEN);
    if (UPDATE) Deno.writeTextFileSync(file, screen);
    assert.equal(screen, Deno.readTextFileSync(file));
    for (const line of screen.split("\n")) assert.ok(line.length <= 100, line);
  });
}

Deno.test("helpScreens: every golden screen belongs to a verb", () => {
  const known = new Set([...helpScreens().keys()].map(fileOf));
  assert.deepEqual([...Deno.readDirSync(GOLDEN)].map(({ name }) => name).filter((name) => !known.has(name)), []);
});
