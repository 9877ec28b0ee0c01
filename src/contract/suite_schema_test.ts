import assert from "node:assert/strict";
import { suiteSchema } from "./suite_schema.ts";

const GOLDEN = new URL("../../tests/golden/contract/suite_schema.json", import.meta.url);
/** `UPDATE_GOLDEN=1 deno test src/contract/suite_schema_test.ts` writes the file anew, to be looked at. */
const UPDATE = Deno.env.get("UPDATE_GOLDEN") === "1";

Deno.test("suiteSchema: the JSON Schema of suites is its golden file", () => {
  const text = `${JSON.stringify(suiteSchema(), null, 2)}\n`;
  if (UPDATE) Deno.writeTextFileSync(GOLDEN, text);
  assert.equal(text, Deno.readTextFileSync(GOLDEN));
});
