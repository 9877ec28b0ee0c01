/** Owns the drawing of a plan as Mermaid's text. */

import { cut, type DrawnNode, type Graph } from "./graph.ts";

/** Characters of a condition on an edge; the whole of it is in the outline. */
const LABEL_CHARACTERS_MAX = 80;
/** What ends a quoted text of Mermaid, begins an entity or a tag, or is markup inside of it. */
const SPECIAL_REGEXP = /["#&<>`|\\*_~;:[\](){}%$@]/g;

/** The graph as a flowchart. Names and conditions stand in quotes, with an entity for each character that means something. */
export function mermaidText({ nodes, edges }: Graph): string {
  const lines = ["flowchart TB"];
  nodes.forEach((node, i) => lines.push(`  n${i}${nodeText(node)}`));
  for (const { from, to, label, required } of edges) {
    const words = [label, ...(required ? [] : ["not required"])].filter((word) => word !== "").join(", ");
    const arrow = required ? "-->" : "-.->";
    lines.push(`  n${from} ${arrow}${words === "" ? "" : `|${quoted(cut(words, LABEL_CHARACTERS_MAX))}|`} n${to}`);
  }
  return `${lines.join("\n")}\n`;
}

function nodeText({ name, kind, plugin }: DrawnNode): string {
  // The line end is markup of ours, not of the names.
  const text = `"${escaped(name)}<br/>${escaped(plugin)}"`;
  if (kind === "source") return `([${text}])`;
  return kind === "transform" ? `[${text}]` : `[(${text})]`;
}

function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

function escaped(text: string): string {
  return text.replace(SPECIAL_REGEXP, (character) => `#${character.charCodeAt(0)};`);
}
