/** Owns what of a plan is drawn: its nodes, its edges, and the words at them. */

import type { Plan, PlanEdge } from "../../plan/mod.ts";

/** A node of a drawing. */
export interface DrawnNode {
  readonly name: string;
  readonly kind: "source" | "transform" | "sink";
  readonly plugin: string;
}

/** An edge of a drawing; ends are positions in the list of nodes. */
export interface DrawnEdge {
  readonly from: number;
  readonly to: number;
  /** `from->to`. */
  readonly name: string;
  /** When it is taken; empty for an edge that always is. */
  readonly label: string;
  /** Whether a failure behind it is a dead letter; else it is a dropped message. */
  readonly required: boolean;
}

/** What is drawn. */
export interface Graph {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

const CONTROL_REGEXP = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]+/gu;

/** Takes from a plan what is drawn. Texts are without line ends and what would steer a terminal. */
export function graphOf({ nodes, edges }: Plan): Graph {
  const positions = new Map(nodes.map(({ name }, i) => [name, i]));
  return {
    nodes: nodes.map(({ name, kind, plugin }) => ({ name: plain(name), kind, plugin: plain(plugin) })),
    edges: edges.flatMap((edge) => {
      const [from, to] = [positions.get(edge.from), positions.get(edge.to)];
      if (from === undefined || to === undefined) return [];
      return [{ from, to, name: plain(edge.label), label: labelOf(edge), required: edge.required }];
    }),
  };
}

function labelOf({ condition }: PlanEdge): string {
  if (condition === undefined) return "";
  if (condition.route !== undefined) return `route ${plain(condition.route)}`;
  return plain(condition.shown ?? condition.text);
}

function plain(text: string): string {
  return text.replace(CONTROL_REGEXP, " ");
}

/** The text, cut to so many characters. */
export function cut(text: string, charactersMax: number): string {
  const characters = [...text];
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 3).join("")}...`;
}
