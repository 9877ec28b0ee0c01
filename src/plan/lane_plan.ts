/** Owns the part of a plan that a lane needs: one transform, and the codecs that can be had without a permission. */

import type { PipelineDocument } from "../config/mod.ts";
import { DiagnosticBag, EventboatError } from "../diagnostics/mod.ts";
import type { Needs, PluginContext, Registry, Transform } from "../plugin/mod.ts";
import { CodecTable } from "./codecs.ts";
import { unionNeeds } from "./needs.ts";
import { Places } from "./places.ts";
import type { Plan, PlanCodec } from "./plan.ts";
import { type ResolutionScope, resolveNode } from "./resolution.ts";
import { readTopology } from "./topology.ts";

/** A transform that is to run in lanes, as the host of the pipeline is told of it. */
export interface LaneGrant {
  readonly node: string;
  /** How many lanes it has. */
  readonly lanes: number;
  /** What its block needs, and no codec or other node. */
  readonly needs: Needs;
}

/** One transform, ready to be made, with what its context is made of. */
export interface LanePlan extends Pick<Plan, "name" | "directory" | "constants" | "limits"> {
  readonly codecs: ReadonlyMap<string, PlanCodec>;
  create(context: PluginContext): Transform;
}

/** The transforms of a plan that run in lanes. */
export function laneGrants(plan: Plan): readonly LaneGrant[] {
  return plan.nodes.flatMap((node) => {
    if (node.kind !== "transform" || node.lanes !== true || node.workers < 2) return [];
    return [{ node: node.name, lanes: node.workers, needs: unionNeeds([plan.needsByNode.get(node.name) ?? {}]) }];
  });
}

/**
 * Makes one transform of a document that was verified before: in an isolate that may do what this transform needs, so
 * nothing else is made there.
 * @throws {EventboatError} `config_invalid` when the document does not fit this program after all.
 */
export function rebuildTransform(document: PipelineDocument, registry: Registry, name: string): LanePlan {
  const places = new Places(document);
  const bag = new DiagnosticBag();
  const scope: ResolutionScope = { document, registry, places, bag };
  const node = readTopology(document, places, bag).nodes.get(name);
  const resolved = node === undefined ? undefined : resolveNode(scope, node);
  if (resolved?.kind !== "transform") {
    const found = bag.list().find(({ severity }) => severity === "error")?.message ?? "there is no such transform";
    throw new EventboatError("config_invalid", `cannot make "${name}" of pipeline "${document.name}": ${found}`, {
      node: name,
      hint: "verify the pipeline with this program",
    });
  }
  const { plugin, config } = resolved;
  return {
    name: document.name,
    directory: document.directory,
    constants: document.constants,
    limits: document.limits,
    // One that cannot be made here is left out: its messages come decoded.
    codecs: new CodecTable(scope, false, "needless").all,
    create: (context) => plugin.create(config, context),
  };
}
