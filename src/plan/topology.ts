/** Owns the shape of the graph: which edges hold, in which order nodes stand, and what is wrong with it. */

import { didYouMeanOneOf, nearestName } from "../base/mod.ts";
import type { DocumentNode, Edge, PipelineDocument } from "../config/mod.ts";
import type { DiagnosticBag } from "../diagnostics/mod.ts";
import type { Places } from "./places.ts";

/** The graph of a document, as far as its edges hold. */
export interface Topology {
  /** Nodes by name; of several with one name the first. */
  readonly nodes: ReadonlyMap<string, DocumentNode>;
  /** Every node before those that depend on it, otherwise in document order; nodes of a cycle come last. */
  readonly order: readonly DocumentNode[];
  /** Edges whose both ends may be joined, in document order. */
  readonly edges: readonly Edge[];
  /** Edges into a node, in document order. */
  readonly inputs: ReadonlyMap<string, readonly Edge[]>;
  /** Edges out of a node, in document order. */
  readonly outputs: ReadonlyMap<string, readonly Edge[]>;
}

/** Reads the graph and reports what is wrong with it. */
export function readTopology(document: PipelineDocument, places: Places, bag: DiagnosticBag): Topology {
  const nodes = new Map<string, DocumentNode>();
  for (const node of document.nodes) if (!nodes.has(node.name)) nodes.set(node.name, node);
  const missing = reportMissing(document, nodes, places, bag);
  const edges = holdingEdges(nodes, places, bag);
  const inputs = groupEdges(edges, (edge) => edge.to);
  const outputs = groupEdges(edges, (edge) => edge.from);
  const { order, rest } = sortNodes(nodes, inputs, outputs);
  reportCycles(rest, inputs, places, bag);
  const whole = !document.unread.sections && !document.unread.edges;
  if (whole && missing.size === 0) reportNoPath(nodes, outputs, places, bag);
  for (const node of whole ? nodes.values() : []) {
    if (node.section === "sinks" || outputs.has(node.name) || missing.has(node.name)) continue;
    const kind = node.section === "sources" ? "source" : "transform";
    const message = `nothing depends on ${kind} "${node.name}": its messages would go nowhere`;
    const hint = `name it in the depends_on of a ${kind === "source" ? "transform or sink" : "sink"}, or remove it`;
    bag.report("topo_orphan", places.key(node.nodePath), message, { hint, node: node.name });
  }
  return { nodes, order: [...order, ...rest], edges, inputs, outputs };
}

/** The edges that enter a node; none for a source. */
export function edgesInto(node: DocumentNode): readonly Edge[] {
  return node.section === "sources" ? [] : node.dependsOn;
}

/** Reports names that no node has. Gives the nodes that were probably meant, and always one entry when any is missing. */
function reportMissing(
  document: PipelineDocument,
  nodes: ReadonlyMap<string, DocumentNode>,
  places: Places,
  bag: DiagnosticBag,
): Set<string> {
  const meant = new Set<string>();
  // The names may be in what could not be read, and what is wrong with that was reported.
  if (document.unread.sections) return meant;
  const upstreams = [...nodes.values()].filter((node) => node.section !== "sinks").map((node) => node.name);
  for (const node of nodes.values()) {
    for (const edge of edgesInto(node)) {
      // A node that could not be read is there: what is wrong with it was reported.
      if (nodes.has(edge.from) || document.brokenNodes.includes(edge.from)) continue;
      const others = upstreams.filter((name) => name !== node.name);
      meant.add(nearestName(edge.from, others) ?? edge.from);
      const hint = didYouMeanOneOf(edge.from, others);
      const message = `"${node.name}" depends on "${edge.from}", but no source or transform has that name`;
      bag.report("topo_missing_ref", places.key(edge.path), message, { hint, node: node.name });
    }
  }
  return meant;
}

function holdingEdges(nodes: ReadonlyMap<string, DocumentNode>, places: Places, bag: DiagnosticBag): Edge[] {
  const edges: Edge[] = [];
  for (const node of nodes.values()) {
    for (const edge of edgesInto(node)) {
      const upstream = nodes.get(edge.from);
      if (upstream === undefined) continue;
      if (upstream.section === "sinks") {
        const message = `"${node.name}" depends on sink "${edge.from}", but nothing comes out of a sink`;
        const hint = "depend on a source or transform, such as the one that feeds the sink";
        bag.report("topo_sink_as_upstream", places.key(edge.path), message, { hint, node: node.name });
        continue;
      }
      edges.push(edge);
    }
  }
  return edges;
}

