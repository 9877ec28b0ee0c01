/**
 * Owns the pipeline document as it is loaded: typed, substituted, overlaid, every default filled in, and every value
 * with its place in the file the user wrote. Plain data: it crosses a port by structured clone.
 */

import type { Data } from "../base/mod.ts";
import type { Span } from "../diagnostics/mod.ts";

/** Keys and indexes from the top of the document to a value. */
export type DocumentPath = readonly (string | number)[];

/** Where a value stands, and where the characters of a string value stand. */
export interface ValueSpan extends Span {
  /** Where the value's key stands, for values of mappings. */
  readonly key?: Span;
  /**
   * For a string that spans lines (block scalars): where each line of its text begins, so that an offset inside the
   * text can be told as line and column of the file.
   */
  readonly textLines?: readonly { readonly line: number; readonly column: number }[];
  /**
   * For a string whose characters do not follow the span one by one (quotes, escapes, block and folded scalars,
   * substituted text): where they stand, sorted by offset. `spanAt` reads it.
   */
  readonly segments?: readonly TextSegment[];
}

/** From `offset` on, in UTF-16 units, the characters of a text stand one after another from this place of the file. */
export interface TextSegment {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  /** All characters of the segment came from this one place: a reference that was replaced. */
  readonly fixed?: true;
}

/** A `${parameters.x}` that a run resolves. */
export interface ParameterReference {
  /** Pointer of the string value it stands in. */
  readonly pointer: string;
  /** UTF-16 units from the start of the value, both ends of `${...}`. */
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Spans by path, the path written as a JSON pointer (RFC 6901); the empty pointer is the document. */
export type SpanTable = { readonly [pointer: string]: ValueSpan };

/** How a pipeline runs: for ever, in scheduled or triggered runs, or once until everything is exhausted and committed. */
export type RunMode = "continuous" | "job" | "batch";

/** The `run` section, every default filled in. */
export interface RunSettings {
  readonly mode: RunMode;
  readonly schedule?: string;
  /** IANA zone. */
  readonly timezone: string;
  readonly overlap: "skip" | "latest" | "all";
  readonly catchupWindowMs?: number;
  readonly skipIfSuccessful: boolean;
  readonly historyRetentionMs?: number;
}

/** One declared run parameter. The defaults `cursor` and `now` are bindings that the engine resolves when a run starts. */
export interface ParameterDeclaration {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean";
  readonly default?: Data;
  readonly required: boolean;
  readonly enum?: readonly Data[];
  readonly pattern?: string;
  readonly min?: number;
  readonly max?: number;
  readonly description?: string;
}

/** A plugin block or named codec: which plugin, and its block as data. */
export interface PluginBlock {
  readonly plugin: string;
  readonly block: Data;
  /** Path of the block. */
  readonly path: DocumentPath;
}

/** The `grpc` block of an external node. */
export interface ExternalPlugin {
  readonly command: readonly string[];
  /** Absolute path of the manifest. */
  readonly schema: string;
  readonly restart: "fast-fail" | "restart";
  readonly env: { readonly [name: string]: string };
  readonly permissions?: { readonly [kind: string]: Data };
  /** The manifest as read. */
  readonly manifest: ExternalManifest;
}

/** What the manifest of an external plugin says. */
export interface ExternalManifest {
  readonly kind: "source" | "sink" | "transform";
  readonly name: string;
  readonly version: number;
  readonly capabilities: readonly string[];
  readonly configSchema: Data;
}

/** How messages pass an edge. */
export interface DeliveryPolicy {
  readonly retries: number;
  readonly backoff: "exponential" | "constant";
  /** Limit of one attempt; the engine's default where absent. */
  readonly timeoutMs?: number;
}

/** Who said what an edge does: the edge itself, `edge_defaults`, or nobody. */
export type EdgeOrigin = "edge" | "edge_defaults" | "default";

/** Who said each attribute of an edge. */
export interface EdgeOrigins {
  readonly required: EdgeOrigin;
  readonly retries: EdgeOrigin;
  readonly backoff: EdgeOrigin;
  readonly timeoutMs: EdgeOrigin;
  readonly bufferEvents: EdgeOrigin;
}

/** When a message passes an edge. */
export interface EdgeCondition {
  readonly lang: "cel" | "cesql";
  readonly expr: string;
  /** Path of the expression's text. */
  readonly path: DocumentPath;
  /** Set for a `route:` edge; `expr` is then `meta.route == "<name>"`. */
  readonly route?: string;
}

/** One `depends_on` element. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly when?: EdgeCondition;
  readonly required: boolean;
  readonly delivery: DeliveryPolicy;
  /** Messages the edge may hold. */
  readonly bufferEvents: number;
  readonly origins: EdgeOrigins;
  /** Path of the element. */
  readonly path: DocumentPath;
}

