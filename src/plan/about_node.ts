/** Owns what a plugin says of a node and its block, for whoever explains a plan. */

import { TRANSFORM_FAILURE_KINDS } from "../plugin/mod.ts";
import type { PlanNodeAbout } from "./plan.ts";
import type { ResolvedNode } from "./resolution.ts";

/** Asks a node's plugin about its block. */
export function aboutNode({ kind, plugin, config }: ResolvedNode): PlanNodeAbout {
  const { version, summary, capabilities } = plugin;
  const note = plugin.note?.(config);
  const constants = plugin.constantsRead?.(config) ?? [];
  const parameters = plugin.parametersRead?.(config) ?? [];
  const reads = [...constants.map((name) => `constants.${name}`), ...parameters.map((name) => `parameters.${name}`)];
  const about = { version, summary, capabilities, ...(note === undefined ? {} : { note }), reads };
  if (kind !== "transform") return about;
  const { writes, failureKinds, failsForGood = false } = plugin;
  return {
    ...about,
    writes: writes?.(config) ?? ["payload", "meta"],
    failureKinds: failureKinds ?? TRANSFORM_FAILURE_KINDS,
    failsForGood,
  };
}
