/** The YAML test suite against the reader of documents: what is accepted, with which values, and what is refused. */

import assert from "node:assert/strict";
import { DiagnosticBag } from "../../src/diagnostics/mod.ts";
import { readTree, treeData } from "../../src/config/mod.ts";
import { conformanceSuite, judgeCases } from "./shared_data.ts";

interface YamlCase {
  readonly id: string;
  readonly class: "accept" | "refuse" | "policy";
  readonly reasons: readonly string[];
  readonly yaml: string;
  readonly json?: unknown;
}

/** Known exceptions, each with its reason. The list may only shrink. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

/**
 * Where the suite leaves the choice: anchors, aliases and core tags are read; keys that are no plain text, and tags
 * that are not YAML's own, are refused.
 */
const REFUSED_BY_POLICY: ReadonlySet<string> = new Set([
  "yaml/2XXW",
  "yaml/KK5P",
  "yaml/LX3P",
  "yaml/M5C3",
  "yaml/Q9WF",
  "yaml/RZP5",
  "yaml/SBG9",
  "yaml/SM9W/01",
  "yaml/UGM3",
  "yaml/X38W",
  "yaml/XW4D",
  "yaml/Z67P",
]);

function readCase(text: string) {
  const bag = new DiagnosticBag();
  const tree = readTree({ file: "case.yaml", text }, bag);
  return { tree: bag.hasErrors ? undefined : tree, codes: bag.list().map((found) => found.code) };
}

function checkCase(item: YamlCase): void {
  const { tree, codes } = readCase(item.yaml);
  const refused = item.class === "refuse" || REFUSED_BY_POLICY.has(item.id);
  if (refused) {
    assert.equal(tree, undefined, "accepted, though it must be refused");
    // A document that is there but holds nothing counts as empty.
    const allowed = item.reasons.includes("syntax-error") ? ["yaml_parse"] : ["yaml_parse", "empty_config"];
    assert.ok(codes.length > 0 && codes.every((code) => allowed.includes(code)), `refused with ${codes.join(", ")}`);
    return;
  }
  assert.ok(tree !== undefined, `refused with ${codes.join(", ")}`);
  if ("json" in item) assert.deepEqual(treeData(tree), item.json);
}

conformanceSuite("yaml", (data) => {
  Deno.test("conformance yaml: accepts, refuses and reads values as the suite says", async () => {
    const { cases } = data.json<{ readonly cases: readonly YamlCase[] }>("cases.json");
    await judgeCases({ cases, id: (item) => item.id, check: checkCase, exceptions: EXCEPTIONS });
  });
});
