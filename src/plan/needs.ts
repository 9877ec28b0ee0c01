/** Owns the permissions of a plan: the union of what its nodes and their codecs need. */

import type { Needs } from "../plugin/mod.ts";

/** Every kind of permission a plugin may need, in the order they are listed. */
export const NEED_KINDS = ["net", "read", "write", "run", "env", "sys"] as const;

/** The union of several needs: every kind that any of them has, its values once each and sorted. */
export function unionNeeds(all: Iterable<Needs>): Needs {
  const union: { [kind in typeof NEED_KINDS[number]]?: readonly string[] } = {};
  const parts = [...all];
  for (const kind of NEED_KINDS) {
    const values = new Set(parts.flatMap((needs) => needs[kind] ?? []));
    if (values.size > 0) union[kind] = [...values].sort();
  }
  return union;
}

/** Whether nothing is needed. */
export function isEmptyNeeds(needs: Needs): boolean {
  return NEED_KINDS.every((kind) => (needs[kind] ?? []).length === 0);
}
