/** Owns the drawings of a plan: for Mermaid, for a terminal, for a page. */

import type { Plan } from "../../plan/mod.ts";
import { graphOf } from "./graph.ts";
import { mermaidText } from "./mermaid.ts";
import { svgText } from "./svg.ts";
import { textDrawing } from "./text_drawing.ts";

/** A plan, drawn. */
export interface Topology {
  /** A flowchart of Mermaid. */
  readonly mermaid: string;
  /** Boxes and lines in text, at most 80 columns wide, with a legend of the conditions. */
  readonly drawing: string;
}

/** Draws a plan as text. */
export async function drawTopology(plan: Plan): Promise<Topology> {
  const graph = graphOf(plan);
  return { mermaid: mermaidText(graph), drawing: await textDrawing(graph) };
}

/** Draws a plan as an SVG document. */
export async function drawSvg(plan: Plan): Promise<string> {
  return await svgText(graphOf(plan), `pipeline ${plan.name}`);
}
