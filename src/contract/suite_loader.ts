/** Owns the reading of a suite file: from YAML to a typed suite, and all that is wrong with its shape. */

import { documentPlaces, type MappingTree, readTree, type SourceText, treeData } from "../config/mod.ts";
import { DiagnosticBag } from "../diagnostics/mod.ts";
import { EXTENSION_PREFIX } from "../schema/mod.ts";
import { Suite } from "./suite.ts";
import { SUITE_DEFINITION } from "./suite_schema.ts";

/** The key by which a suite is known among other YAML files. */
const SUITE_KEY = "suite";

const SUITE_LINE_REGEXP = /^(?:suite|"suite"|'suite')\s*:/m;
/** A line that begins a document behind another one. */
const LATER_DOCUMENT_REGEXP = /\n---(?:[ \t\r\n]|$)/;

/**
 * The tree of a YAML file if it is a suite; undefined, without a finding, if it is something else, and with findings
 * where that cannot be told. A stream of several documents, as other tools have, is no suite unless it says so.
 */
export function readSuiteTree(source: SourceText, bag: DiagnosticBag): MappingTree | undefined {
  const fresh = new DiagnosticBag();
  const tree = readTree(source, fresh);
  if (tree !== undefined && !tree.entries.has(SUITE_KEY)) return undefined;
  if (tree === undefined && isOtherStream(source)) return undefined;
  bag.add(fresh.list());
  return fresh.hasErrors ? undefined : tree;
}

function isOtherStream({ text }: SourceText): boolean {
  const whole = typeof text === "string" ? text : new TextDecoder().decode(text);
  return LATER_DOCUMENT_REGEXP.test(whole.trimStart()) && !SUITE_LINE_REGEXP.test(whole);
}

/** The suite of a tree; undefined, with findings, where its shape is wrong. */
export function loadSuite(file: string, tree: MappingTree, bag: DiagnosticBag): Suite | undefined {
  const entries = new Map([...tree.entries].filter(([name]) => !name.startsWith(EXTENSION_PREFIX)));
  const { spans } = documentPlaces(tree);
  const parsed = SUITE_DEFINITION.parse(treeData({ ...tree, entries }));
  if (parsed.ok) return withUniqueNames(new Suite(file, parsed.value, spans), bag);
  const places = new Suite(file, { suite: "", pipeline: "", cases: [] }, spans);
  for (const { path, atKey, message, hint } of parsed.issues) {
    const span = atKey === true ? places.keySpan(path) : places.span(path);
    bag.report("suite_shape", span, message, hint === undefined ? {} : { hint });
  }
  return undefined;
}

function withUniqueNames(suite: Suite, bag: DiagnosticBag): Suite {
  const first = new Map<string, number>();
  for (const { name, path } of suite.cases) {
    const span = suite.span([...path, "name"]);
    const line = first.get(name);
    if (line === undefined) first.set(name, span.line);
    else bag.report("suite_case_name", span, `another case of this suite has the name "${name}", on line ${line}`);
  }
  return suite;
}
