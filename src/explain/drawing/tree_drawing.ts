/** Owns the drawing of a plan as a tree, for graphs that are too wide for boxes. */

import { cut, type Graph } from "./graph.ts";
import type { EdgeNumbers } from "./text_drawing.ts";

/** Columns of a name: what is left of a line at a usual depth. */
const NAME_CHARACTERS_MAX = 60;

/** A line a node below each source; a node that stands further up already is named and not entered again. */
export function treeLines({ nodes, edges }: Graph, numbers: EdgeNumbers): readonly string[] {
  const lines: string[] = [];
  const drawn = new Set<number>();
  const add = (node: number, head: string, below: string) => {
    const { name = "", plugin = "" } = nodes[node] ?? {};
    const outputs = edges.flatMap((edge, i) => edge.from === node ? [{ ...edge, number: numbers.get(i) }] : []);
    const isKnown = drawn.has(node);
    drawn.add(node);
    const again = isKnown && outputs.length > 0 ? ", as above" : "";
    lines.push(`${head}${cut(`${name} (${plugin}${again})`, NAME_CHARACTERS_MAX)}`);
    if (isKnown) return;
    outputs.forEach(({ to, number }, i) => {
      const isLast = i === outputs.length - 1;
      const mark = number === undefined ? "" : `[${number}] `;
      add(to, `${below}${isLast ? "└─ " : "├─ "}${mark}`, `${below}${isLast ? "   " : "│  "}`);
    });
  };
  nodes.forEach(({ kind }, i) => {
    if (kind === "source") add(i, "", "");
  });
  return lines;
}
