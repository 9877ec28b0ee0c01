/** Owns the warnings about a document that is right and still not what was meant. */

import type { Data } from "../base/mod.ts";
import { allExpressions, type Expressions, type PlacedExpression } from "./expressions.ts";
import { lintUnreachable } from "./exclusion.ts";
import { lintSecrets } from "./secrets.ts";
import type { ResolutionScope, ResolvedNode } from "./resolution.ts";
import type { Topology } from "./topology.ts";
import { valueAt } from "./block.ts";

/** What the passes look at. */
export interface LintScope extends ResolutionScope {
  readonly topology: Topology;
  readonly nodes: ReadonlyMap<string, ResolvedNode>;
  readonly expressions: Expressions;
}

/** Runs every lint pass. */
export function lint(scope: LintScope): void {
  for (const expression of allExpressions(scope.expressions)) lintIntArithmetic(scope, expression);
  for (const expression of scope.expressions.conditions.values()) lintLiteral(scope, expression);
  lintConstants(scope);
  lintUnreachable(scope);
  lintSecrets(scope);
  lintCollectors(scope);
  lintPolling(scope);
}

function lintIntArithmetic({ places, bag }: LintScope, { program, path, node }: PlacedExpression): void {
  if (program.lang !== "cel") return;
  for (const { offset, suggestion } of program.intArithmetic) {
    const message = "arithmetic between a payload field and an integer literal never evaluates: " +
      "the numbers of a JSON payload are doubles, and CEL adds no int to a double";
    const hint = `write ${suggestion}`;
    bag.report("lint_cel_int_arithmetic", places.character(path, offset), message, { hint, node });
  }
}

function lintLiteral({ places, bag }: LintScope, { program, path, node }: PlacedExpression): void {
  if (program.literal === undefined) return;
  const message = program.literal
    ? "the condition is always true: the edge takes every message"
    : "the condition is never true: the edge takes no message";
  const hint = program.literal ? "remove the condition" : "remove the edge";
  bag.report("lint_when_literal", places.value(path), message, { hint, node });
}

/** Warns of constants that nothing reads: neither a reference, nor an expression, nor a script. */
function lintConstants({ document, places, bag, nodes, expressions }: LintScope): void {
  const used = new Set<string>(document.constantsUsed);
  for (const { program } of allExpressions(expressions)) {
    for (const read of program.reads) {
      const [root, name] = read.split(".");
      if (root === "constants") used.add(name ?? "*");
    }
  }
  for (const resolved of nodes.values()) {
    for (const name of resolved.plugin.constantsRead?.(resolved.config) ?? []) used.add(name);
  }
  // A node that could not be resolved may read any of them.
  if (
    used.has("*") || document.unread.sections || document.unread.edges ||
    document.nodes.some((node) => !nodes.has(node.name))
  ) return;
  for (const name of Object.keys(document.constants)) {
    if (used.has(name)) continue;
    const hint = "remove it, or read it as ${constants." + name + "} or constants." + name;
    bag.report("lint_constant_unused", places.key(["constants", name]), `nothing reads constant "${name}"`, { hint });
  }
}

/** Warnings about pipelines that collect logs. */
function lintCollectors(scope: LintScope): void {
  const { places, bag, nodes } = scope;
  for (const resolved of nodes.values()) {
    const { node, plugin, config } = resolved;
    if (resolved.kind === "sink" && resolved.node.batch?.size === 1 && resolved.plugin.maxBatch(config) > 1) {
      const path = [...node.nodePath, "batch", "size"];
      if (places.has(path)) {
        const message =
          `"${node.name}" writes its messages one by one, while plugin "${plugin.name}" takes many at once`;
        const hint = "raise batch.size, or remove batch: it then takes what is waiting";
        bag.report("lint_collector_batch_one", places.value(path), message, { hint, node: node.name });
      }
    }
    if (resolved.kind === "source" && waitsForLines(resolved)) {
      const path = [...node.path, "multiline", "timeout_ms"];
      const message = "without a timeout the last lines of a quiet file wait until another line comes";
      bag.report("lint_multiline_no_timeout", places.field(path), message, {
        hint: "remove timeout_ms: its default is 2000",
        node: node.name,
      });
    }
    if (resolved.kind === "sink" && plugin.name === "victorialogs") lintVictoriaLogs(scope, resolved);
  }
}

