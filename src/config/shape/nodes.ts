/** Owns the three sections of nodes: framework fields, the one plugin block, and edges. */

import { nearestName } from "../../base/mod.ts";
import type { DiagnosticBag } from "../../diagnostics/mod.ts";
import {
  FRAMEWORK_FIELDS,
  NODE_SECTIONS,
  nodeNameProblem,
  type NodeSection,
  RESERVED_PLUGIN_NAMES,
  TOP_LEVEL_KEYS,
} from "../../schema/mod.ts";
import type { DocumentNode, PluginBlock, UnreadGraph } from "../document.ts";
import { type Entry, foundTree, isNull, type MappingTree, treeData } from "../tree.ts";
import { ValueReader } from "../value_reader.ts";
import type { EdgePolicy } from "./edge_attributes.ts";
import type { ReadFile } from "./external.ts";
import { readFramework } from "./node_fields.ts";

/** What nodes are read with. */
export interface NodeContext {
  readonly bag: DiagnosticBag;
  readonly defaults: EdgePolicy;
  /** Absolute folder that paths are relative to. */
  readonly directory: string;
  readonly readFile: ReadFile;
}

/** Nodes that could be read, in document order, the names of those that could not, and what else is missing. */
export interface ReadNodes {
  readonly nodes: readonly DocumentNode[];
  readonly broken: readonly string[];
  readonly unread: UnreadGraph;
}

/** Reads all nodes. Mistakes of a node that leave it recognisable are reported, and defaults stand in. */
export function readNodes(root: MappingTree, context: NodeContext): ReadNodes {
  const reader = new ValueReader(context.bag);
  const nodes: DocumentNode[] = [];
  const broken: string[] = [];
  const declared = new Map<string, Entry>();
  const unread = { sections: false, edges: false };
  for (const section of sectionsInOrder(root)) {
    const entries = sectionEntries(root, section, reader);
    if (entries === undefined) unread.sections = true;
    for (const [name, entry] of entries ?? []) {
      const first = declared.get(name);
      if (first !== undefined) {
        const where = `line ${first.key.line}`;
        reader.report(
          "topo_dup_name",
          entry.key,
          `a node named "${name}" stands at ${where} already; names are unique`,
        );
        unread.edges = true;
        continue;
      }
      declared.set(name, entry);
      const node = readNode(section, name, entry, context);
      if (node === undefined) broken.push(name);
      else nodes.push(node);
      if (node === undefined || !hasAllEdges(entry, node)) unread.edges = true;
    }
  }
  return { nodes, broken, unread };
}

function sectionsInOrder(root: MappingTree): readonly NodeSection[] {
  const written = [...root.entries.keys()];
  const present = NODE_SECTIONS.filter((section) => root.entries.has(section));
  const inOrder = present.toSorted((a, b) => written.indexOf(a) - written.indexOf(b));
  return [...inOrder, ...NODE_SECTIONS.filter((section) => !root.entries.has(section))];
}

/** The nodes of a section; undefined where there should be some and none can be read. */
function sectionEntries(
  root: MappingTree,
  section: NodeSection,
  reader: ValueReader,
): ReadonlyMap<string, Entry> | undefined {
  const entry = root.entries.get(section);
  const isRequired = section !== "transforms";
  if (entry === undefined) {
    // A misspelt section is told as what it is; that it is missing would be an echo.
    if (isMisspelt(root, section)) return undefined;
    if (!isRequired) return new Map();
    reader.report("cfg_missing_section", root.span, `${section} is required: at least one node`);
    return undefined;
  }
  if (isNull(entry.value) || (entry.value.kind === "mapping" && entry.value.entries.size === 0)) {
    if (!isRequired) return new Map();
    reader.report("cfg_empty_section", entry.key, `${section} must hold at least one node`);
    return undefined;
  }
  return reader.mapping(entry.value, "cfg_section_type", section)?.entries;
}

/** Whether an unknown key of the top level was probably meant to be a section. */
function isMisspelt(root: MappingTree, section: NodeSection): boolean {
  const known = Object.keys(TOP_LEVEL_KEYS);
  return root.entries.keys().some((name) => !known.includes(name) && nearestName(name, known) === section);
}

/** Whether every element of `depends_on` gave an edge. */
function hasAllEdges({ value }: Entry, node: DocumentNode): boolean {
  if (node.section === "sources" || value.kind !== "mapping") return true;
  const written = value.entries.get("depends_on")?.value ?? value.entries.get("from")?.value;
  const wanted = written?.kind === "list" ? written.items.length : 1;
  return wanted > 0 && node.dependsOn.length === wanted;
}

