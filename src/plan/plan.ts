/**
 * Owns the plan: the validated graph with its expressions compiled, its codecs made and its plugins ready to be made.
 * The engine sees nothing else, so a plan written by hand is a legal test fixture.
 */

import type { DeliveryPolicy, EdgeOrigins, ParameterDeclaration, RunMode } from "../config/mod.ts";
import type { CelKey, ConditionLanguage, Environment, Predicate } from "../languages/mod.ts";
import type {
  Capability,
  Codec,
  Needs,
  PluginContext,
  Sink,
  Source,
  Transform,
  TransformFailureKind,
} from "../plugin/mod.ts";
import type { RedactPattern } from "./redaction.ts";

/** A codec with the name messages carry. */
export interface PlanCodec {
  readonly name: string;
  /** Name of its plugin, for explain. */
  readonly plugin?: string;
  readonly codec: Codec;
}

/** A condition, compiled; bound when a run's parameters are known. */
export interface PlanCondition {
  readonly lang: ConditionLanguage;
  readonly text: string;
  /** The text as it may be shown: a stand-in where the environment has a share in it. Default: the text. */
  readonly shown?: string;
  /** The name of a `route:` edge. */
  readonly route?: string;
  /** Dotted paths it reads, such as `payload.region`. Default: unknown. */
  readonly reads?: readonly string[];
  bind(environment: Environment): Predicate;
}

/** An edge, ready to be taken. */
export interface PlanEdge {
  /** Position in {@linkcode Plan.edges}. */
  readonly id: number;
  readonly from: string;
  readonly to: string;
  /** `from->to`. */
  readonly label: string;
  /** Absent: always. */
  readonly condition?: PlanCondition;
  readonly required: boolean;
  readonly delivery: DeliveryPolicy;
  readonly bufferEvents: number;
  /** Who said so. Default: the edge. */
  readonly origins?: EdgeOrigins;
}

/** What a plugin says of a node and its block, for explain. */
export interface PlanNodeAbout {
  readonly version: number;
  readonly summary: string;
  readonly capabilities: readonly Capability[];
  /** What is worth knowing of this block. */
  readonly note?: string;
  /** Constants and parameters it reads, such as `constants.rate`; `constants.*` for all. */
  readonly reads: readonly string[];
  /** Of a transform: paths it may write. */
  readonly writes?: readonly string[];
  /** Of a transform: the classes its dead letters may have. */
  readonly failureKinds?: readonly TransformFailureKind[];
  /** Of a transform: whether nothing that failed is tried again. */
  readonly failsForGood?: boolean;
}

interface PlanNodeBase {
  readonly name: string;
  /** Name of the plugin. */
  readonly plugin: string;
  /** Edges that leave the node, in document order. */
  readonly outputs: readonly PlanEdge[];
  /** Edges that enter the node, in document order. */
  readonly inputs: readonly PlanEdge[];
  /** Asks the plugin about the block, which may take as long as compiling it. Absent: nothing is known. */
  about?(): PlanNodeAbout;
}

/** What gives the order key; bound when a run's parameters are known. */
export interface PlanOrderKey {
  /** Its text as it may be shown. */
  readonly shown?: string;
  /** Dotted paths it reads. */
  readonly reads?: readonly string[];
  bind(environment: Environment): CelKey;
}

/** A source, ready to be made. */
export interface PlanSource extends PlanNodeBase {
  readonly kind: "source";
  readonly decoder: PlanCodec;
  /** Whether its run ends by itself. */
  readonly ends: boolean;
  create(context: PluginContext): Source;
}

/** A transform, ready to be made. */
export interface PlanTransform extends PlanNodeBase {
  readonly kind: "transform";
  readonly workers: number;
  /** Whether several workers are to be isolates of their own where the host has any. Default false. */
  readonly lanes?: boolean;
  create(context: PluginContext): Transform;
}

/** A sink, ready to be made. */
export interface PlanSink extends PlanNodeBase {
  readonly kind: "sink";
  readonly encoder: PlanCodec;
  /** Absent: adaptive, up to {@linkcode PlanSink.maxBatch}. */
  readonly batch?: { readonly size: number; readonly timeoutMs: number };
  readonly maxBatch: number;
  readonly orderKey?: PlanOrderKey;
  create(context: PluginContext): Sink;
}

/** Any node. */
export type PlanNode = PlanSource | PlanTransform | PlanSink;

/** A pipeline, ready to run. */
export interface Plan {
  /** The pipeline's name. */
  readonly name: string;
  readonly directory: string;
  readonly mode: RunMode;
  readonly constants: Environment["constants"];
  /** Every node before those that depend on it; otherwise in document order. */
  readonly nodes: readonly PlanNode[];
  readonly edges: readonly PlanEdge[];
  /** Every codec a message of this pipeline may name: built-ins and declared ones. */
  readonly codecs: ReadonlyMap<string, PlanCodec>;
  readonly limits: { readonly maxInFlight: number; readonly drainTimeoutMs: number };
  readonly deadLetterRetentionMs?: number;
  readonly spanSampleRate: number;
  /** What is masked where payloads and metadata are shown. Default: nothing. */
  readonly redact?: readonly RedactPattern[];
  /** Texts of the document that are secrets: nothing shows them. Default: none. */
  readonly secrets?: readonly string[];
  /** What a run of a job may be given. Default: nothing. */
  readonly parameters?: readonly ParameterDeclaration[];
  /** The union of what its nodes need. */
  readonly needs: Needs;
  /** What each node needs, for `explain --permissions` and for naming the culprit. */
  readonly needsByNode: ReadonlyMap<string, Needs>;
}
