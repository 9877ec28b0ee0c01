import assert from "node:assert/strict";
import type { PlanEdge } from "../../plan/mod.ts";
import { planFixture } from "../../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource, transformOf } from "../../../tests/suites/plugin_fixtures.ts";
import { drawFrom } from "../../../tests/suites/random_pipeline.ts";
import type { Graph } from "./graph.ts";
import { drawSvg, drawTopology } from "./topology.ts";
import { DRAWING_COLUMNS, textDrawing } from "./text_drawing.ts";

const HOSTILE = '<script>alert("x")</script> "]; n0 --> n1 %% #quot; \u001b[2J\n\u202e &amp; `a` --- |';

/** A plan whose names and condition try to get out of every text they are put into. */
function hostilePlan() {
  const plan = planFixture({
    nodes: {
      [HOSTILE]: { source: new ListSource([]) },
      step: { transform: transformOf((message) => message), from: [{ from: HOSTILE, when: () => true }] },
      out: { sink: new CollectingSink(), from: [{ from: "step", required: false }] },
    },
  });
  const edges = plan.edges.map((edge): PlanEdge => {
    return edge.condition === undefined ? edge : { ...edge, condition: { ...edge.condition, text: HOSTILE } };
  });
  return { ...plan, edges };
}

Deno.test("drawSvg: whatever names and conditions hold is text, and the document needs nothing outside of it", async () => {
  const svg = await drawSvg(hostilePlan());
  const tags = new Set([...svg.matchAll(/<([a-zA-Z!?][\w-]*)/g)].map(([, tag = ""]) => tag));
  assert.deepEqual([...tags].sort(), ["defs", "g", "marker", "path", "rect", "style", "svg", "text", "title"]);
  assert.doesNotMatch(svg, /\son\w+=|href|url\((?!#arrow)|@import|&(?!#\d+;)|[^\n\P{Cc}]|\u202e/u);
  // Every tag that opens is closed.
  for (const tag of ["g", "svg", "text", "title"]) {
    assert.equal(svg.split(`<${tag}`).length, svg.split(`</${tag}>`).length, tag);
  }
});

Deno.test("drawTopology: whatever names and conditions hold stays inside of Mermaid's quotes", async () => {
  const { mermaid } = await drawTopology(hostilePlan());
  const lines = mermaid.trimEnd().split("\n");
  assert.equal(lines.length, 6);
  for (const line of lines.slice(1)) {
    // Outside of its quoted texts a line holds only what we put there.
    assert.match(
      line.replaceAll(/"[^"]*"/g, "Q"),
      /^ {2}n\d(?:\(\[Q\]\)|\[Q\]|\[\(Q\)\]| (?:-->|-\.->)(?:\|Q\|)? n\d)$/,
    );
    for (const [, text = ""] of line.matchAll(/"([^"]*)"/g)) {
      assert.match(text.replace("<br/>", ""), /^(?:[\w\s.,?!/='+\-^]|#\d+;)*$/);
    }
  }
});

/** A graph in which every node but the sources has one to three edges from nodes before it. */
function randomGraph(seed: number): Graph {
  const draw = drawFrom(seed);
  const count = 2 + draw(8);
  const nodes = Array.from({ length: count }, (_, i) => ({
    name: `n${i}${"x".repeat(draw(5))}`,
    kind: i === 0 ? "source" as const : "transform" as const,
    plugin: "p",
  }));
  const edges = nodes.flatMap((_, to) => {
    if (to === 0) return [];
    const from = new Set(Array.from({ length: 1 + draw(2) }, () => draw(to)));
    return [...from].map((each) => ({
      from: each,
      to,
      name: `${each}->${to}`,
      label: draw(2) === 0 ? "" : "c",
      required: true,
    }));
  });
  return { nodes, edges };
}

/** Where each box stands: rows and columns of its borders. */
function boxesOf(lines: readonly string[], graph: Graph) {
  return graph.nodes.map(({ name }) => {
    const row = lines.findIndex((line) => new RegExp(`│ *${name} *│`).test(line));
    const at = lines[row]?.search(new RegExp(`│ *${name} *│`)) ?? -1;
    const end = (lines[row] ?? "").indexOf("│", at + 1);
    return { top: row - 1, bottom: row + 2, left: at, right: end };
  });
}

const OPEN: { readonly [character: string]: string } = {
  "│": "ud",
  "─": "lr",
  "┌": "dr",
  "┐": "dl",
  "└": "ur",
  "┘": "ul",
  "├": "udr",
  "┤": "udl",
  "┬": "dlr",
  "┴": "ulr",
  "┼": "udlr",
  "▼": "u",
};

/** Rows and columns of the box borders that lines lead to from an arrow. */
function startsOf(lines: readonly string[], arrow: readonly [number, number]): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const go = (row: number, column: number, came: string) => {
    const key = `${row},${column},${came}`;
    const character = lines[row]?.[column] ?? " ";
    if (seen.has(key)) return;
    seen.add(key);
    // A border of a box above: its line begins here.
    if (
      came === "u" && character === "┬" && "─└".includes(lines[row]?.[column - 1] ?? " ") &&
      isBorder(lines, row, column)
    ) {
      return void found.add(`${row},${column}`);
    }
    const isNumber = /\d|c/.test(character);
    const open = isNumber ? "ud" : OPEN[character] ?? "";
    // A line that goes along passes below one that goes down.
    if ((came === "l" || came === "r") && open === "ud") return go(row, column + (came === "l" ? -1 : 1), came);
    for (const way of open) {
      if (way === "u" && came !== "d") go(row - 1, column, "u");
      if (way === "d" && came !== "u" && character !== "▼") go(row + 1, column, "d");
      if (way === "l" && came !== "r") go(row, column - 1, "l");
      if (way === "r" && came !== "l") go(row, column + 1, "r");
    }
  };
  go(arrow[0] - 1, arrow[1], "u");
  return [...found];
}

function isBorder(lines: readonly string[], row: number, column: number): boolean {
  const left = (lines[row] ?? "").slice(0, column).search(/└─*$/);
  return left >= 0 && lines[row - 1]?.[left] === "│" && lines[row - 2]?.[left] === "│";
}

Deno.test("textDrawing: lines lead from every arrow to the boxes that its node depends on, and to no other", async () => {
  for (let seed = 1; seed <= 150; seed++) {
    const graph = randomGraph(seed);
    const text = await textDrawing(graph);
    const lines = (text.split("\n\n")[0] ?? "").split("\n").map((line) => [...line].join(""));
    const boxes = boxesOf(lines, graph);
    graph.nodes.forEach(({ name }, to) => {
      const box = boxes[to];
      assert.ok(box !== undefined && box.left >= 0, `${seed} ${name}\n${text}`);
      const above = lines[box.top - 1] ?? "";
      const arrows = [...above].flatMap((c, column) =>
        c === "▼" && column > box.left && column < box.right ? [column] : []
      );
      const expected = graph.edges.filter((edge) => edge.to === to).map(({ from }) => from).sort();
      assert.equal(arrows.length, expected.length, `${seed} ${name}\n${text}`);
      const sources = arrows.flatMap((column) => startsOf(lines, [box.top - 1, column])).map((place) => {
        const [row = 0, column = 0] = place.split(",").map(Number);
        return boxes.findIndex((each) => each.bottom === row && column > each.left && column < each.right);
      });
      assert.deepEqual(sources.sort(), expected, `${seed} ${name}\n${text}`);
    });
  }
});

Deno.test("textDrawing: a graph too wide for boxes is a tree, in which a node is entered once", async () => {
  const sinks = Array.from({ length: 12 }, (_, i) => ({ name: `sink-${i}`, kind: "sink" as const, plugin: "file" }));
  const graph: Graph = {
    nodes: [
      { name: "in", kind: "source", plugin: "file" },
      { name: "t", kind: "transform", plugin: "script" },
      ...sinks,
    ],
    edges: [
      { from: 0, to: 1, name: "in->t", label: "", required: true },
      ...sinks.flatMap((_, i) => [
        { from: 1, to: i + 2, name: `t->sink-${i}`, label: i === 0 ? "payload.a ".repeat(20) : "", required: true },
      ]),
      { from: 0, to: 2, name: "in->sink-0", label: "", required: false },
    ],
  };
  const text = await textDrawing(graph);
  for (const line of text.split("\n")) assert.ok([...line].length <= DRAWING_COLUMNS, line);
  assert.equal(text.split("\n").filter((line) => line.includes("sink-7")).length, 1);
  assert.match(text, /^in \(file\)\n├─ t \(script\)\n│ {2}├─ \[1\] sink-0 \(file\)\n/);
  assert.match(text, /└─ \[2\] sink-0 \(file\)/);
  assert.match(text, /^2 {2}in->sink-0 {2}always; not required$/m);
});
