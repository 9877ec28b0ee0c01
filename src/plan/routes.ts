/** Owns the judgement of `route:` edges: something before them must give the route they ask for. */

import type { ResolutionScope, ResolvedNode } from "./resolution.ts";
import { edgesInto, type Topology } from "./topology.ts";

/** Reports `route:` edges before which nothing assigns `meta.route`. */
export function reportDanglingRoutes(
  { places, bag }: ResolutionScope,
  topology: Topology,
  nodes: ReadonlyMap<string, ResolvedNode>,
): void {
  const routed = new Set<string>();
  for (const node of topology.order) {
    const resolved = nodes.get(node.name);
    // A node that could not be resolved may do anything: it was reported already.
    const assigns = resolved === undefined ||
      (resolved.kind === "transform" && (resolved.plugin.assignsRoute?.(resolved.config) ?? false));
    const inherits = (topology.inputs.get(node.name) ?? []).some((edge) => routed.has(edge.from));
    if (assigns || inherits) routed.add(node.name);
  }
  for (const node of topology.nodes.values()) {
    for (const edge of edgesInto(node)) {
      if (edge.when?.route === undefined || routed.has(edge.from) || !topology.nodes.has(edge.from)) continue;
      const message = `the edge ${edge.from}->${edge.to} waits for route "${edge.when.route}", ` +
        `but neither "${edge.from}" nor anything before it assigns meta.route`;
      const hint = `assign it in a script: meta.route = "${edge.when.route}"`;
      bag.report("expr_route_dangling", places.value(edge.when.path), message, { hint, node: edge.to });
    }
  }
}
