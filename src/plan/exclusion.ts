/** Owns the finding of edges that no message can take, because two conditions on the way exclude each other. */

import type { LintScope } from "./lint.ts";

type Value = string | number | boolean;
/** What must hold for a message on its way: values by dotted path. */
type Facts = ReadonlyMap<string, Value>;

/** Warns of edges whose condition contradicts itself or what every way to the edge demands. */
export function lintUnreachable(scope: LintScope): void {
  const factsAt = new Map<string, Facts>();
  for (const node of scope.topology.order) {
    const ways: Facts[] = [];
    for (const edge of scope.topology.inputs.get(node.name) ?? []) {
      const before = factsAfter(scope, edge.from, factsAt.get(edge.from) ?? new Map());
      const placed = scope.expressions.conditions.get(edge);
      const facts = new Map(before);
      let contradiction: string | undefined;
      for (const { path, value } of placed?.program.equalities ?? []) {
        const other = facts.get(path);
        if (other !== undefined && other !== value) contradiction ??= describe(path, value, other, before.has(path));
        facts.set(path, value);
      }
      if (contradiction === undefined) ways.push(facts);
      else if (placed !== undefined) {
        const message = `no message can take the edge ${edge.from}->${edge.to}: ${contradiction}`;
        const hint = "change one of the two conditions, or remove the edge";
        scope.bag.report("lint_unreachable_edge", scope.places.value(placed.path), message, { hint, node: edge.to });
      }
    }
    factsAt.set(node.name, common(ways));
  }
}

function describe(path: string, value: Value, other: Value, upstream: boolean): string {
  const demand = `it wants ${path} to be ${JSON.stringify(value)}`;
  return `${demand}${upstream ? ", a condition before it wants" : " and"} ${JSON.stringify(other)}`;
}

/** What still holds behind a node: a transform may change whatever it does not say it leaves alone. */
function factsAfter({ nodes }: LintScope, name: string, facts: Facts): Facts {
  const resolved = nodes.get(name);
  // Nothing holds before a source, and nothing is known of a node that could not be resolved.
  if (resolved?.kind !== "transform") return new Map();
  const { plugin, config } = resolved;
  const writes = plugin.writes?.(config) ?? ["payload", "meta"];
  return new Map([...facts].filter(([path]) => !writes.some((written) => overlap(written, path))));
}

/** Whether one of two dotted paths lies inside the other. */
function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

/** What holds on all of several ways. */
function common(ways: readonly Facts[]): Facts {
  const [first, ...others] = ways;
  if (first === undefined) return new Map();
  return new Map([...first].filter(([path, value]) => others.every((facts) => facts.get(path) === value)));
}
