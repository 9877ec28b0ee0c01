/** Owns the way from a node's block to a plugin and its typed configuration. */

import { type Data, didYouMeanOneOf } from "../base/mod.ts";
import type {
  DocumentNode,
  DocumentPath,
  HookDeclaration,
  PipelineDocument,
  SinkNode,
  SourceNode,
  TransformNode,
} from "../config/mod.ts";
import type { DiagnosticBag, DiagnosticCode, Span } from "../diagnostics/mod.ts";
import {
  type CheckContext,
  PLUGIN_KINDS,
  type PluginIssue,
  type PluginKind,
  type PluginOf,
  type Registry,
  type SinkPlugin,
  type SourcePlugin,
  type TransformPlugin,
} from "../plugin/mod.ts";
import { type ConfigIssue, defineForeign } from "../schema/mod.ts";
import { parseBlock, valueAt } from "./block.ts";
import { discreet } from "./disclosure.ts";
import type { Places } from "./places.ts";

interface Resolved<Node, Kind> {
  readonly node: Node;
  readonly plugin: Kind;
  /** The block with defaults filled in, as the plugin's definition gives it. */
  readonly config: unknown;
  readonly context: CheckContext;
}

/** A node whose plugin is known and whose block fits it. */
export type ResolvedNode =
  | { readonly kind: "source" } & Resolved<SourceNode, SourcePlugin>
  | { readonly kind: "transform" } & Resolved<TransformNode, TransformPlugin>
  | { readonly kind: "sink" } & Resolved<SinkNode, SinkPlugin>;

/** What finding a plugin for a block needs to know. */
export interface ResolutionScope {
  readonly document: PipelineDocument;
  readonly registry: Registry;
  readonly places: Places;
  readonly bag: DiagnosticBag;
}

/** Finds the plugin of a node and parses its block; undefined when something about it was reported. */
export function resolveNode(scope: ResolutionScope, node: DocumentNode): ResolvedNode | undefined {
  switch (node.section) {
    case "sources": {
      const found = resolve(scope, node, "source");
      return found === undefined ? undefined : { kind: "source", node, ...found };
    }
    case "transforms": {
      const found = resolve(scope, node, "transform");
      return found === undefined ? undefined : { kind: "transform", node, ...found };
    }
    case "sinks": {
      const found = resolve(scope, node, "sink");
      return found === undefined ? undefined : { kind: "sink", node, ...found };
    }
  }
}

/** Finds the sink of a hook and parses its block, only to report what is wrong with it. */
export function resolveHook(scope: ResolutionScope, hook: HookDeclaration): void {
  const { document, registry, places, bag } = scope;
  const plugin = registry.get("sink", hook.plugin);
  if (plugin === undefined) {
    const message = `the ${hook.event} hook asks for the sink plugin "${hook.plugin}", which is not registered`;
    bag.report("plugin_unknown", places.key(hook.path), message, { hint: unknownHint(registry, "sink", hook.plugin) });
    return;
  }
  const target = { path: hook.path, block: hook.block, node: undefined, code: "plugin_schema" } as const;
  const parsed = parseBlock(document, plugin.definition, hook);
  const context = checkContext(document, `hooks.${hook.event}`);
  reportIssues(scope, target, parsed.ok ? plugin.check?.(parsed.value, context) ?? [] : parsed.issues);
}

interface Found<Kind extends PluginKind> {
  readonly plugin: PluginOf<Kind>;
  readonly config: unknown;
  readonly context: CheckContext;
}

function resolve<Kind extends PluginKind>(scope: ResolutionScope, node: DocumentNode, kind: Kind) {
  const plugin = findPlugin(scope, node, kind);
  if (plugin === undefined) return undefined;
  const parsed = parseBlock(scope.document, plugin.definition, node);
  if (parsed.ok) {
    const found: Found<Kind> = { plugin, config: parsed.value, context: checkContext(scope.document, node.name) };
    return found;
  }
  reportIssues(scope, { path: node.path, block: node.block, node: node.name, code: "plugin_schema" }, parsed.issues);
  return undefined;
}

/** What is told to a plugin's `check` and `needs`. */
export function checkContext(document: PipelineDocument, node: string): CheckContext {
  return { pipeline: document.name, node, directory: document.directory, constants: document.constants };
}

/** Where issues of a block are to be shown. */
export interface IssueTarget {
  /** Path of the block. */
  readonly path: DocumentPath;
  readonly block: Data;
  /** The node, or undefined for a named codec. */
  readonly node: string | undefined;
  /** The code of issues that name none. */
  readonly code: DiagnosticCode;
}

