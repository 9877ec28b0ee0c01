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
  /** A pipeline that runs in the program's own isolate has none, but for its store. */
  readonly isolates: readonly IsolateOutline[];
}

/** How a run is to be hosted. */
export interface PermissionScope {
  /** Whether the pipeline has isolates of its own. */
  readonly isolated: boolean;
  /** The folder of the store; undefined for one in memory. */
  readonly storeFolder?: string | undefined;
}

/** Tells the permissions. */
export function outlinePermissions(plan: Plan, { isolated, storeFolder }: PermissionScope): PermissionOutline {
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
    isolates: [
      ...(isolated ? [{ role: "pipeline" as const, count: 1, permissions: plan.needs }, ...lanes] : []),
      ...store,
    ],
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
