import assert from "node:assert/strict";
import { nameProblem } from "../../schema/mod.ts";
import { nameInYaml, starterName } from "./starter_name.ts";

const NAMES: readonly [dir: string, name: string][] = [
  ["/srv/orders", "orders"],
  ["/srv/orders/", "orders"],
  ["/srv/My orders (2)", "My-orders-2-"],
  ["/srv/.hidden", "hidden"],
  ["/srv/größe", "gr-e"],
  ["/srv/訂單", "pipeline"],
  ["/srv/a..b", "pipeline"],
  ["/srv/con", "pipeline"],
  ["/", "pipeline"],
  [`/srv/${"n".repeat(80)}`, "n".repeat(64)],
];

for (const [dir, name] of NAMES) {
  Deno.test(`starterName: ${JSON.stringify(dir)} gives a name that a pipeline may have`, () => {
    assert.equal(starterName(dir), name);
    assert.equal(nameProblem(name), undefined);
  });
}

Deno.test("nameInYaml: a name that YAML would take for something else stands in quotes", () => {
  assert.deepEqual(["orders", "a-1.b_c", "nullable"].map(nameInYaml), ["orders", "a-1.b_c", "nullable"]);
  assert.deepEqual(["7", "1e5", "0x1F", "2026-03-01", "true", "Null", "FALSE"].map(nameInYaml), [
    '"7"',
    '"1e5"',
    '"0x1F"',
    '"2026-03-01"',
    '"true"',
    '"Null"',
    '"FALSE"',
  ]);
});