/** Reports what a definition or a plugin's own check found wrong with a block. */
export function reportIssues(
  scope: ResolutionScope,
  target: IssueTarget,
  issues: readonly (ConfigIssue & PluginIssue)[],
): void {
  for (const issue of issues) {
    // That the text is no value of its field was reported as what it is: a reference that leads nowhere.
    const path = [...target.path, ...issue.path];
    if (scope.places.isUnresolved(path)) continue;
    const about = { path, value: valueAt(target.block, issue.path) ?? null };
    const told = (sentence: string) => discreet(scope.document, about, sentence);
    scope.bag.report(issue.code ?? target.code, issueSpan(scope, target, issue), told(issue.message), {
      ...(issue.hint === undefined ? {} : { hint: told(issue.hint) }),
      ...(target.node === undefined ? {} : { node: target.node }),
    });
  }
}

function issueSpan({ places }: ResolutionScope, target: IssueTarget, issue: ConfigIssue & PluginIssue): Span {
  const path = [...target.path, ...issue.path];
  const value = valueAt(target.block, issue.path);
  // A mapping or list may begin a line further down than its key.
  if (issue.atKey === true || (typeof value === "object" && value !== null)) return places.key(path);
  return issue.offset === undefined ? places.field(path) : places.character(path, issue.offset);
}

function findPlugin<Kind extends PluginKind>(
  scope: ResolutionScope,
  node: DocumentNode,
  kind: Kind,
): PluginOf<Kind> | undefined {
  const { registry, places, bag } = scope;
  const plugin = registry.get(kind, node.plugin);
  if (node.grpc !== undefined) {
    reportExternal(scope, node, plugin !== undefined);
    return undefined;
  }
  if (plugin === undefined) {
    const message = `"${node.name}" asks for the ${kind} plugin "${node.plugin}", which is not registered`;
    bag.report("plugin_unknown", places.key(node.path), message, {
      hint: unknownHint(registry, kind, node.plugin),
      node: node.name,
    });
    return undefined;
  }
  if (node.version !== undefined && node.version !== plugin.version) {
    reportVersion(scope, node, plugin.version);
    return undefined;
  }
  return plugin;
}

function unknownHint(registry: Registry, kind: PluginKind, name: string): string {
  const elsewhere = PLUGIN_KINDS.find((other) => registry.get(other, name));
  if (elsewhere !== undefined) return `"${name}" is a ${elsewhere}, not a ${kind}`;
  return didYouMeanOneOf(name, registry.list(kind).map((plugin) => plugin.name));
}

function reportVersion({ places, bag }: ResolutionScope, node: DocumentNode, version: number): void {
  const message =
    `"${node.name}" pins version ${node.version} of plugin "${node.plugin}", but version ${version} is here`;
  const hint = `write version: ${version} once you have read what changed, or remove the pin`;
  bag.report("plugin_version_mismatch", places.value([...node.nodePath, "version"]), message, {
    hint,
    node: node.name,
  });
}

/** An external node is judged by its manifest; the process is never started. */
function reportExternal(scope: ResolutionScope, node: DocumentNode, builtIn: boolean): void {
  const { places, bag } = scope;
  const manifest = node.grpc?.manifest;
  if (manifest === undefined) return;
  if (builtIn) {
    const message = `"${node.plugin}" is compiled into this program, but node "${node.name}" runs it with grpc`;
    const hint = "give the external plugin a name of its own, or remove the grpc block";
    bag.report("grpc_builtin_conflict", places.key(node.path), message, { hint, node: node.name });
  } else if (manifest.name !== node.plugin) {
    const message = `the manifest of node "${node.name}" describes plugin "${manifest.name}", not "${node.plugin}"`;
    const hint = `name the block "${manifest.name}", or name the right manifest in grpc.schema`;
    bag.report("grpc_manifest_name", places.key(node.path), message, { hint, node: node.name });
  } else if (node.version !== undefined && node.version !== manifest.version) {
    reportVersion(scope, node, manifest.version);
  } else {
    const foreign = defineForeign(manifest.configSchema);
    const parsed = foreign.ok ? parseBlock(scope.document, foreign.definition, node) : undefined;
    const target = { path: node.path, block: node.block, node: node.name, code: "plugin_schema" } as const;
    if (parsed?.ok === false) reportIssues(scope, target, parsed.issues);
    const message = `"${node.name}" asks for the external plugin "${node.plugin}", which this build cannot start`;
    const hint = "external plugins over gRPC are not part of this build";
    bag.report("plugin_unknown", places.key(node.path), message, { hint, node: node.name });
  }
}
