/** Owns dotted paths into a payload: reading by them, and changing by them without touching what is shared. */

import { type Field, text } from "../../schema/mod.ts";

/** What a dotted path looks like: names without dots, joined by dots. */
export const PATH_PATTERN = "^[^.]+(\\.[^.]+)*$";

const INDEX_REGEXP = /^(0|[1-9]\d{0,9})$/;

/** The names of a path, from the payload inwards. */
export type Path = readonly string[];

/** A mapping in a payload. */
export type Mapping = { readonly [key: string]: unknown };

/** A field of a block that holds a dotted path. */
export function pathField(description: string): Field<string> {
  return text({ description, pattern: PATH_PATTERN, expected: "a dotted path such as customer.address.city" });
}

/** Splits a dotted path that matches {@linkcode PATH_PATTERN}. */
export function splitPath(text: string): Path {
  return text.split(".");
}

/** Whether the value is a mapping: no list, no bytes, not null. */
export function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** The value at the path, or undefined where there is none. A whole number names an element of a list. */
export function readPath(payload: unknown, path: Path): unknown {
  let value = payload;
  for (const name of path) {
    if (isMapping(value)) value = Object.hasOwn(value, name) ? value[name] : undefined;
    else if (Array.isArray(value) && INDEX_REGEXP.test(name)) value = value[Number(name)];
    else return undefined;
  }
  return value;
}

/**
 * A payload with the value at the path; mappings on the way are copied or made, everything else is shared. Undefined
 * where something other than a mapping stands in the way.
 */
export function withPath(payload: Mapping, path: Path, value: unknown): Mapping | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return undefined;
  if (rest.length === 0) return withMember(payload, name, value);
  const inner = Object.hasOwn(payload, name) ? payload[name] : {};
  if (!isMapping(inner)) return undefined;
  const changed = withPath(inner, rest, value);
  return changed === undefined ? undefined : withMember(payload, name, changed);
}

/** A payload without what stands at the path; the same payload where nothing does. */
export function withoutPath(payload: Mapping, path: Path): Mapping {
  const [name, ...rest] = path;
  if (name === undefined || !Object.hasOwn(payload, name)) return payload;
  if (rest.length === 0) {
    const { [name]: _removed, ...kept } = payload;
    return kept;
  }
  const inner = payload[name];
  if (!isMapping(inner)) return payload;
  const changed = withoutPath(inner, rest);
  return changed === inner ? payload : withMember(payload, name, changed);
}

/** A mapping with one member set. An assignment to `__proto__` would set no member, so it is defined. */
export function withMember(mapping: Mapping, name: string, value: unknown): Mapping {
  const copy = { ...mapping };
  setMember(copy, name, value);
  return copy;
}

/** Sets a member of a mapping that belongs to the caller. */
export function setMember(mapping: { [key: string]: unknown }, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(mapping, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    mapping[name] = value;
  }
}
