/** Owns the drawing of a plan in text: boxes in layers, lines between them, a legend of what stands at the lines. */

import { Canvas } from "./canvas.ts";
import { type Piece, routePieces } from "./channel.ts";
import type { DrawnEdge, Graph } from "./graph.ts";
import { BOX_ROWS, type GridBox, type TextGrid, textGrid } from "./text_grid.ts";
import { treeLines } from "./tree_drawing.ts";

/** Columns of a drawing: what a terminal has at least. */
export const DRAWING_COLUMNS = 80;

/** A piece with the edge it belongs to. */
interface EdgePiece extends Piece {
  readonly edge: number;
  /** Whether it ends at a box, where the edge's number and arrow stand. */
  readonly isLast: boolean;
}

/** Draws the graph; one that is too wide for boxes is drawn as a tree. */
export async function textDrawing(graph: Graph): Promise<string> {
  const numbers = edgeNumbers(graph);
  const canvas = drawBoxes(graph, await textGrid(graph), numbers);
  const lines = canvas.columns <= DRAWING_COLUMNS ? canvas.lines() : treeLines(graph, numbers);
  const legend = legendLines(graph, numbers);
  return [...lines, ...(legend.length === 0 ? [] : ["", ...legend]), ""].join("\n");
}

/** Numbers of edges that have something to be said of, from 1; by position. */
export type EdgeNumbers = ReadonlyMap<number, number>;

function edgeNumbers({ edges }: Graph): EdgeNumbers {
  const numbers = new Map<number, number>();
  edges.forEach(({ label, required }, i) => {
    if (label !== "" || !required) numbers.set(i, numbers.size + 1);
  });
  return numbers;
}

function legendLines({ edges }: Graph, numbers: EdgeNumbers): readonly string[] {
  const width = String(numbers.size).length;
  return [...numbers].flatMap(([i, number]) => {
    const edge = edges[i];
    if (edge === undefined) return [];
    return wrapped(`${String(number).padStart(width)}  `, `${edge.name}  ${wordsOf(edge)}`);
  });
}

function wordsOf({ label, required }: DrawnEdge): string {
  const when = label === "" ? "always" : label.startsWith("route ") ? label : `when ${label}`;
  return required ? when : `${when}; not required`;
}

/** The text in lines that fit, behind its head; a word that is too long for a line is cut. */
function wrapped(head: string, text: string): readonly string[] {
  const room = DRAWING_COLUMNS - head.length;
  const lines: string[] = [];
  let rest = [...text];
  while (rest.length > room) {
    const blank = rest.lastIndexOf(" ", room);
    const end = blank > room / 2 ? blank : room;
    lines.push(rest.slice(0, end).join(""));
    rest = rest.slice(rest[end] === " " ? end + 1 : end);
  }
  lines.push(rest.join(""));
  return lines.map((line, i) => `${i === 0 ? head : " ".repeat(head.length)}${line}`);
}

function drawBoxes(graph: Graph, grid: TextGrid, numbers: EdgeNumbers): Canvas {
  const canvas = new Canvas();
  const entries = entryColumns(graph, grid);
  let top = 0;
  for (let layer = 0; layer < grid.layers; layer++) {
    graph.nodes.forEach(({ name, plugin }, i) => {
      const box = grid.boxes[i];
      if (box?.layer === layer) canvas.box(top, box.left, box.width, [name, plugin]);
    });
    grid.passes.forEach((pass, edge) => {
      const column = pass.get(layer);
      if (column !== undefined) canvas.down(column, [top - 1, top + BOX_ROWS], `e${edge}`);
    });
    top += BOX_ROWS;
    const pieces = piecesBelow(graph, grid, { layer, entries });
    if (pieces.length > 0) top += drawChannel(canvas, pieces, { top, numbers });
  }
  return canvas;
}

