/** Owns the question where paths of one message meet again. */

import type { Plan, PlanNode } from "../plan/mod.ts";

/**
 * Whether a message can come to the node over two of its edges. What it becomes from there on goes over the same edges
 * twice, and only its branch can tell the two apart.
 */
export function pathsMeetAt(plan: Pick<Plan, "nodes">, node: PlanNode): boolean {
  if (node.inputs.length < 2) return false;
  const byName = new Map(plan.nodes.map((each) => [each.name, each]));
  const reached = new Set<string>();
  for (const { from } of node.inputs) {
    const sources = new Set<string>();
    collectSources(from, byName, sources, new Set());
    for (const source of sources) {
      if (reached.has(source)) return true;
      reached.add(source);
    }
  }
  return false;
}

function collectSources(
  name: string,
  byName: ReadonlyMap<string, PlanNode>,
  sources: Set<string>,
  seen: Set<string>,
): void {
  if (seen.has(name)) return;
  seen.add(name);
  const node = byName.get(name);
  if (node?.kind === "source") sources.add(name);
  for (const { from } of node?.inputs ?? []) collectSources(from, byName, sources, seen);
}
