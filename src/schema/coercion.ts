/** Owns the typing of values that came in as text by substitution, where the schema asks for a number or boolean. */

import type { TSchema } from "typebox";
import type { Data } from "../base/mod.ts";
import { coreScalar } from "./core_scalar.ts";
import { isMapping, propertySchema, type SchemaView } from "./default_values.ts";

/** Keys and indexes from a block to a value. */
export type ValuePath = readonly (string | number)[];

/**
 * A copy of `block` in which the texts at `paths` have the type YAML would give them, where the schema asks for a
 * number or boolean there and does not take text. Everything else stays as it is. For texts that are exactly one
 * substituted reference; called before `parse`.
 */
export function coerceSubstituted(schema: TSchema, block: Data, paths: Iterable<ValuePath>): Data {
  let coerced = block;
  for (const path of paths) coerced = coercedAt(schema as SchemaView, coerced, path);
  return coerced;
}

/** The text as the type that is asked for, or the text itself where it is none of that type. */
export function typedText(text: string, wanted: "number" | "boolean"): Data {
  const value = coreScalar(text);
  if (wanted === "boolean") return typeof value === "boolean" ? value : text;
  return typeof value === "number" || typeof value === "bigint" ? value : text;
}

function coercedAt(schema: SchemaView, value: Data, path: ValuePath): Data {
  const [step, ...rest] = path;
  if (step === undefined) {
    const wanted = wantedType(schema);
    return typeof value === "string" && wanted !== undefined ? typedText(value, wanted) : value;
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (typeof step === "number" && Array.isArray(value)) {
    const items = branches?.find((branch) => branch.items !== undefined)?.items ?? schema.items ?? {};
    return value.map((item, index) => index === step ? coercedAt(items, item, rest) : item);
  }
  if (typeof step === "string" && isMapping(value)) {
    const view = branches?.find((branch) => branch.type === "object") ?? schema;
    const entries = Object.entries(value as { readonly [name: string]: Data });
    return Object.fromEntries(
      entries.map(([name, item]) => [name, name === step ? coercedAt(propertySchema(view, name), item, rest) : item]),
    );
  }
  return value;
}

function wantedType(schema: SchemaView): "number" | "boolean" | undefined {
  const types = typesOf(schema);
  if (types.length === 0 || types.includes("string")) return undefined;
  if (types.includes("number") || types.includes("integer")) return "number";
  return types.includes("boolean") ? "boolean" : undefined;
}

/** Every type a schema names; empty where it takes any. */
function typesOf(schema: SchemaView): readonly string[] {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) {
    const each = branches.map(typesOf);
    return each.some((types) => types.length === 0) ? [] : each.flat();
  }
  if (schema.type === undefined) return [];
  return typeof schema.type === "string" ? [schema.type] : schema.type;
}
