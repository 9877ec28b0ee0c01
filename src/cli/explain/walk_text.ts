/** Owns the text of a walk: a tree of what became of a message, node by node. */

import { exactJson } from "../../base/mod.ts";
import type { Walk, WalkEdge, WalkOutput, WalkStep } from "../../ops/mod.ts";
import { changeLine } from "../repl/answer_text.ts";
import { visible } from "../visible_text.ts";

/** Characters of a payload or of encoded bytes that are shown. */
const CONTENT_CHARACTERS_MAX = 2_000;

type Encoded = NonNullable<WalkStep["encoded"]>;

/** What an entry of the tree says, and what stands below it. */
interface Entry {
  readonly lines: readonly string[];
  readonly below: readonly Entry[];
}

/** The walk. */
export function walkText(walk: Walk): string {
  const { at, codec, payload, totals, truncated, steps } = walk;
  const [first] = steps;
  const shown = payload === undefined ? [] : [`  ${content(exactJson(payload))}`];
  const lines = [`a message in ${visible(codec)} at ${visible(at)}`, ...shown, ""];
  if (first !== undefined) lines.push(...treeLines(stepEntry(first, walk), "", ""));
  lines.push("", totalsText(totals));
  if (truncated) lines.push(`cut short after ${steps.length} steps: the message becomes too many`);
  return `${lines.join("\n")}\n`;
}

function treeLines({ lines, below }: Entry, head: string, rest: string): string[] {
  const margin = below.length === 0 ? rest : `${rest}│`;
  return [
    ...lines.map((line, i) => `${i === 0 ? head : `${margin.padEnd(rest.length + 2)}`}${line}`),
    ...below.flatMap((entry, i) => {
      const isLast = i === below.length - 1;
      return treeLines(entry, `${rest}${isLast ? "└─ " : "├─ "}`, `${rest}${isLast ? "   " : "│  "}`);
    }),
  ];
}

function stepEntry(step: WalkStep, walk: Walk, since = ""): Entry {
  const { node, kind, plugin, outputs = [], undecided = [] } = step;
  const head = `${visible(node)} (${kind} ${visible(plugin)})${since}`;
  const said = [...(step.printed ?? []).map((line) => `prints ${visible(line)}`), ...endLines(step)];
  const [only] = outputs;
  if (outputs.length === 1 && only !== undefined) {
    return { lines: [head, ...said, ...outputLines(only)], below: edgeEntries(only.edges, walk) };
  }
  const below = outputs.map((output, i) => ({
    lines: [`output ${i + 1} of ${outputs.length}`, ...outputLines(output)],
    below: edgeEntries(output.edges, walk),
  }));
  return { lines: [head, ...said], below: [...below, ...edgeEntries(undecided, walk)] };
}

/** What a node did with a message that left it. */
function outputLines({ changes, filtered }: WalkOutput): string[] {
  const lines = changes.map((change) => content(changeLine(change)));
  return filtered ? [...lines, "no edge takes it: it ends here and commits, counted as filtered"] : lines;
}

function endLines({ state, note, failure, order_key: key, encoded, edge }: WalkStep): string[] {
  switch (state) {
    case "filtered":
      return note === undefined ? [] : [`${note}: it ends here and commits, counted as filtered`];
    case "not_executed":
      return [`${note ?? "is not executed"}; what comes behind it cannot be told`];
    case "unknown":
      return ["may be reached"];
    case "given":
      return [...(key === undefined ? [] : [`order key ${exactJson(key)}`]), encodedText(encoded)];
    case "dead_letter":
    case "dropped":
      return failure === undefined ? [] : [
        state === "dropped"
          ? `fails, and is dropped and counted: the edge ${visible(edge ?? "")} is not required`
          : `fails, and becomes a dead letter of class ${failure.class}${attemptsText(failure.attempts)}`,
        `reason: ${content(failure.reason)}`,
        ...(failure.backtrace?.split("\n") ?? []).map((line) => `  ${visible(line)}`),
      ];
    case "passed":
      return [];
  }
}

function attemptsText(attempts: number): string {
  return attempts === 1 ? "" : ` after ${attempts} attempts, if it fails in each`;
}

function encodedText(encoded: Encoded | undefined): string {
  if (encoded === undefined) return "is given the message";
  const { codec, size, text, base64, as_arrived: asArrived, masked } = encoded;
  const bytes = `is given ${size} ${size === 1 ? "byte" : "bytes"} of ${visible(codec)}`;
  const remarks = [...(asArrived ? ["as they arrived"] : []), ...(masked ? ["masked in part"] : [])];
  const head = remarks.length === 0 ? bytes : `${bytes}, ${remarks.join(", ")}`;
  if (text !== undefined) return `${head}: ${content(text)}`;
  return base64 === undefined ? head : `${head} (base64): ${content(base64)}`;
}

function edgeEntries(edges: readonly WalkEdge[], walk: Walk): Entry[] {
  return edges.map((edge) => {
    const { to, condition, taken, error, step: number } = edge;
    const step = number === undefined ? undefined : walk.steps[number];
    const text = condition === undefined ? undefined : visible(condition);
    if (error !== undefined) {
      return {
        lines: [`not ${visible(to)}: ${text} cannot be evaluated, which counts as not met`, visible(error)],
        below: [],
      };
    }
    if (taken === false) return { lines: [`not ${visible(to)}: ${text} is not met`], below: [] };
    const since = text === undefined ? "" : taken === true ? `, since ${text}` : `, when ${text}`;
    if (step !== undefined) return stepEntry(step, walk, since);
    return { lines: [`${visible(to)}${since}${taken === undefined ? ", as above" : ""}`], below: [] };
  });
}

function totalsText({ given, filtered, dead_letters: dead, dropped, not_executed: unknown }: Walk["totals"]): string {
  const counts = [
    [given, "given to sinks"],
    [filtered, "filtered"],
    [dead, dead === 1 ? "dead letter" : "dead letters"],
    [dropped, "dropped"],
    [unknown, "not executed"],
  ] as const;
  return counts.filter(([count], i) => count > 0 || i === 0).map(([count, what]) => `${count} ${what}`).join(", ");
}

/** Content in one line, cut where it is long. */
function content(text: string): string {
  const rest = text.length - CONTENT_CHARACTERS_MAX;
  if (rest <= 0) return visible(text);
  return `${visible(text.slice(0, CONTENT_CHARACTERS_MAX).toWellFormed())}... (${rest} more characters)`;
}