interface NodeBase extends PluginBlock {
  readonly name: string;
  /** Path of the node, `[section, name]`. */
  readonly nodePath: DocumentPath;
  readonly version?: number;
  readonly grpc?: ExternalPlugin;
}

/** A node of `sources`. */
export interface SourceNode extends NodeBase {
  readonly section: "sources";
  /** Name of a codec, built in or declared under `codecs`. */
  readonly decoder: string;
}

/** A node of `transforms`. */
export interface TransformNode extends NodeBase {
  readonly section: "transforms";
  readonly dependsOn: readonly Edge[];
  readonly workers: number;
}

/** A node of `sinks`. */
export interface SinkNode extends NodeBase {
  readonly section: "sinks";
  readonly dependsOn: readonly Edge[];
  readonly encoder: string;
  /** CEL text. */
  readonly orderKey?: string;
  /** Absent: adaptive. */
  readonly batch?: { readonly size: number; readonly timeoutMs: number };
}

/** Any node. */
export type DocumentNode = SourceNode | TransformNode | SinkNode;

/** A named codec. */
export interface CodecDeclaration extends PluginBlock {
  readonly name: string;
}

/** One inline sink block under `hooks`. */
export interface HookDeclaration extends PluginBlock {
  readonly event: "success" | "failure";
}

/** A pipeline document, whole. */
export interface PipelineDocument {
  /** The file as the user named it. */
  readonly file: string;
  /** Absolute folder of the file: relative paths in blocks are read from here. */
  readonly directory: string;
  readonly name: string;
  readonly description?: string;
  readonly labels: { readonly [name: string]: string };
  readonly run: RunSettings;
  readonly parameters: readonly ParameterDeclaration[];
  readonly constants: { readonly [name: string]: Data };
  readonly hooks: readonly HookDeclaration[];
  readonly limits: { readonly maxInFlight: number; readonly drainTimeoutMs: number };
  readonly codecs: readonly CodecDeclaration[];
  readonly deadLetterRetentionMs?: number;
  readonly telemetry: { readonly redact: readonly string[]; readonly spanSampleRate: number };
  /** All nodes, in document order. */
  readonly nodes: readonly DocumentNode[];
  readonly spans: SpanTable;
  /** Constants that some `${constants.x}` in the document used. */
  readonly constantsUsed: readonly string[];
  /** Pointers of string values that hold text substituted from the environment. */
  readonly substituted: readonly string[];
  /**
   * Pointers of string values that were exactly one reference, to the environment or to a constant: they take the type
   * YAML gives their text where a schema asks for a number or boolean.
   */
  readonly references: readonly string[];
  /** Pointers of string values with a reference that could not be resolved: what they hold is not what they mean. */
  readonly unresolved: readonly string[];
  /** Where parameters of a run stand, in document order; empty unless the mode is `job`. */
  readonly parameterReferences: readonly ParameterReference[];
  /** Names that nodes were declared by which are not among `nodes`, since something about them is wrong. */
  readonly brokenNodes: readonly string[];
  readonly unread: UnreadGraph;
}

/** What of the graph could not be read: what the rest seems to lack may be in there. */
export interface UnreadGraph {
  /** A section as a whole, so that its nodes have no names. */
  readonly sections: boolean;
  /** A node, or an element of a `depends_on`. */
  readonly edges: boolean;
}
