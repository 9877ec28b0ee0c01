/** Owns the way from the framework's vocabulary to JSON Schema. */

import { DURATION_PATTERN } from "../base/mod.ts";
import type { KeyInfo, Keys } from "../schema/mod.ts";

/** A JSON Schema, draft 2020-12, as data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A key's type where the vocabulary says the rest, or its whole schema. */
export type KeyType = "text" | "texts" | "flag" | "integer" | "number" | "duration" | "word" | JsonSchema;

/** Text that holds a reference may stand for any value: what it is will be known when the reference is resolved. */
const REFERENCE: JsonSchema = { type: "string", pattern: "\\$\\{" };

/** The schema of a mapping of known keys: description, default, words, range and whether it is required are theirs. */
export function keysSchema<K extends Keys>(keys: K, types: { readonly [name in keyof K]: KeyType }): JsonSchema {
  const infos: readonly [string, KeyInfo][] = Object.entries(keys);
  const required = infos.filter(([, info]) => info.required === true).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(infos.map(([name, info]) => [name, keySchema(info, types[name] ?? "text")])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function keySchema(info: KeyInfo, type: KeyType): JsonSchema {
  const { description, default: value } = info;
  return { description, ...(value === undefined ? {} : { default: value }), ...typeSchema(info, type) };
}

function typeSchema({ words, range }: KeyInfo, type: KeyType): JsonSchema {
  switch (type) {
    case "text":
      return { type: "string", minLength: 1 };
    case "texts":
      return { type: "object", additionalProperties: { type: "string" } };
    case "word":
      return orReference({ enum: words ?? [] });
    case "duration":
      return orReference({ type: "string", pattern: DURATION_PATTERN });
    case "flag":
      return orReference({ type: "boolean" });
    case "integer":
    case "number":
      return orReference({
        type,
        ...(range === undefined ? {} : { minimum: range.min, maximum: range.max }),
      });
    default:
      return type;
  }
}

/** The schema of a plugin's block as it is written in a file: references may stand for any value. */
export function withReferences(schema: JsonSchema): JsonSchema {
  const { type, properties, items, additionalProperties, anyOf } = schema;
  const plain = type === "integer" || type === "number" || type === "boolean";
  if (plain || "pattern" in schema || "enum" in schema) {
    const { description, default: value, ...rest } = schema;
    return {
      ...(description === undefined ? {} : { description }),
      ...(value === undefined ? {} : { default: value }),
      ...orReference(rest),
    };
  }
  return {
    ...schema,
    ...(isSchema(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, nested(field)])) }
      : {}),
    ...(isSchema(items) ? { items: withReferences(items) } : {}),
    ...(isSchema(additionalProperties) ? { additionalProperties: withReferences(additionalProperties) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(nested) } : {}),
  };
}

function orReference(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, REFERENCE] };
}

function nested(schema: unknown): unknown {
  return isSchema(schema) ? withReferences(schema) : schema;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