function readNode(section: NodeSection, name: string, entry: Entry, context: NodeContext): DocumentNode | undefined {
  const reader = new ValueReader(context.bag, name);
  const problem = nodeNameProblem(name);
  if (problem !== undefined) reader.report("cfg_name_invalid", entry.key, `the node name "${name}" ${problem}`);
  const node = entry.value;
  if (node.kind !== "mapping") {
    const required = "a mapping of framework fields and one plugin block";
    reader.report(
      "cfg_node_type",
      isNull(node) ? entry.key : node.span,
      `a node must be ${required}, found ${foundTree(node)}`,
    );
    return undefined;
  }
  const plugins = pluginEntries(section, node, reader);
  const framework = readFramework(section, name, { key: entry.key, value: node }, {
    ...context,
    reader,
    // A misspelt `depends_on` is told as what it is; that it is missing would be an echo.
    dependsOnMisspelt: plugins.some(([key]) => misspeltField(section, key) === "depends_on"),
  });
  const plugin = onePlugin(section, [section, name], { entry, plugins }, reader);
  if (framework === undefined || plugin === undefined) return undefined;
  return { name, nodePath: [section, name], ...plugin, ...framework };
}

/** The keys of a node that are no framework field: its plugin, and whatever was meant to be something else. */
function pluginEntries(
  section: NodeSection,
  node: MappingTree,
  reader: ValueReader,
): readonly (readonly [string, Entry])[] {
  const plugins: (readonly [string, Entry])[] = [];
  for (const [name, entry] of node.entries) {
    if (Object.hasOwn(FRAMEWORK_FIELDS[section], name)) continue;
    if (RESERVED_PLUGIN_NAMES.includes(name)) reportMisplaced(section, name, entry, reader);
    else plugins.push([name, entry]);
  }
  return plugins;
}

function reportMisplaced(section: NodeSection, name: string, { key }: Entry, reader: ValueReader): void {
  if (name === "from") {
    reader.report("cfg_from_renamed", key, '"from" is called "depends_on" now', "verify --fix rewrites it");
  } else if (name === "depends_on") {
    reader.report("cfg_source_with_depends_on", key, "a source depends on nothing: messages begin here");
  } else if (name === "workers" && section === "sinks") {
    reader.report("cfg_sink_workers", key, "a sink has no workers: the engine decides how it is fed", "remove it");
  } else {
    const owners = NODE_SECTIONS.filter((other) => Object.hasOwn(FRAMEWORK_FIELDS[other], name));
    const hint = owners.length > 0
      ? `it belongs to ${owners.join(" and ")}`
      : "it is an attribute of an edge in depends_on";
    reader.report("cfg_unknown_field", key, `unknown field "${name}" in a node of ${section}`, hint);
  }
}

interface PluginCandidates {
  readonly entry: Entry;
  readonly plugins: readonly (readonly [string, Entry])[];
}

function onePlugin(
  section: NodeSection,
  path: readonly [string, string],
  { entry, plugins }: PluginCandidates,
  reader: ValueReader,
): PluginBlock | undefined {
  const [first, ...others] = plugins;
  if (first === undefined) {
    reader.report("cfg_missing_plugin", entry.key, `the node "${path[1]}" has no plugin block; it needs exactly one`);
    return undefined;
  }
  if (others.length > 0) {
    const names = plugins.map(([name]) => `"${name}"`).join(", ");
    const misspelt = plugins.find(([name]) => misspeltField(section, name) !== undefined);
    const [name, { key }] = misspelt ?? others[0] ?? first;
    const field = misspeltField(section, name);
    const hint = field === undefined ? separationHint(section, plugins) : `did you mean "${field}"?`;
    reader.report("cfg_multiple_plugins", key, `a node has exactly one plugin block, found ${names}`, hint);
    return undefined;
  }
  const [plugin, { value }] = first;
  const isBlock = value.kind === "mapping" || isNull(value);
  if (section !== "transforms" && !isBlock) {
    reader.mapping(value, "cfg_plugin_block_type", `the block of "${plugin}"`);
    return undefined;
  }
  // A source or sink without fields may be written with nothing behind its name; a transform's block may be a scalar,
  // where nothing is a mistake that its definition tells.
  const block = section !== "transforms" && isNull(value) ? {} : treeData(value);
  return { plugin, block, path: [...path, plugin] };
}

/** What to do about several keys that could be a plugin: the fields of one may stand beside it instead of below it. */
function separationHint(section: NodeSection, plugins: PluginCandidates["plugins"]): string {
  const isBlock = ([, { value }]: PluginCandidates["plugins"][number]) => value.kind === "mapping" || isNull(value);
  const quoted = (some: PluginCandidates["plugins"]) => some.map(([name]) => `"${name}"`).join(", ");
  const blocks = plugins.filter(isBlock);
  // A transform's block may be a plain value.
  if (section !== "transforms" && blocks.length === 1) {
    return `indent ${quoted(plugins.filter((each) => !isBlock(each)))} below ${quoted(blocks)}`;
  }
  const empty = plugins.filter(([, { value }]) => isNull(value));
  const split = "split it into one node for each plugin";
  if (empty.length !== 1) return split;
  const others = quoted(plugins.filter((each) => !empty.includes(each)));
  return `where ${others} belongs to ${quoted(empty)}, indent it below; else ${split}`;
}

/** The framework field that a key was probably meant to be. */
function misspeltField(section: NodeSection, name: string): string | undefined {
  return nearestName(name, Object.keys(FRAMEWORK_FIELDS[section]));
}
