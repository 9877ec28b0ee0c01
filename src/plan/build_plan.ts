/** Owns the way from a document to a plan: judged once, and made again wherever it is to run. */

import type { Edge, PipelineDocument } from "../config/mod.ts";
import { type Diagnostic, DiagnosticBag, EventboatError } from "../diagnostics/mod.ts";
import { bindKey, bindPredicate } from "../languages/mod.ts";
import type { Needs, Registry } from "../plugin/mod.ts";
import { aboutNode } from "./about_node.ts";
import { CodecTable, type ResolvedCodec } from "./codecs.ts";
import { compileExpressions, type Expressions } from "./expressions.ts";
import { discreetText } from "./disclosure.ts";
import { lint } from "./lint.ts";
import { unionNeeds } from "./needs.ts";
import { Places } from "./places.ts";
import type { Plan, PlanCodec, PlanCondition, PlanEdge, PlanNode, PlanOrderKey } from "./plan.ts";
import { compileRedactPattern, type RedactPattern } from "./redaction.ts";
import { type ResolutionScope, type ResolvedNode, resolveHook, resolveNode } from "./resolution.ts";
import { reportDanglingRoutes } from "./routes.ts";
import { endsByItself, judgeRun } from "./run_rules.ts";
import { judgePlugins } from "./judge_plugins.ts";
import { secretTexts } from "./secrets.ts";
import { readTopology, type Topology } from "./topology.ts";

