/** Owns `depends_on`: its three forms, and the conditions of edges. */

import { EDGE_ATTRIBUTES, WHEN_FIELDS } from "../../schema/mod.ts";
import type { DocumentPath, Edge, EdgeCondition } from "../document.ts";
import { isNull, type MappingTree, type Tree } from "../tree.ts";
import type { ValueReader } from "../value_reader.ts";
import { type EdgePolicy, readEdgePolicy } from "./edge_attributes.ts";

const FORMS = "a node name, a list of them, or { name: { attributes } }";

/** What an edge is read with. */
export interface EdgeContext {
  /** The node the edges enter. */
  readonly to: string;
  readonly defaults: EdgePolicy;
  readonly reader: ValueReader;
}

/** Reads a `depends_on` value standing at `path`, in order; elements of a wrong shape are reported and left out. */
export function readDependsOn(tree: Tree, path: DocumentPath, context: EdgeContext): readonly Edge[] {
  if (tree.kind !== "list") return readElement(tree, path, context);
  if (tree.items.length === 0) {
    context.reader.report(
      "cfg_bad_depends_on",
      tree.span,
      "depends_on must name at least one node, found an empty list",
    );
  }
  return tree.items.flatMap((item, index) => readElement(item, [...path, index], context));
}

/** One element, as a list that holds its edge or nothing. */
function readElement(tree: Tree, path: DocumentPath, context: EdgeContext): readonly Edge[] {
  const { reader, to, defaults } = context;
  if (tree.kind === "scalar" && typeof tree.value === "string" && tree.value !== "") {
    return tree.unresolved === true ? [] : [{ from: tree.value, to, ...defaults, path }];
  }
  if (tree.kind !== "mapping") {
    reader.wrong("cfg_bad_depends_on", tree, "depends_on", FORMS);
    return [];
  }
  const [first, second] = tree.entries;
  if (first === undefined || second !== undefined) {
    const found = `a mapping of ${tree.entries.size} names`;
    const span = second?.[1].key ?? tree.span;
    const hint = second === undefined ? undefined : "write a list with one element for each node";
    reader.report("cfg_bad_depends_on", span, `depends_on must be ${FORMS}, found ${found}`, hint);
    return [];
  }
  const [from, { value }] = first;
  if (isNull(value)) return [{ from, to, ...defaults, path }];
  if (value.kind !== "mapping") {
    reader.wrong("cfg_bad_depends_on", value, `the attributes of the edge from "${from}"`, "a mapping");
    return [];
  }
  reader.unknownKeys(value, EDGE_ATTRIBUTES, `the edge from "${from}"`);
  const when = readCondition(value, [...path, from], reader);
  const policy = readEdgePolicy(value, defaults, `the edge from "${from}"`, reader);
  return [{ from, to, ...(when === undefined ? {} : { when }), ...policy, path }];
}

function readCondition(attributes: MappingTree, path: DocumentPath, reader: ValueReader): EdgeCondition | undefined {
  const when = attributes.entries.get("when");
  const route = attributes.entries.get("route");
  if (when !== undefined && route !== undefined) {
    const names = [...attributes.entries.keys()];
    const later = names.indexOf("when") > names.indexOf("route") ? when : route;
    reader.report("cfg_when_route_exclusive", later.key, "an edge has either when or route, found both");
  }
  const routed = route && readRoute(route.value, [...path, "route"], reader);
  return when === undefined ? routed : readWhen(when.value, [...path, "when"], reader) ?? routed;
}

function readRoute(tree: Tree, path: DocumentPath, reader: ValueReader): EdgeCondition | undefined {
  const route = reader.text(tree, "cfg_route_type", "route");
  if (route === undefined) return undefined;
  // A JSON string is a CEL string: the escapes are the same.
  return { lang: "cel", expr: `meta.route == ${JSON.stringify(route)}`, path, route };
}

function readWhen(tree: Tree, path: DocumentPath, reader: ValueReader): EdgeCondition | undefined {
  if (tree.kind !== "mapping") {
    const isLiteral = tree.kind === "scalar" && typeof tree.value === "boolean";
    if (isLiteral) {
      return reader.wrong(
        "cfg_when_type",
        tree,
        "when",
        "an expression's text, or lang and expr",
        `write "${tree.value}"`,
      );
    }
    const expr = reader.text(tree, "cfg_when_type", "when");
    return expr === undefined ? undefined : { lang: "cel", expr, path };
  }
  reader.unknownKeys(tree, WHEN_FIELDS, "when");
  const langEntry = tree.entries.get("lang");
  if (langEntry === undefined) {
    reader.report("cfg_when_lang", tree.span, `when.lang is required: one of ${WHEN_FIELDS.lang.words.join(", ")}`);
  }
  const lang = langEntry && reader.word(langEntry.value, WHEN_FIELDS.lang.words, "cfg_when_lang", "when.lang");
  const exprEntry = tree.entries.get("expr");
  if (exprEntry === undefined) {
    reader.report("cfg_when_type", tree.span, "when.expr is required: the condition's text");
  }
  const expr = exprEntry && reader.text(exprEntry.value, "cfg_when_type", "when.expr");
  return lang === undefined || expr === undefined ? undefined : { lang, expr, path: [...path, "expr"] };
}
