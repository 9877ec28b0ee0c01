/** Owns the columns of a drawing in text: where boxes stand, where edges leave, pass and enter. */

import type { Graph } from "./graph.ts";
import { type Layout, layOut } from "./layout.ts";

/** Rows of a box: two borders, a name and a plugin. */
export const BOX_ROWS = 4;
const GAPS = { node: 3, edge: 2, layer: 8 } as const;
/** Columns an edge that enters a box needs there, for a number of two digits and a gap. */
const ENTRY_COLUMNS = 3;

/** A box of the drawing. */
export interface GridBox {
  readonly layer: number;
  readonly left: number;
  readonly width: number;
}

/** Boxes by position of their nodes, and the column of each edge in the layers that it passes. */
export interface TextGrid {
  readonly boxes: readonly GridBox[];
  readonly layers: number;
  /** By edge, by layer. */
  readonly passes: readonly ReadonlyMap<number, number>[];
}

/** Places boxes and passing edges on whole columns. */
export async function textGrid({ nodes, edges }: Graph): Promise<TextGrid> {
  const sizes = nodes.map(({ name, plugin }, i) => {
    const entering = edges.filter(({ to }) => to === i).length;
    const width = Math.max([...name].length + 4, [...plugin].length + 4, entering * ENTRY_COLUMNS + 2);
    return { name, width, height: BOX_ROWS };
  });
  const layout = await layOut(sizes, edges.map(({ from, to }) => ({ from, to })), GAPS);
  const rows = [...new Set(layout.nodes.map(({ y }) => y))].sort((a, b) => a - b);
  const boxes = layout.nodes.map(({ x, y }, i) => {
    const width = sizes[i]?.width ?? 0;
    return { layer: rows.indexOf(y), left: Math.round(x - width / 2), width };
  });
  const passes = passesOf({ edges, boxes, layout, rows });
  const columns = [...boxes.map(({ left }) => left), ...passes.flatMap((pass) => [...pass.values()])];
  const shift = -columns.reduce((a, b) => Math.min(a, b), Infinity);
  return {
    boxes: boxes.map((box) => ({ ...box, left: box.left + shift })),
    layers: rows.length,
    passes: passes.map((pass) => new Map([...pass].map(([layer, column]) => [layer, column + shift]))),
  };
}

interface Placed {
  readonly edges: Graph["edges"];
  readonly boxes: readonly GridBox[];
  readonly layout: Layout;
  /** Middle of each layer. */
  readonly rows: readonly number[];
}

/** An edge passes a layer in a column of its own, beside the boxes. */
function passesOf({ edges, boxes, layout, rows }: Placed): readonly ReadonlyMap<number, number>[] {
  const taken = rows.map((_, layer) => {
    const columns = new Set<number>();
    for (const box of boxes) {
      if (box.layer !== layer) continue;
      for (let i = -1; i <= box.width; i++) columns.add(box.left + i);
    }
    return columns;
  });
  return edges.map(({ from, to }, i) => {
    const pass = new Map<number, number>();
    const [first, last] = [boxes[from]?.layer ?? 0, boxes[to]?.layer ?? 0];
    for (let layer = first + 1; layer < last; layer++) {
      const free = taken[layer] ?? new Set();
      const wanted = columnAt(layout.edges[i]?.points ?? [], rows[layer] ?? 0);
      const column = nearestFree(wanted, free);
      for (const near of [column - 1, column, column + 1]) free.add(near);
      pass.set(layer, column);
    }
    return pass;
  });
}

/** Where a line through the points is at a height. */
function columnAt(points: readonly { readonly x: number; readonly y: number }[], y: number): number {
  const below = points.findIndex((point) => point.y >= y);
  const [before, after] = [points[below - 1], points[below]];
  if (after === undefined) return Math.round(points.at(-1)?.x ?? 0);
  if (before === undefined || after.y === before.y) return Math.round(after.x);
  return Math.round(before.x + (after.x - before.x) * (y - before.y) / (after.y - before.y));
}

function nearestFree(wanted: number, taken: ReadonlySet<number>): number {
  for (let away = 0;; away++) {
    if (!taken.has(wanted + away)) return wanted + away;
    if (!taken.has(wanted - away)) return wanted - away;
  }
}
