/** Owns the keys under which values are found in dicts and sets: equal values have the same key. */

import { Fault } from "./fault.ts";
import { StarlarkBytes, StarlarkFloat, StarlarkObject, StarlarkTuple, typeName, type Value } from "./value.ts";

/** How deep tuples may nest in a key. */
const KEY_DEPTH_MAX = 100;
/** Opens the keys that are no script's own string. */
const ESCAPE = "\0";

/** A value that is its own key: a function or a module. */
export abstract class IdentityObject extends StarlarkObject {
  /** Tells this one apart from all others in the text of a tuple's key. */
  abstract get identity(): string;
}

/**
 * The `Map` key of a value. Most values are their own; a tuple or bytes becomes text that begins with NUL, and a
 * string that begins with NUL gets one more.
 * @throws {Fault} for lists, dicts and sets, which may change and have none.
 */
export function hashKey(value: Value): unknown {
  switch (typeof value) {
    case "string":
      return value.charCodeAt(0) === 0 ? ESCAPE + "s" + value : value;
    case "number":
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value;
    case "object":
      return value === null ? null : objectKey(value);
    default:
      return value;
  }
}

function objectKey(value: StarlarkObject): unknown {
  if (value instanceof StarlarkFloat) {
    return Number.isSafeInteger(value.value) ? value.value + 0 : BigInt(value.value);
  }
  if (value instanceof IdentityObject) return value;
  return ESCAPE + keyText(value, 0);
}

function keyText(value: Value, depth: number): string {
  if (value instanceof StarlarkTuple) {
    if (depth > KEY_DEPTH_MAX) throw new Fault(`cannot hash a tuple that nests deeper than ${KEY_DEPTH_MAX} levels`);
    return `(${value.items.map((item) => keyText(item, depth + 1)).join("")})`;
  }
  if (value instanceof StarlarkBytes) return `b${value.bytes.join(",")};`;
  if (value instanceof IdentityObject) return `i${value.identity};`;
  if (typeof value === "string") return `s${value.length}:${value}`;
  if (value === null || typeof value !== "object" || value instanceof StarlarkFloat) {
    const key = hashKey(value);
    // -0 and 0 are one key in a Map; here they must be one text.
    return `${typeof key === "boolean" ? "t" : "n"}${Object.is(key, -0) ? 0 : String(key)};`;
  }
  throw new Fault(`unhashable type: ${typeName(value)}`);
}
