/** Owns the types that are known before any message is. */

import { findCesqlFunction } from "./functions.ts";
import type { CesqlNode } from "./node.ts";
import { type CesqlType, cesqlTypeOf } from "./value.ts";

/** The type of what a node gives; undefined for what is read from a message. */
export function typeOfCesql(node: CesqlNode): CesqlType | undefined {
  switch (node.kind) {
    case "literal":
      return cesqlTypeOf(node.value);
    case "attribute":
    case "data":
      return undefined;
    case "negate":
    case "arithmetic":
      return "Integer";
    case "call":
      return findCesqlFunction(node.name, node.operands.length)?.returns ?? "Boolean";
    default:
      return "Boolean";
  }
}
