/** Owns making lists and maps. */

import type { Evaluate } from "./evaluate.ts";
import { asMapKey, CelFailure, CelMap, type CelMapKey, CelUint, noOverload, quoteShort } from "./value.ts";

/** `[a, b]`. */
export function emitList(items: readonly Evaluate[]): Evaluate {
  return (scope) => {
    const values: unknown[] = [];
    for (const item of items) {
      const value = item(scope);
      if (value instanceof CelFailure) return value;
      values.push(value);
    }
    return values;
  };
}

/** `{key: value}`. A key that stands twice is a failure, and so is one that is no string, bool or integer. */
export function emitMap(entries: readonly (readonly [Evaluate, Evaluate])[], at: number): Evaluate {
  return (scope) => {
    const values = new Map<CelMapKey, unknown>();
    const uints = new Set<bigint>();
    for (const [keyOf, valueOf] of entries) {
      const written = keyOf(scope);
      const value = valueOf(scope);
      const key = asMapKey(written);
      if (key === undefined) return noOverload("a map with this key", [written], at);
      if (value instanceof CelFailure) return value;
      if (values.has(key)) {
        return new CelFailure(`the key ${typeof key === "string" ? quoteShort(key) : key} stands twice in a map`, at);
      }
      values.set(key, value);
      if (written instanceof CelUint) uints.add(written.unsigned);
    }
    return new CelMap(values, uints);
  };
}