/** Whether a source holds a group of lines back until another one comes, however long that takes. */
function waitsForLines({ plugin, config }: ResolvedNode): boolean {
  if (plugin.name !== "file" || numberAt(config, ["multiline", "timeout_ms"]) !== 0) return false;
  // What is read to its end once has no last lines that could wait.
  return valueAt(config as Data, ["on_eof"]) !== "stop";
}

/** Warns of sources whose messages a `victorialogs` sink is bound to dead-letter. */
function lintVictoriaLogs({ places, bag, nodes, topology }: LintScope, sink: ResolvedNode): void {
  const lineBytesMax = numberAt(sink.config, ["max_line_bytes"]);
  const reached = new Map([[sink.node.name, true]]);
  // Walks up from the sink; the value says whether payloads come down unwrapped from here.
  for (const [name, unwrapped] of reached) {
    for (const edge of topology.inputs.get(name) ?? []) {
      const upstream = nodes.get(edge.from);
      if (upstream === undefined || reached.get(edge.from) === true) continue;
      reached.set(edge.from, unwrapped && !(upstream.kind === "transform" && mayWrap(upstream)));
    }
  }
  for (const [name, unwrapped] of reached) {
    const upstream = nodes.get(name);
    if (upstream?.kind !== "source") continue;
    const sourceBytesMax = numberAt(upstream.config, ["max_line_bytes"]);
    if (lineBytesMax !== undefined && sourceBytesMax !== undefined && sourceBytesMax > lineBytesMax) {
      const message = `"${name}" reads lines of up to ${sourceBytesMax} bytes, but sink "${sink.node.name}" ` +
        `writes none beyond ${lineBytesMax}: longer ones end as dead letters`;
      const hint = "lower max_line_bytes of the source, or raise the sink's";
      const path = [...upstream.node.path, "max_line_bytes"];
      bag.report("lint_line_bytes_over_vl", places.field(path), message, { hint, node: name });
    }
    if (unwrapped && upstream.node.decoder === "raw") {
      const message = `"${name}" decodes plain text, but sink "${sink.node.name}" takes JSON objects only`;
      const hint = "put a fields transform with wrap_field between them";
      bag.report("lint_vl_nonobject_payload", places.field([...upstream.node.nodePath, "decoder"]), message, {
        hint,
        node: name,
      });
    }
  }
}

/** Whether a transform may turn text into an object. Of those that are known not to, the list is short. */
function mayWrap({ plugin, config }: ResolvedNode): boolean {
  if (plugin.name === "split" || plugin.name === "dedupe") return false;
  return plugin.name !== "fields" || valueAt(config as Data, ["wrap_field"]) !== undefined;
}

/** Warns of a polled query that has no cursor. */
function lintPolling({ document, places, bag, nodes }: LintScope): void {
  if (document.run.mode !== "continuous") return;
  for (const { kind, plugin, node, config } of nodes.values()) {
    if (kind !== "source" || plugin.name !== "sql" || valueAt(config as Data, ["cursor"]) !== undefined) continue;
    const message = `"${node.name}" runs its query again and again, and without a cursor each time on all rows`;
    const hint = "set cursor: {column: ...}, or run the query as a job";
    bag.report("lint_sql_continuous", places.key(node.path), message, { hint, node: node.name });
  }
}

function numberAt(config: unknown, path: readonly string[]): number | undefined {
  // Definitions give plain data.
  const value = valueAt(config as Data, path);
  return typeof value === "number" ? value : undefined;
}
