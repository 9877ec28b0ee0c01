/** Owns the drawing of a plan as an SVG document that needs nothing outside of it. */

import { cut, type DrawnEdge, type DrawnNode, type Graph } from "./graph.ts";
import { type Layout, layOut, type LayoutPoint } from "./layout.ts";

/** Pixels of a character: a little more than the widest fonts take, so that no text leaves its box. */
const CHARACTER_PX = 8;
const LABEL_CHARACTER_PX = 6.8;
const NODE_HEIGHT_PX = 46;
const NODE_PADDING_PX = 16;
const LABEL_HEIGHT_PX = 18;
const MARGIN_PX = 16;
const GAPS = { node: 36, edge: 16, layer: 36 } as const;
const NAME_CHARACTERS_MAX = 40;
const LABEL_CHARACTERS_MAX = 36;

const STYLE = `
  svg { color-scheme: light dark; font: 13px ui-monospace, Menlo, Consolas, monospace; }
  text { text-anchor: middle; dominant-baseline: middle; fill: #1c2530; }
  .plugin, .label { font-size: 11px; fill: #52606d; }
  .node rect { fill: #f4f6f8; stroke: #52606d; stroke-width: 1.2; }
  .source rect { fill: #e3f1e7; } .sink rect { fill: #e2ecf9; }
  .edge { fill: none; stroke: #52606d; stroke-width: 1.2; } .optional { stroke-dasharray: 5 4; }
  .arrow { fill: #52606d; } .back { fill: #ffffff; opacity: 0.85; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e9ee; } .plugin, .label { fill: #a9b4bf; }
    .node rect { fill: #26303a; stroke: #a9b4bf; } .source rect { fill: #20382a; } .sink rect { fill: #1f3149; }
    .edge { stroke: #a9b4bf; } .arrow { fill: #a9b4bf; } .back { fill: #14191f; }
  }
`;

/** The graph as an SVG document. Names and conditions are text and nothing else; long ones are cut, their titles whole. */
export async function svgText(graph: Graph, title: string): Promise<string> {
  const sizes = graph.nodes.map((node) => ({ name: node.name, width: nodeWidth(node), height: NODE_HEIGHT_PX }));
  const labels = graph.edges.map((edge) => labelWords(edge));
  const layout = await layOut(
    sizes,
    graph.edges.map(({ from, to }, i) => {
      const words = labels[i] ?? "";
      if (words === "") return { from, to };
      return { from, to, label: { width: labelWidth(words), height: LABEL_HEIGHT_PX } };
    }),
    GAPS,
  );
  const frame = frameOf(layout, sizes, labels);
  const parts = [
    ...graph.edges.map((edge, i) => edgeText(edge, layout.edges[i]?.points ?? [])),
    ...graph.edges.map((edge, i) => labelText(edge, labels[i] ?? "", layout.edges[i]?.label)),
    ...graph.nodes.map((node, i) => nodeText(node, layout.nodes[i] ?? { x: 0, y: 0 })),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="${frame.join(" ")}" width="${frame[2]}" height="${
      frame[3]
    }">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">` +
    `<path class="arrow" d="M0,0 L10,5 L0,10 z"/></marker></defs>`,
    ...parts.filter((part) => part !== ""),
    "</svg>",
    "",
  ].join("\n");
}

function nodeWidth({ name, plugin }: DrawnNode): number {
  const characters = Math.max([...cut(name, NAME_CHARACTERS_MAX)].length, [...cut(plugin, NAME_CHARACTERS_MAX)].length);
  return characters * CHARACTER_PX + 2 * NODE_PADDING_PX;
}

function labelWords({ label, required }: DrawnEdge): string {
  const words = cut(label, LABEL_CHARACTERS_MAX);
  return required ? words : words === "" ? "not required" : `${words} (not required)`;
}

/** Left, top, width and height of everything. */
function frameOf(
  layout: Layout,
  sizes: readonly { readonly width: number; readonly height: number }[],
  labels: readonly string[],
): number[] {
  const [xs, ys]: [number[], number[]] = [[], []];
  const add = ({ x, y }: LayoutPoint, width: number, height: number) => {
    xs.push(x - width / 2, x + width / 2);
    ys.push(y - height / 2, y + height / 2);
  };
  layout.nodes.forEach((point, i) => add(point, sizes[i]?.width ?? 0, sizes[i]?.height ?? 0));
  layout.edges.forEach(({ points, label }, i) => {
    for (const point of points) add(point, 0, 0);
    if (label !== undefined) add(label, labelWidth(labels[i] ?? ""), LABEL_HEIGHT_PX);
  });
  const [left, top] = [Math.floor(least(xs)) - MARGIN_PX, Math.floor(least(ys)) - MARGIN_PX];
  return [left, top, Math.ceil(most(xs)) + MARGIN_PX - left, Math.ceil(most(ys)) + MARGIN_PX - top];
}

/** Labels are in a smaller font. */
function labelWidth(words: string): number {
  return [...words].length * LABEL_CHARACTER_PX + 8;
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b));
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b));
}

function nodeText(node: DrawnNode, { x, y }: LayoutPoint): string {
  const { name, kind, plugin } = node;
  const width = nodeWidth(node);
  const radius = kind === "transform" ? 4 : NODE_HEIGHT_PX / 2;
  return `<g class="node ${kind}"><title>${escaped(`${kind} ${name}: ${plugin}`)}</title>` +
    `<rect x="${px(x - width / 2)}" y="${px(y - NODE_HEIGHT_PX / 2)}" width="${
      px(width)
    }" height="${NODE_HEIGHT_PX}" ` +
    `rx="${radius}"/><text x="${px(x)}" y="${px(y - 8)}">${escaped(cut(name, NAME_CHARACTERS_MAX))}</text>` +
    `<text class="plugin" x="${px(x)}" y="${px(y + 10)}">${escaped(cut(plugin, NAME_CHARACTERS_MAX))}</text></g>`;
}

/** A line through the points that bends smoothly half way between them. */
function edgeText({ name, required }: DrawnEdge, points: readonly LayoutPoint[]): string {
  const [first, ...rest] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return "";
  const bends = rest.slice(0, -1).map((point, i) => {
    const next = rest[i + 1] ?? point;
    const middle = i === rest.length - 2 ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${px(point.x)},${px(point.y)} ${px(middle.x)},${px(middle.y)}`;
  });
  const end = bends.length === 0 ? ` L${px(last.x)},${px(last.y)}` : "";
  return `<path class="edge${required ? "" : " optional"}" marker-end="url(#arrow)" ` +
    `d="M${px(first.x)},${px(first.y)} ${bends.join(" ")}${end}"><title>${escaped(name)}</title></path>`;
}

function labelText({ name, label }: DrawnEdge, words: string, at: LayoutPoint | undefined): string {
  if (words === "" || at === undefined) return "";
  const width = labelWidth(words);
  return `<g><title>${escaped(label === "" ? name : `${name}: ${label}`)}</title>` +
    `<rect class="back" x="${px(at.x - width / 2)}" y="${px(at.y - LABEL_HEIGHT_PX / 2)}" width="${px(width)}" ` +
    `height="${LABEL_HEIGHT_PX}"/><text class="label" x="${px(at.x)}" y="${px(at.y)}">${escaped(words)}</text></g>`;
}

/** A number with at most one digit behind the point. */
function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

const SPECIAL_REGEXP = /[&<>"']/g;

/** The text as character data of XML. What XML has no form for was taken out before. */
function escaped(text: string): string {
  return text.toWellFormed().replace(SPECIAL_REGEXP, (character) => `&#${character.charCodeAt(0)};`);
}