/** Draws the lines below a layer and gives how many rows they take. */
function drawChannel(
  canvas: Canvas,
  pieces: readonly EdgePiece[],
  { top, numbers }: { readonly top: number; readonly numbers: EdgeNumbers },
): number {
  const { runs, tracks } = routePieces(pieces);
  // Below the horizontal lines: a row for numbers, a row for arrows.
  const [numberRow, arrowRow] = [top + tracks, top + tracks + 1];
  for (const { group, exit, entries, track } of runs) {
    if (group.startsWith("n")) canvas.text(top - 1, exit, "┬");
    if (track === undefined) {
      canvas.down(exit, [top - 1, arrowRow + 1], group);
      continue;
    }
    const row = top + track;
    canvas.down(exit, [top - 1, row], group);
    canvas.along(row, [Math.min(exit, ...entries), Math.max(exit, ...entries)], group);
    for (const entry of entries) canvas.down(entry, [row, arrowRow + 1], group);
  }
  for (const { edge, entry, isLast } of pieces) {
    if (!isLast) continue;
    canvas.text(arrowRow, entry, "▼");
    const number = numbers.get(edge);
    if (number !== undefined) canvas.text(numberRow, entry, String(number));
  }
  return tracks + 2;
}

/** Pieces of edges between a layer and the next one. */
function piecesBelow(
  { edges }: Graph,
  { boxes, passes }: TextGrid,
  { layer, entries }: { readonly layer: number; readonly entries: readonly number[] },
): readonly EdgePiece[] {
  const pieces: EdgePiece[] = [];
  edges.forEach(({ from, to }, edge) => {
    const [source, target] = [boxes[from], boxes[to]];
    if (source === undefined || target === undefined || source.layer > layer || target.layer <= layer) return;
    const isFirst = source.layer === layer;
    const isLast = target.layer === layer + 1;
    pieces.push({
      edge,
      isLast,
      group: isFirst ? `n${from}` : `e${edge}`,
      exit: isFirst ? middleOf(source) : passes[edge]?.get(layer) ?? 0,
      entry: isLast ? entries[edge] ?? 0 : passes[edge]?.get(layer + 1) ?? 0,
    });
  });
  return pieces;
}

function middleOf({ left, width }: GridBox): number {
  return left + Math.floor(width / 2);
}

/** By edge, the column in which it enters its box: spread over the box in the order in which the edges come. */
function entryColumns({ nodes, edges }: Graph, { boxes, passes }: TextGrid): readonly number[] {
  const columns: number[] = [];
  nodes.forEach((_, node) => {
    const box = boxes[node];
    if (box === undefined) return;
    const coming = edges.flatMap(({ from, to }, edge) => {
      const source = boxes[from];
      if (to !== node || source === undefined) return [];
      return [{ edge, exit: passes[edge]?.get(box.layer - 1) ?? middleOf(source) }];
    }).sort((a, b) => a.exit - b.exit || a.edge - b.edge);
    const foreign = exitsAbove({ boxes, passes, edges }, box.layer - 1);
    coming.forEach(({ edge, exit }, i) => {
      const isInside = exit > box.left && exit < box.left + box.width - 1;
      const even = box.left + Math.round((i + 1) * box.width / (coming.length + 1));
      columns[edge] = coming.length === 1 && isInside ? exit : besides(even, exit, foreign);
    });
  });
  return columns;
}

/** Columns in which edges leave a layer. */
function exitsAbove(
  { boxes, passes, edges }: Pick<TextGrid, "boxes" | "passes"> & Pick<Graph, "edges">,
  layer: number,
) {
  return new Set(edges.flatMap(({ from }, edge) => {
    const source = boxes[from];
    const pass = passes[edge]?.get(layer);
    if (pass !== undefined) return [pass];
    return source?.layer === layer ? [middleOf(source)] : [];
  }));
}

/** The column, or one beside it where another edge comes down from above. */
function besides(column: number, own: number, foreign: ReadonlySet<number>): number {
  return [column, column + 1, column - 1].find((each) => each === own || !foreign.has(each)) ?? column;
}
