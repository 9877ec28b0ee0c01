/** Owns how values cross to a lane and back: as JSON text where that says them exactly, else as they are. */

import type { LaneTexts, LaneValues } from "./lane.ts";

/** Values looked at in one payload: what is larger, or shares its parts in itself over and over, goes as it is. */
const VALUES_MAX = 10_000;

/** Packs values for a port, which clones what is no text. */
export function packValues(values: readonly unknown[]): LaneValues {
  if (values.length === 0 || !values.every(isExactInJson)) return values;
  try {
    return JSON.stringify(values);
  } catch {
    return values; // A text longer than the platform can make.
  }
}

/** Packs values for a port, each to be had by itself: as one text of them all and where each ends, or as they are. */
export function packTexts(values: readonly unknown[]): LaneTexts {
  if (values.length === 0 || !values.every(isExactInJson)) return values;
  const ends = new Uint32Array(values.length);
  let all = "";
  try {
    for (let i = 0; i < values.length; i++) {
      all += JSON.stringify(values[i]);
      ends[i] = all.length;
    }
  } catch {
    return values; // A text longer than the platform can make.
  }
  return { all, ends };
}

/** The values again. */
export function unpackValues(values: LaneValues): readonly unknown[] {
  return typeof values === "string" ? JSON.parse(values) : values;
}

/** Whether a value is the same after it was JSON: the clone a port makes would not be a better one. */
function isExactInJson(value: unknown): boolean {
  let left = VALUES_MAX;
  const isExact = (each: unknown): boolean => {
    if (--left < 0) return false;
    switch (typeof each) {
      case "string":
      case "boolean":
        return true;
      case "number":
        return Number.isFinite(each) && !(each === 0 && 1 / each < 0);
      case "object":
        return each === null || isExactObject(each, isExact);
      default:
        return false;
    }
  };
  return isExact(value);
}

function isExactObject(value: object, isExact: (member: unknown) => boolean): boolean {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isExact(value[i])) return false;
    return true;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  // What is inherited is nothing: the prototype is one of these two.
  for (const key in value) if (!isExact((value as { readonly [key: string]: unknown })[key])) return false;
  return true;
}