function groupEdges(edges: readonly Edge[], keyOf: (edge: Edge) => string): Map<string, Edge[]> {
  const groups = new Map<string, Edge[]>();
  for (const edge of edges) {
    const group = groups.get(keyOf(edge));
    if (group === undefined) groups.set(keyOf(edge), [edge]);
    else group.push(edge);
  }
  return groups;
}

/** Topological order that stays as close to document order as it can; `rest` is what lies on or behind a cycle. */
function sortNodes(
  nodes: ReadonlyMap<string, DocumentNode>,
  inputs: ReadonlyMap<string, readonly Edge[]>,
  outputs: ReadonlyMap<string, readonly Edge[]>,
): { readonly order: DocumentNode[]; readonly rest: DocumentNode[] } {
  const waiting = new Map([...nodes.keys()].map((name) => [name, inputs.get(name)?.length ?? 0]));
  const places = new Map([...nodes.keys()].map((name, place) => [name, place]));
  const names = [...nodes.keys()];
  const ready = names.map((_, place) => place).filter((place) => waiting.get(names[place] ?? "") === 0);
  const order: DocumentNode[] = [];
  // A sorted list is enough: pipelines have tens of nodes, and an insertion moves few.
  for (let place = ready.shift(); place !== undefined; place = ready.shift()) {
    const node = nodes.get(names[place] ?? "");
    if (node === undefined) break;
    order.push(node);
    for (const edge of outputs.get(node.name) ?? []) {
      const left = (waiting.get(edge.to) ?? 0) - 1;
      waiting.set(edge.to, left);
      if (left === 0) insertSorted(ready, places.get(edge.to) ?? 0);
    }
  }
  const done = new Set(order);
  return { order, rest: [...nodes.values()].filter((node) => !done.has(node)) };
}

function insertSorted(list: number[], value: number): void {
  const at = list.findIndex((other) => other > value);
  list.splice(at === -1 ? list.length : at, 0, value);
}

function reportCycles(
  suspects: readonly DocumentNode[],
  inputs: ReadonlyMap<string, readonly Edge[]>,
  places: Places,
  bag: DiagnosticBag,
): void {
  const names = new Set(suspects.map((node) => node.name));
  const told = new Set<string>();
  for (const { name } of suspects) {
    if (told.has(name)) continue;
    const cycle = cycleThrough(name, names, inputs);
    // A longer way round through a cycle that was told already is no news.
    if (cycle === undefined || cycle.some((edge) => told.has(edge.to))) continue;
    for (const edge of cycle) told.add(edge.to);
    const closing = cycle.find((edge) => edge.to === name) ?? cycle[0];
    if (closing === undefined) continue;
    const message = `the graph has a cycle: ${[name, ...cycle.map((edge) => edge.to)].join(" -> ")}`;
    const hint = "a message would go round for ever; remove one of these depends_on elements";
    bag.report("topo_cycle", places.key(closing.path), message, { hint, node: name });
  }
}

/** The shortest cycle through `start`, its edges in the direction messages flow; undefined where there is none. */
function cycleThrough(
  start: string,
  among: ReadonlySet<string>,
  inputs: ReadonlyMap<string, readonly Edge[]>,
): readonly Edge[] | undefined {
  const leftBy = new Map<string, Edge>();
  const queue = [start];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    for (const edge of inputs.get(name) ?? []) {
      if (!among.has(edge.from) || leftBy.has(edge.from)) continue;
      leftBy.set(edge.from, edge);
      if (edge.from !== start) {
        queue.push(edge.from);
        continue;
      }
      const cycle: Edge[] = [];
      for (let next: Edge | undefined = edge; next !== undefined; next = leftBy.get(next.to)) {
        cycle.push(next);
        if (next.to === start) return cycle;
      }
    }
  }
  return undefined;
}

function reportNoPath(
  nodes: ReadonlyMap<string, DocumentNode>,
  outputs: ReadonlyMap<string, readonly Edge[]>,
  places: Places,
  bag: DiagnosticBag,
): void {
  const sources = [...nodes.values()].filter((node) => node.section === "sources");
  const sinks = [...nodes.values()].filter((node) => node.section === "sinks");
  if (sources.length === 0 || sinks.length === 0) return;
  const reached = new Set(sources.map((node) => node.name));
  for (const name of reached) for (const edge of outputs.get(name) ?? []) reached.add(edge.to);
  if (sinks.some((node) => reached.has(node.name))) return;
  const message = "no sink can be reached from any source: no message would ever be delivered";
  const hint = `follow depends_on from ${sinks.map((node) => `"${node.name}"`).join(", ")} back to a source`;
  bag.report("topo_no_path", places.key(["sinks"]), message, { hint });
}
