/** Owns the plugins' own checks: rules across fields and compiled programs that a schema cannot tell. */

import { judgeBlockReads } from "./environment_reads.ts";
import { reportIssues, type ResolutionScope, type ResolvedNode } from "./resolution.ts";

/** Runs the check of every node's plugin, and judges what it reads. */
export function judgePlugins(scope: ResolutionScope, nodes: Iterable<ResolvedNode>): void {
  for (const resolved of nodes) {
    const { node, plugin, config, context } = resolved;
    const issues = plugin.check?.(config, context) ?? [];
    reportIssues(scope, { path: node.path, block: node.block, node: node.name, code: "plugin_schema" }, issues);
    judgeBlockReads(scope, resolved);
    if (resolved.kind === "transform") judgeWorkers(scope, resolved);
  }
}

/** A transform that has to know of every message cannot be shared out. */
function judgeWorkers({ bag, places }: ResolutionScope, { node, plugin }: ResolvedNode & { kind: "transform" }): void {
  if (plugin.oneWorker !== true || node.workers <= 1) return;
  const message = `"${node.name}" must have one worker, found ${node.workers}: ${plugin.name} has to know of every ` +
    "message, and each of several workers would know of some";
  bag.report("cfg_workers_range", places.value([...node.nodePath, "workers"]), message, {
    hint: "leave `workers` out",
    node: node.name,
  });
}
