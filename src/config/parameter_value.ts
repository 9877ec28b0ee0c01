/** Owns the judging of a run parameter's value by its declaration. */

import { type Data, foundText } from "../base/mod.ts";
import type { ParameterDeclaration } from "./document.ts";

/** The defaults that stand for what is known only when a run starts. */
const BINDINGS: readonly Data[] = ["cursor", "now"];

/**
 * Whether a default is a binding that the engine resolves when the run starts: `cursor`, the source's committed
 * watermark, or `now`, the start of the run. A binding is not held against the declaration's constraints.
 */
export function isBinding(declaration: ParameterDeclaration, value: Data): boolean {
  return declaration.type !== "boolean" && BINDINGS.includes(value);
}

/** What is wrong with a value, to follow the parameter's name: `must be ..., found ...`; undefined where it fits. */
export function parameterProblem(declaration: ParameterDeclaration, value: Data): string | undefined {
  const { type, min, max, pattern } = declaration;
  if (!hasType(type, value)) return `must be ${typeText(type)}, found ${foundText(value)}`;
  if (declaration.enum !== undefined && !declaration.enum.includes(value)) {
    return `must be one of ${declaration.enum.map((word) => JSON.stringify(printable(word))).join(", ")}`;
  }
  if (typeof value === "number" || typeof value === "bigint") {
    if (min !== undefined && value < min) return `must be at least ${min}, found ${value}`;
    if (max !== undefined && value > max) return `must be at most ${max}, found ${value}`;
  }
  if (pattern !== undefined && typeof value === "string" && !new RegExp(pattern, "u").test(value)) {
    return `must match the pattern ${pattern}`;
  }
  return undefined;
}

function hasType(type: ParameterDeclaration["type"], value: Data): boolean {
  if (type === "integer") return typeof value === "bigint" || Number.isInteger(value);
  if (type === "number") return typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value));
  return type === "string" ? typeof value === "string" : typeof value === "boolean";
}

function typeText(type: ParameterDeclaration["type"]): string {
  switch (type) {
    case "string":
      return "text";
    case "integer":
      return "a whole number";
    case "number":
      return "a number";
    case "boolean":
      return "true or false";
  }
}

function printable(value: Data): Data {
  return typeof value === "bigint" ? value.toString() : value;
}
