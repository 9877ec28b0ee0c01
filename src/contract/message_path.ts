/** Owns the dotted paths of expectations: the parts of a message they may begin with, and where they lead. */

import type { Captured } from "./captured_sinks.ts";

/** Parts of a message that a path may begin with. */
export const MESSAGE_PARTS = ["payload", "meta", "encoded", "encoded_base64"] as const;

/** A part of a message. */
export type MessagePart = typeof MESSAGE_PARTS[number];

/** The part a path begins with; undefined where it begins with none. */
export function partOf(path: string): MessagePart | undefined {
  const [first] = path.split(".", 1);
  return MESSAGE_PARTS.find((part) => part === first);
}

/** Where a path leads. `nearest`: the longest part of the path that leads somewhere, with what is there. */
export interface Found {
  readonly value: unknown;
  readonly nearest: { readonly path: string; readonly value: unknown };
}

/**
 * Follows a path into a message. A step is a key, or in a list an index from 0 or `length`; keys that hold dots are found too, the
 * longest first.
 */
export function follow(message: Captured, path: string): Found {
  const [part = "", ...steps] = path.split(".");
  const start = { path: part, value: partValue(message, part) };
  let nearest = start;
  const walk = (value: unknown, from: number, at: string): unknown => {
    if (at.length > nearest.path.length) nearest = { path: at, value };
    if (from === steps.length) return value;
    for (let to = steps.length; to > from; to--) {
      const key = steps.slice(from, to).join(".");
      if (!isObject(value) || !Object.hasOwn(value, key)) continue;
      const found = walk(Reflect.get(value, key), to, `${at}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return { value: walk(start.value, 0, part), nearest };
}

function partValue(message: Captured, part: string): unknown {
  switch (part) {
    case "payload":
      return message.payload;
    case "meta":
      return message.meta;
    case "encoded":
      return new TextDecoder().decode(message.bytes);
    case "encoded_base64":
      return message.bytes.toBase64();
    default:
      return undefined;
  }
}

/** Whether something has keys: a mapping, or a list with its indexes. */
function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array);
}