/** What building gives: the plan where nothing was wrong, and everything that was found. */
export interface PlanResult {
  /** Absent when an error was found. */
  readonly plan?: Plan;
  /** Errors and warnings, in document order. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Judges a document and makes its plan. Finds everything there is to find, so that a user mends a file once. Plugins'
 * own checks may read the files their blocks name.
 */
export function buildPlan(document: PipelineDocument, registry: Registry): PlanResult {
  const { draft, bag } = makeDraft(document, registry, "judged");
  const { scope, topology, nodes, expressions } = draft;
  judgePlugins(scope, nodes.values());
  for (const hook of document.hooks) resolveHook(scope, hook);
  reportDanglingRoutes(scope, topology, nodes);
  judgeRun(scope, [...nodes.values()]);
  lint({ ...scope, topology, nodes, expressions });
  const diagnostics = bag.list();
  return bag.hasErrors ? { diagnostics } : { plan: assemble(draft), diagnostics };
}

/**
 * Makes the plan of a document that was verified before, such as one that crossed a port: no check is run again,
 * nothing is read.
 * @throws {EventboatError} `config_invalid` when the document does not fit this program after all.
 */
export function rebuildPlan(document: PipelineDocument, registry: Registry): Plan {
  const { draft, bag } = makeDraft(document, registry, "verified");
  const first = bag.list().find((diagnostic) => diagnostic.severity === "error");
  if (first === undefined) return assemble(draft);
  throw new EventboatError("config_invalid", `cannot build pipeline "${document.name}": ${first.message}`, {
    ...(first.node === undefined ? {} : { node: first.node }),
    hint: "verify the pipeline with this program",
  });
}

/** All parts of a plan, as far as they could be made. */
interface Draft {
  readonly scope: ResolutionScope;
  readonly topology: Topology;
  readonly nodes: ReadonlyMap<string, ResolvedNode>;
  readonly codecs: CodecTable;
  /** The decoder or encoder of sources and sinks, by name of the node. */
  readonly codecOf: ReadonlyMap<string, ResolvedCodec>;
  readonly expressions: Expressions;
}

function makeDraft(document: PipelineDocument, registry: Registry, trust: "judged" | "verified") {
  const bag = new DiagnosticBag();
  const scope: ResolutionScope = { document, registry, places: new Places(document), bag };
  const topology = readTopology(document, scope.places, bag);
  const codecs = new CodecTable(scope, trust === "judged");
  const nodes = new Map<string, ResolvedNode>();
  const codecOf = new Map<string, ResolvedCodec>();
  for (const node of topology.nodes.values()) {
    const resolved = resolveNode(scope, node);
    if (resolved !== undefined) nodes.set(node.name, resolved);
    if (node.section === "transforms") continue;
    const field = node.section === "sources" ? "decoder" : "encoder";
    const name = node.section === "sources" ? node.decoder : node.encoder;
    const codec = codecs.resolve(name, [...node.nodePath, field], node.name);
    if (codec !== undefined) codecOf.set(node.name, codec);
  }
  const expressions = compileExpressions(scope);
  return { draft: { scope, topology, nodes, codecs, codecOf, expressions }, bag };
}

/** Puts the parts together; only for drafts without errors. */
function assemble(draft: Draft): Plan {
  const { document } = draft.scope;
  const edges = draft.topology.edges.map((edge, id) => planEdge(edge, id, draft));
  const needsByNode = new Map<string, Needs>();
  for (const [name, { plugin, config, context }] of draft.nodes) {
    needsByNode.set(name, unionNeeds([plugin.needs?.(config, context) ?? {}, draft.codecOf.get(name)?.needs ?? {}]));
  }
  return {
    name: document.name,
    directory: document.directory,
    mode: document.run.mode,
    constants: document.constants,
    nodes: draft.topology.order.flatMap(({ name }) => planNode(draft, edges, name)),
    edges,
    codecs: new Map([...draft.codecs.all].map(([name, codec]) => [name, planCodec(codec)])),
    limits: document.limits,
    ...(document.deadLetterRetentionMs === undefined ? {} : { deadLetterRetentionMs: document.deadLetterRetentionMs }),
    spanSampleRate: document.telemetry.spanSampleRate,
    redact: redactPatterns(document),
    secrets: secretTexts(document),
    parameters: document.parameters,
    // A spooled message may be in any codec that is declared, so all of them are made where the plan runs.
    needs: unionNeeds([...needsByNode.values(), ...[...draft.codecs.all.values()].map(({ needs }) => needs)]),
    needsByNode,
  };
}

/** The patterns of `telemetry.redact`; one that does not compile was reported. */
function redactPatterns({ telemetry }: PipelineDocument): readonly RedactPattern[] {
  return telemetry.redact.flatMap((text) => {
    const compiled = compileRedactPattern(text);
    return compiled.ok ? [compiled.pattern] : [];
  });
}

function planEdge(edge: Edge, id: number, draft: Draft): PlanEdge {
  const condition = planCondition(edge, draft);
  const { from, to, required, delivery, bufferEvents, origins } = edge;
  return {
    id,
    from,
    to,
    label: `${from}->${to}`,
    ...(condition === undefined ? {} : { condition }),
    required,
    delivery,
    bufferEvents,
    origins,
  };
}

function planCondition(edge: Edge, { expressions, scope }: Draft): PlanCondition | undefined {
  const placed = expressions.conditions.get(edge);
  if (placed === undefined) return undefined;
  const { program, path } = placed;
  const route = edge.when?.route;
  return {
    lang: program.lang,
    text: program.source,
    shown: discreetText(scope.document, { path, value: program.source }),
    ...(route === undefined ? {} : { route }),
    reads: program.reads,
    bind: (environment) => bindPredicate(program, environment),
  };
}

function planOrderKey({ expressions, scope }: Draft, name: string): PlanOrderKey | undefined {
  const placed = expressions.orderKeys.get(name);
  if (placed === undefined) return undefined;
  const { program, path } = placed;
  return {
    shown: discreetText(scope.document, { path, value: program.source }),
    reads: program.reads,
    bind: (environment) => bindKey(program, environment),
  };
}

function planNode(draft: Draft, edges: readonly PlanEdge[], name: string): PlanNode[] {
  const resolved = draft.nodes.get(name);
  if (resolved === undefined) return [];
  const common = {
    name,
    plugin: resolved.plugin.name,
    outputs: edges.filter((edge) => edge.from === name),
    inputs: edges.filter((edge) => edge.to === name),
    about: () => aboutNode(resolved),
  };
  if (resolved.kind === "transform") {
    const { plugin, config, node } = resolved;
    const { workers } = node;
    const lanes = workers > 1 && plugin.lanes === true;
    return [{ ...common, kind: "transform", workers, lanes, create: (context) => plugin.create(config, context) }];
  }
  const codec = draft.codecOf.get(name);
  if (codec === undefined) return [];
  if (resolved.kind === "source") {
    const { plugin, config } = resolved;
    const decoder = planCodec(codec);
    const ends = endsByItself(resolved);
    return [{ ...common, kind: "source", decoder, ends, create: (context) => plugin.create(config, context) }];
  }
  const { plugin, config, node } = resolved;
  const orderKey = planOrderKey(draft, name);
  return [{
    ...common,
    kind: "sink",
    encoder: planCodec(codec),
    ...(node.batch === undefined ? {} : { batch: node.batch }),
    maxBatch: plugin.maxBatch(config),
    ...(orderKey === undefined ? {} : { orderKey }),
    create: (context) => plugin.create(config, context),
  }];
}

function planCodec({ name, codec, plugin }: ResolvedCodec): PlanCodec {
  return { name, codec, plugin };
}
