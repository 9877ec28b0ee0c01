/** Owns who may do what: the permissions of each node, and of each isolate that a run starts. */

import { laneGrants, type Plan, unionNeeds } from "../plan/mod.ts";
import type { Needs } from "../plugin/mod.ts";

/** An isolate with all that it may do. */
export interface IsolateOutline {
  /** `pipeline`: the engine with its nodes. `lane`: workers of one transform. `store`: the store's writer. */
  readonly role: "pipeline" | "lane" | "store";
  /** The transform of a lane. */
  readonly node?: string;
  /** How many there are. */
  readonly count: number;
  readonly permissions: Needs;
}

/** The permissions of a plan. */
export interface PermissionOutline {
  /** What each node's block and codec need; nodes in order, those that need nothing too. */
  readonly nodes: readonly { readonly node: string; readonly permissions: Needs }[];
  /** What declared codecs need that no node names: messages of the spool may be in them. */
  readonly codecs: Needs;
  /** The union. */
  readonly permissions: Needs;
  readonly isolates: readonly IsolateOutline[];
}

/** Tells the permissions; `storeFolder` is where the store is to be, undefined for one in memory. */
export function outlinePermissions(plan: Plan, storeFolder: string | undefined): PermissionOutline {
  const nodes = plan.nodes.map(({ name }) => ({ node: name, permissions: plan.needsByNode.get(name) ?? {} }));
  const lanes = laneGrants(plan).map(({ node, lanes: count, needs }): IsolateOutline => {
    return { role: "lane", node, count, permissions: needs };
  });
  const store: IsolateOutline[] = storeFolder === undefined
    ? []
    : [{ role: "store", count: 1, permissions: { read: [storeFolder], write: [storeFolder] } }];
  return {
    nodes,
    codecs: beyond(plan.needs, unionNeeds(nodes.map(({ permissions }) => permissions))),
    permissions: plan.needs,
    isolates: [{ role: "pipeline", count: 1, permissions: plan.needs }, ...lanes, ...store],
  };
}

/** What is in `all` and not in `known`. */
function beyond(all: Needs, known: Needs): Needs {
  const kinds = Object.entries(all).map(([kind, values]: [string, readonly string[]]): [string, readonly string[]] => {
    const without: readonly string[] = known[kind as keyof Needs] ?? [];
    return [kind, values.filter((value) => !without.includes(value))];
  });
  return Object.fromEntries(kinds.filter(([, values]) => values.length > 0));
}
