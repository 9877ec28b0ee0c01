/** Owns the operation `explain`: a pipeline in outline, what becomes of a message in it, how it looks, what it may do. */

import { Buffer } from "node:buffer";
import { dirname, resolve } from "node:path";
import type { Static } from "typebox";
import { systemRandom } from "../../base/mod.ts";
import { documentOfRun, type PipelineDocument } from "../../config/mod.ts";
import { EventboatError } from "../../diagnostics/mod.ts";
import {
  drawSvg,
  drawTopology,
  explainMessage,
  outlinePermissions,
  outlinePlan,
  type PermissionOutline,
  type PlanOutline,
  type Topology,
  type Walk,
} from "../../explain/mod.ts";
import { type Plan, rebuildPlan } from "../../plan/mod.ts";
import { block, define, flag, optional, text } from "../../schema/mod.ts";
import { storePath } from "../../store/mod.ts";
import { silentMeter } from "../../telemetry/mod.ts";
import { verifyFile } from "../../verify/mod.ts";
import { configField, dataDirField, ephemeralField, overlaysField, runtimeField } from "../fields.ts";
import type { Operation, OperationContext } from "../operation.ts";
import { readMapping } from "../repl/sample.ts";
import { openRuntime } from "../runtime.ts";
import { type VerifyAnswer, verifyAnswer, verifyOptions } from "../verify_operation.ts";
import { explainOutput } from "./explain_schema.ts";
import { runParameters } from "./run_parameters.ts";

/** A pipeline, explained. */
export interface Explanation extends PlanOutline {
  readonly file: string;
  /** What becomes of the message; absent without one. */
  readonly sample?: Walk;
  /** Absent unless it was asked for. */
  readonly topology?: Topology;
  /** An SVG document; absent unless it was asked for. */
  readonly svg?: string;
  /** Absent unless they were asked for. */
  readonly permissions?: PermissionOutline;
}

/** The answer: the explanation, or the verdict on a pipeline that does not pass. */
export type ExplainAnswer =
  | { readonly kind: "explained"; readonly explanation: Explanation }
  | { readonly kind: "refused"; readonly verdict: VerifyAnswer };

const input = block({
  config: configField,
  overlays: overlaysField,
  message: optional(
    text({ description: "A message to explain, as the text that a source would bring.", minLength: 0 }),
  ),
  message_base64: optional(text({ description: "The same as bytes, in base64.", minLength: 0 })),
  is_line: flag({
    description: "Take a line end behind the message for none of it, unless it is in a codec of bytes.",
    default: false,
  }),
  at: optional(text({ description: "The node that the message enters. Default: the first source of the document." })),
  codec: optional(text({ description: "The codec of the message. Default: the decoder of its source." })),
  meta: optional(text({ description: "Metadata laid over message_id, ingest_time and source, as JSON text." })),
  parameters: optional(text({ description: "The run's parameters, as JSON text. Default: as they are declared." })),
  topology: flag({ description: "Draw the pipeline for Mermaid and in text.", default: false }),
  svg: flag({ description: "Draw the pipeline as SVG.", default: false }),
  permissions: flag({ description: "Tell what each node needs and each isolate may do.", default: false }),
  data_dir: optional(dataDirField),
  ephemeral: optional(ephemeralField),
  runtime: optional(runtimeField),
});

type Choice = Static<typeof input>;

/** Explains a pipeline file. Nothing is started, nothing is written. */
export const explainOperation: Operation<typeof input, ExplainAnswer> = {
  name: "explain",
  summary: "Tells what a pipeline would do, or what becomes of one message in it.",
  effect: "read",
  input: define(input),
  output: explainOutput,
  async handle(choice, context) {
    const bytes = messageBytes(choice);
    const verdict = verifyFile(verifyOptions(choice, context));
    const { document, plan, file } = verdict;
    if (document === undefined || plan === undefined) return { kind: "refused", verdict: verifyAnswer(verdict) };
    const permissions = choice.permissions ? permissionsOf(plan, choice, context) : undefined;
    if (permissions !== undefined && "kind" in permissions) return permissions;
    const sample = bytes === undefined ? undefined : await walkOf(document, { plan, bytes, choice, context });
    const topology = choice.topology ? await drawTopology(plan) : undefined;
    const svg = choice.svg ? await drawSvg(plan) : undefined;
    return {
      kind: "explained",
      explanation: {
        file,
        ...outlinePlan(plan),
        ...(sample === undefined ? {} : { sample }),
        ...(topology === undefined ? {} : { topology }),
        ...(svg === undefined ? {} : { svg }),
        ...(permissions === undefined ? {} : { permissions }),
      },
    };
  },
};

function messageBytes({ message, message_base64: base64, ...rest }: Choice): Uint8Array | undefined {
  if (message !== undefined && base64 !== undefined) {
    throw new EventboatError("usage", "give one of message, message_base64");
  }
  if (message !== undefined) return new TextEncoder().encode(message);
  if (base64 !== undefined) return new Uint8Array(Buffer.from(base64, "base64"));
  const idle = (["at", "codec", "meta", "parameters"] as const).find((name) => rest[name] !== undefined);
  if (idle === undefined) return undefined;
  throw new EventboatError("usage", `"${idle}" is about a message, and none is given`);
}

interface WalkRequest {
  readonly plan: Plan;
  readonly bytes: Uint8Array;
  readonly choice: Choice;
  readonly context: OperationContext;
}

async function walkOf(document: PipelineDocument, { plan, bytes, choice, context }: WalkRequest): Promise<Walk> {
  const { at, codec, meta } = choice;
  const parameters = runParameters(document.parameters, readMapping(choice.parameters, "the parameters"));
  // Texts that hold a parameter are known only with its value.
  const plain = document.parameterReferences.length === 0;
  const planOfRun = plain ? plan : rebuildPlan(documentOfRun(document, parameters), context.registry);
  const sample = {
    bytes,
    isLine: choice.is_line,
    ...(at === undefined ? {} : { at }),
    ...(codec === undefined ? {} : { codec }),
    ...(meta === undefined ? {} : { meta: readMapping(meta, "the metadata") }),
  };
  const { clock } = context;
  return await explainMessage(planOfRun, sample, { parameters, clock, random: systemRandom, meter: silentMeter });
}

function permissionsOf(plan: Plan, choice: Choice, context: OperationContext) {
  const opened = openRuntime(choice, context);
  if (opened.kind === "refused") return opened;
  const { isolation, storage } = opened.runtime;
  const storeFolder = storage.ephemeral ? undefined : resolve(dirname(storePath(storage.dataDir, plan.name)));
  return outlinePermissions(plan, { isolated: isolation !== "inline", storeFolder });
}
