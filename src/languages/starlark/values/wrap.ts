/** Owns the step from plain data to values of a script. */

import type { Container, Slot } from "./container.ts";
import { StarlarkDict } from "./dict.ts";
import { StarlarkList } from "./list.ts";
import { StarlarkBytes, StarlarkObject, type Value } from "./value.ts";

/** Whether something found in a container still is plain data that needs {@linkcode wrap}. */
export function isRaw(found: unknown): found is object {
  return typeof found === "object" && found !== null && !(found instanceof StarlarkObject);
}

/**
 * The value of plain data: arrays and objects are read in place, never copied. `parent` and `slot` say where they were
 * found; a frozen parent has frozen children.
 */
export function wrap(data: unknown, parent: Container | null, slot: Slot): Value {
  if (!isRaw(data)) return data === undefined || typeof data === "function" ? null : data as Value;
  if (Array.isArray(data)) return inherit(StarlarkList.over(data, parent, slot), parent);
  if (data instanceof Uint8Array) return new StarlarkBytes(data);
  return inherit(StarlarkDict.over(data as Record<string, unknown>, parent, slot), parent);
}

function inherit<T extends Container>(child: T, parent: Container | null): T {
  if (parent?.frozen === true) child.frozen = true;
  return child;
}
