/** Owns the registration: what a plugin says of itself. */

import type { Static, TSchema } from "typebox";
import type { DiagnosticCode } from "../diagnostics/mod.ts";
import type { Definition } from "../schema/mod.ts";
import type { Codec } from "./codec.ts";
import type { CheckContext, PluginContext } from "./context.ts";
import type { Needs } from "./needs.ts";
import type { Sink } from "./sink.ts";
import type { Source } from "./source.ts";
import type { Transform, TransformFailureKind } from "./transform.ts";

/** The four kinds of plugins, in the order of the reference. */
export const PLUGIN_KINDS = ["source", "transform", "sink", "codec"] as const;

/** A kind of plugin. */
export type PluginKind = typeof PLUGIN_KINDS[number];

/** `pull`: has a watermark and an end. `finite`: its run can end. `explain-safe`: explain may execute it. */
export type Capability = "pull" | "finite" | "explain-safe";

/** Something wrong with a block that its schema cannot say. */
export interface PluginIssue {
  /** Default `plugin_schema` (`codec_config` for a codec). */
  readonly code?: DiagnosticCode;
  /** Keys and indexes from the block to the value; empty for the block itself. */
  readonly path: readonly (string | number)[];
  /** Position inside the string value, in UTF-16 units. */
  readonly offset?: number;
  readonly message: string;
  readonly hint?: string;
}

/** What every kind of plugin says. `Config` is the block with defaults filled in. */
export interface PluginBase<Schema extends TSchema> {
  readonly name: string;
  /** 1 for built-ins. */
  readonly version: number;
  /** One sentence for the catalogue. */
  readonly summary: string;
  readonly capabilities: readonly Capability[];
  readonly definition: Definition<Schema>;
  /** Rules across fields, compiled programs, and lint: everything wrong with a block that fits its schema. */
  check?(config: Static<Schema>, context: CheckContext): readonly PluginIssue[];
  /** Constants that expressions or scripts in a block read; `*` for all. Default: none. */
  constantsRead?(config: Static<Schema>): readonly string[];
  /** Those of them that must be declared, as what is read with a default need not be. Default: all of them. */
  constantsRequired?(config: Static<Schema>): readonly string[];
  /** Parameters that expressions or scripts in a block read; `*` for all. Default: none. */
  parametersRead?(config: Static<Schema>): readonly string[];
  /** What is worth knowing of a block beyond the summary, in a few words, for explain. Default: nothing. */
  note?(config: Static<Schema>): string | undefined;
  /** The permissions a block needs. Default: none. */
  needs?(config: Static<Schema>, context: CheckContext): Needs;
}

/** A key of `meta` that a source sets, for the catalogue and the reference. */
export interface MetaKey {
  readonly key: string;
  readonly type: "string" | "integer" | "boolean" | "object";
  /** What it holds, and when it is absent where it is not always there. */
  readonly description: string;
}

/** A source: where messages come from. */
export interface SourcePlugin<Schema extends TSchema = TSchema> extends PluginBase<Schema> {
  readonly kind: "source";
  /** Every key of `meta` that this source sets. Default: none. What the engine stamps is not among them. */
  readonly meta?: readonly MetaKey[];
  /** Whether a run with this block ends by itself. Default: has the capability `finite`. */
  ends?(config: Static<Schema>): boolean;
  create(config: Static<Schema>, context: PluginContext): Source;
}

/** A transform: changes, multiplies or drops messages. */
export interface TransformPlugin<Schema extends TSchema = TSchema> extends PluginBase<Schema> {
  readonly kind: "transform";
  /** Whether a block of this transform assigns `meta.route`, so that `route:` edges may follow it. Default false. */
  assignsRoute?(config: Static<Schema>): boolean;
  /**
   * Dotted paths a block may write, such as `payload.total` or `meta.route`; `payload` stands for all below it. Default
   * `payload` and `meta`: anything.
   */
  writes?(config: Static<Schema>): readonly string[];
  /** The kinds its failures may have, for explain. Default: all of them. */
  readonly failureKinds?: readonly TransformFailureKind[];
  /**
   * Whether a message that failed would fail again, so that all its failures are not `retryable`; for explain. Default
   * false: some may be tried again, as the edge says.
   */
  readonly failsForGood?: boolean;
  /**
   * Whether `workers: N` makes N isolates of it, with what this block needs and no more, which are given messages and
   * give their results as plain data: for a transform that computes. Default false: N at a time in the pipeline's
   * isolate, for one that waits for something outside.
   */
  readonly lanes?: boolean;
  /** Whether a node has one worker only, because it has to know of every message. Default false. */
  readonly oneWorker?: boolean;
  create(config: Static<Schema>, context: PluginContext): Transform;
}

/** A sink: where messages go. */
export interface SinkPlugin<Schema extends TSchema = TSchema> extends PluginBase<Schema> {
  readonly kind: "sink";
  /** Most messages an adaptive batch may hold. */
  maxBatch(config: Static<Schema>): number;
  create(config: Static<Schema>, context: PluginContext): Sink;
}

/** A codec: bytes to payloads and back. */
export interface CodecPlugin<Schema extends TSchema = TSchema> extends PluginBase<Schema> {
  readonly kind: "codec";
  create(config: Static<Schema>, context: CheckContext): Codec;
}

/** A plugin of any kind. */
export type Plugin = SourcePlugin | TransformPlugin | SinkPlugin | CodecPlugin;
