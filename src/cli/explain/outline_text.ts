/** Owns the text of a pipeline in outline. */

import { formatDuration } from "../../base/mod.ts";
import type { EdgeOutline, NodeOutline, PlanOutline } from "../../ops/mod.ts";
import { visible } from "../visible_text.ts";

type Failure = NodeOutline["failures"][number];
type Origin = EdgeOutline["required"]["from"];

/** How the text names who said something. */
const ORIGIN_WORDS: { readonly [origin in Origin]: string } = {
  edge: "by the edge",
  edge_defaults: "by edge_defaults",
  default: "by default",
  engine: "by the engine",
};

/** What a message fails at, as the beginning of a sentence. */
const FAILURE_WORDS: { readonly [when in Failure["when"]]: string } = {
  decode: "what cannot be decoded",
  transform: "what it fails on",
  order_key: "what has no order key",
  encode: "what cannot be encoded",
  write: "what cannot be written",
};

/** The outline: the pipeline, then every node with the edges into it. */
export function outlineText(outline: PlanOutline): string {
  const { pipeline, mode, max_in_flight: inFlight, dead_letter_retention_ms: retentionMs, nodes, edges } = outline;
  const kept = retentionMs === undefined ? "until they are deleted" : `for ${formatDuration(retentionMs)}`;
  const head = [
    `pipeline ${visible(pipeline)}, ${mode}`,
    `  at most ${inFlight} events under way; dead letters are kept ${kept}`,
  ];
  const parts = nodes.map((node) => nodeLines(node, edges));
  return [head, ...parts].map((lines) => `${lines.join("\n")}\n`).join("\n");
}

function nodeLines(node: NodeOutline, edges: readonly EdgeOutline[]): string[] {
  const inputs = edges.filter(({ to }) => to === node.node);
  const outputs = edges.filter(({ from }) => from === node.node);
  const about = [
    ...(node.summary === undefined ? [] : [node.summary]),
    ...(node.note === undefined ? [] : [node.note]),
    ...ownLines(node),
  ];
  return [
    `${node.kind} ${visible(node.node)}: ${visible(node.plugin)}${
      node.version === undefined ? "" : ` v${node.version}`
    }`,
    ...about.map((line) => `  ${visible(line)}`),
    ...inputs.flatMap((edge) => edgeLines(edge, node)),
    ...mixedLines(node, inputs.length),
    ...(node.kind !== "sink" && outputs.every(({ condition }) => condition !== undefined)
      ? ["  what no edge takes ends here and commits, counted as filtered"]
      : []),
  ];
}

function ownLines(node: NodeOutline): string[] {
  const { decoder, encoder, reads = [], writes, workers = 1, lanes, batch, order_key: key } = node;
  const lines: string[] = [];
  if (decoder !== undefined) lines.push(`decodes ${codecText(decoder)}; ${failureText(node, "decode")}`);
  if (node.ends !== undefined) lines.push(node.ends ? "ends by itself" : "goes on until it is stopped");
  if (reads.length > 0) lines.push(`reads ${reads.join(", ")}`);
  if (writes !== undefined) lines.push(writes.length === 0 ? "changes nothing" : `may change ${writes.join(", ")}`);
  if (workers > 1) lines.push(`${workers} workers${lanes === true ? ", an isolate each" : ""}: order is not kept`);
  if (node.explain_safe === false) lines.push("is not executed when a message is explained");
  if (encoder !== undefined) lines.push(`encodes ${codecText(encoder)}; ${failureText(node, "encode")}`);
  if (batch !== undefined) lines.push(batchText(batch));
  if (key !== undefined) {
    lines.push(
      `keeps the order of events with the same ${key.text}${dependsText(key.reads)}; ${failureText(node, "order_key")}`,
    );
  }
  return lines;
}

function codecText({ name, plugin }: NonNullable<NodeOutline["decoder"]>): string {
  return plugin === undefined || plugin === name ? name : `${name} (${plugin})`;
}

function batchText({ size, timeout_ms: timeoutMs }: NonNullable<NodeOutline["batch"]>): string {
  if (timeoutMs === undefined) return `is given what waits, at most ${countOf(size, "event")} at once`;
  return `is given batches of ${countOf(size, "event")}, or what is there after ${formatDuration(timeoutMs)}`;
}

/** What becomes of a failure in a node before any edge has a say. */
function failureText({ failures, kind }: NodeOutline, when: Failure["when"]): string {
  const classes = failures.filter((failure) => failure.when === when).flatMap((failure) => failure.classes);
  const end = `${FAILURE_WORDS[when]} is a dead letter of class ${alternatives(classes)}`;
  return kind === "source" ? end : `${end}, unless the edge is not required`;
}

function edgeLines(edge: EdgeOutline, { kind, failures }: NodeOutline): string[] {
  const { from, condition, required, delivery, buffer_events: buffer } = edge;
  const when = condition === undefined
    ? "always"
    : condition.route === undefined
    ? `when ${visible(condition.text)} (${condition.lang})`
    : `route ${visible(condition.route)}: when ${visible(condition.text)}`;
  const { retries, backoff, timeout_ms: timeout } = delivery;
  const policy = byOrigin([
    [retries.from, countOf(retries.value, "retry", "retries")],
    [backoff.from, `${backoff.value} backoff`],
    [timeout.from, `${formatDuration(timeout.value)} an attempt`],
    [buffer.from, `room for ${countOf(buffer.value, "event")}`],
  ]);
  const stage = kind === "sink" ? "write" : "transform";
  const classes = failures.filter((failure) => failure.when === stage).flatMap((failure) => failure.classes);
  const end = edge.on_failure === "drop"
    ? `is dropped and counted: not required ${ORIGIN_WORDS[required.from]}`
    : `is a dead letter of class ${alternatives(classes)}`;
  return [
    `  from ${visible(from)}: ${when}`,
    ...(condition?.reads === undefined ? [] : [`    depends on ${listed(condition.reads)}`]),
    ...policy.map((line) => `    ${line}`),
    `    ${FAILURE_WORDS[stage]} ${end}`,
  ];
}

/** A line for each who said something, in the order in which they first do. */
function byOrigin(parts: readonly (readonly [Origin, string])[]): string[] {
  return [...Map.groupBy(parts, ([from]) => from)].map(([from, said]) => {
    return `${ORIGIN_WORDS[from]}: ${said.map(([, words]) => words).join(", ")}`;
  });
}

function mixedLines({ mixed_batch: mixed }: NodeOutline, inputs: number): string[] {
  if (mixed === undefined) return [];
  const { retries, backoff, timeout_ms: timeoutMs } = mixed;
  return [
    `  a batch that came over all ${inputs} edges: the strictest holds, ${countOf(retries, "retry", "retries")}, ` +
    `${backoff} backoff, ${formatDuration(timeoutMs)} an attempt`,
  ];
}

function dependsText(reads: readonly string[] | undefined): string {
  return reads === undefined ? "" : ` (depends on ${listed(reads)})`;
}

function listed(reads: readonly string[]): string {
  return reads.length === 0 ? "nothing" : reads.map(visible).join(", ");
}

function alternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}

function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
