/** Owns the plugins' own checks: rules across fields and compiled programs that a schema cannot tell. */

import { judgeBlockReads } from "./parameter_reads.ts";
import { reportIssues, type ResolutionScope, type ResolvedNode } from "./resolution.ts";

/** Runs the check of every node's plugin, and judges what it reads. */
export function judgePlugins(scope: ResolutionScope, nodes: Iterable<ResolvedNode>): void {
  for (const resolved of nodes) {
    const { node, plugin, config, context } = resolved;
    const issues = plugin.check?.(config, context) ?? [];
    reportIssues(scope, { path: node.path, block: node.block, node: node.name, code: "plugin_schema" }, issues);
    judgeBlockReads(scope, resolved);
  }
}
