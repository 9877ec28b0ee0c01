/** Owns the filling in of defaults that a schema states. */

import type { TSchema } from "typebox";

/** The keywords of JSON Schema that this room walks by. */
export interface SchemaView {
  readonly type?: string | readonly string[];
  readonly properties?: { readonly [name: string]: SchemaView };
  readonly items?: SchemaView;
  readonly additionalProperties?: SchemaView | boolean;
  readonly anyOf?: readonly SchemaView[];
  readonly oneOf?: readonly SchemaView[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly "x-expected"?: string;
}

/** Deepest block that is walked: schemas of blocks are not recursive, and values come from documents with their own cap. */
const DEPTH_MAX = 100;

/**
 * A copy of `value` in which every absent field that has a default holds it, in nested blocks too where the nested
 * block is there. A default is copied and filled in turn, so that a block's `default: {}` means "with its defaults".
 * The copy shares nothing with `value` or the schema.
 */
export function withDefaults(schema: TSchema | SchemaView, value: unknown, depth = 0): unknown {
  const view = branchFor(schema as SchemaView, value);
  if (depth > DEPTH_MAX) return value;
  if (Array.isArray(value)) {
    return value.map((item) => withDefaults(view.items ?? {}, item, depth + 1));
  }
  if (!isMapping(value)) return value;
  const filled: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value)) {
    filled.push([name, withDefaults(propertySchema(view, name), item, depth + 1)]);
  }
  for (const [name, property] of Object.entries(view.properties ?? {})) {
    if (Object.hasOwn(value, name) || property.default === undefined) continue;
    filled.push([name, withDefaults(property, property.default, depth + 1)]);
  }
  // `fromEntries` defines properties, so that a key `__proto__` is a key like any other.
  return Object.fromEntries(filled);
}

/** Whether a value is a mapping: an object that is no list. */
export function isMapping(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The schema of a field, known or free. */
export function propertySchema(view: SchemaView, name: string): SchemaView {
  const properties = view.properties ?? {};
  const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (known !== undefined) return known;
  return isMapping(view.additionalProperties) ? view.additionalProperties : {};
}

/** Of alternatives, the one whose type the value has; a schema without alternatives is its own branch. */
export function branchFor(schema: SchemaView, value: unknown): SchemaView {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches === undefined) return schema;
  return branches.find((branch) => hasType(branch, value)) ?? schema;
}

/** Whether the value has a type that the schema allows; a schema without a type allows all. */
export function hasType(schema: SchemaView, value: unknown): boolean {
  if (schema.type === undefined) return true;
  const types = typeof schema.type === "string" ? [schema.type] : schema.type;
  return types.some((type) => {
    switch (type) {
      case "object":
        return isMapping(value);
      case "array":
        return Array.isArray(value);
      case "integer":
        return Number.isInteger(value);
      case "null":
        return value === null;
      case "string":
        return typeof value === "string";
      case "boolean":
        return typeof value === "boolean";
      default:
        return typeof value === "number";
    }
  });
}
