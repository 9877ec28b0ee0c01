/** Owns where the nodes and edges of a drawing stand: layers from the top down, with few crossings. */

/** A node to be placed. Sizes in units of the drawing: characters or pixels. */
export interface LayoutNode {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** An edge to be placed, by positions in the list of nodes. */
export interface LayoutEdge {
  readonly from: number;
  readonly to: number;
  /** Room for a label half way; none where left out. */
  readonly label?: { readonly width: number; readonly height: number };
}

/** Least room between things. */
export interface LayoutGaps {
  readonly node: number;
  readonly edge: number;
  readonly layer: number;
}

/** A place, the middle of what stands there. */
export interface LayoutPoint {
  readonly x: number;
  readonly y: number;
}

/** Where everything stands; lists in the order of what was given. */
export interface Layout {
  readonly nodes: readonly LayoutPoint[];
  readonly edges: readonly { readonly points: readonly LayoutPoint[]; readonly label?: LayoutPoint }[];
}

/** Places nodes and edges. The same graph is always placed the same way. */
export async function layOut(
  nodes: readonly LayoutNode[],
  edges: readonly LayoutEdge[],
  gaps: LayoutGaps,
): Promise<Layout> {
  // Loaded when something is drawn: no other verb needs it.
  const { Graph, layout } = await import("@dagrejs/dagre");
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: gaps.node, edgesep: gaps.edge, ranksep: gaps.layer });
  // Keyed by position: a name may be anything.
  nodes.forEach(({ width, height }, i) => graph.setNode(String(i), { width, height }));
  edges.forEach(({ from, to, label }, i) => {
    const room = label === undefined ? {} : { ...label, labelpos: "c" };
    graph.setEdge(String(from), String(to), room, String(i));
  });
  layout(graph);
  return {
    nodes: nodes.map((_, i) => pointOf(graph.node(String(i)))),
    edges: edges.map(({ from, to, label }, i) => {
      const placed = graph.edge(String(from), String(to), String(i));
      const points = (placed.points ?? []).map(pointOf);
      return label === undefined ? { points } : { points, label: pointOf(placed) };
    }),
  };
}

/** Mirrored: the layout puts siblings from the right to the left, and documents are read from the left. */
function pointOf({ x = 0, y = 0 }: { readonly x?: number | undefined; readonly y?: number | undefined }): LayoutPoint {
  return { x: 0 - x, y };
}
