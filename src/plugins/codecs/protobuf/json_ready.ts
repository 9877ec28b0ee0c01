/** Owns what payloads may hold and ProtoJSON writes in another way: long integers, bytes, and numbers JSON lacks. */

/**
 * A payload as ProtoJSON has it: bigints and numbers that are no JSON as text, bytes in base64, keys without a value
 * left out. What needs no change is given back as it is.
 */
export function jsonReady(value: unknown): unknown {
  switch (typeof value) {
    case "bigint":
      return String(value);
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "object":
      break;
    default:
      return value;
  }
  if (value === null) return null;
  if (value instanceof Uint8Array) return value.toBase64();
  return Array.isArray(value) ? readyList(value) : readyMapping(value as { readonly [key: string]: unknown });
}

function readyList(list: readonly unknown[]): readonly unknown[] {
  for (let i = 0; i < list.length; i++) if (jsonReady(list[i]) !== list[i]) return list.map(jsonReady);
  return list;
}

function readyMapping(mapping: { readonly [key: string]: unknown }): object {
  for (const key in mapping) {
    const value = mapping[key];
    if (value !== undefined && jsonReady(value) === value) continue;
    const entries = Object.entries(mapping).filter(([, each]) => each !== undefined);
    return Object.fromEntries(entries.map(([name, each]) => [name, jsonReady(each)]));
  }
  return mapping;
}
