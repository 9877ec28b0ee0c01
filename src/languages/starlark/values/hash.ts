/** Owns the keys under which values are found in dicts and sets: equal values have the same key. */

import { Fault } from "./fault.ts";
import { StarlarkBytes, StarlarkFloat, StarlarkObject, StarlarkTuple, typeName, type Value } from "./value.ts";

/** Most values in a tuple that is a key, those in tuples inside it counted too. */
const KEY_VALUES_MAX = 10_000;
/** Opens the keys that are no script's own string. */
const ESCAPE = "\0";
/** One character for each byte, no two bytes the same one. */
const BYTE_CHARACTERS = new TextDecoder("latin1");

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
  return ESCAPE + keyText(value, { left: KEY_VALUES_MAX });
}

function keyText(value: Value, budget: { left: number }): string {
  if (--budget.left < 0) throw new Fault(`cannot hash a tuple of more than ${KEY_VALUES_MAX} values`);
  if (value instanceof StarlarkTuple) return `(${value.items.map((item) => keyText(item, budget)).join("")})`;
  if (value instanceof StarlarkBytes) return `b${value.bytes.length}:${BYTE_CHARACTERS.decode(value.bytes)}`;
  if (value instanceof IdentityObject) return `i${value.identity};`;
  if (typeof value === "string") return `s${value.length}:${value}`;
  if (value === null || typeof value !== "object" || value instanceof StarlarkFloat) {
    const key = hashKey(value);
    // -0 and 0 are one key in a Map; here they must be one text.
    return `${typeof key === "boolean" ? "t" : "n"}${Object.is(key, -0) ? 0 : String(key)};`;
  }
  throw new Fault(`unhashable type: ${typeName(value)}`);
}
