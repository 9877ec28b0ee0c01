/** Owns what each plugin instance is given. */

import type { Plan, PlanCodec } from "../plan/mod.ts";
import type { PluginContext } from "../plugin/mod.ts";
import { labelledMeter, loggerWith } from "../telemetry/mod.ts";
import type { EngineCore } from "./core.ts";

/** The context of one node: its own log fields and metric labels, the pipeline's bindings, the engine's clock. */
export function nodeContext(
  core: Pick<EngineCore, "options"> & { readonly plan: Pick<Plan, "name" | "directory" | "constants" | "limits"> },
  node: { readonly name: string; readonly decoder?: PlanCodec },
): PluginContext {
  const { plan, options } = core;
  const framing = node.decoder?.codec.framing;
  return {
    pipeline: plan.name,
    node: node.name,
    directory: plan.directory,
    constants: plan.constants,
    parameters: options.parameters,
    clock: options.clock,
    random: options.random,
    log: loggerWith(options.log, { node: node.name }),
    meter: labelledMeter(options.meter, { pipeline: plan.name, node: node.name }),
    durability: options.durability,
    ...(framing === undefined ? {} : { framing }),
    batchMessagesMax: Math.min(options.segmentMessagesMax, plan.limits.maxInFlight),
  };
}
