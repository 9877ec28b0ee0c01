/** Owns the reference of built-in plugins for docs/plugins.md, made from their definitions. */

import type { MetaKey, Plugin, PluginKind } from "../src/plugin/mod.ts";
import { builtins } from "../src/plugins/mod.ts";
import { markdownTable } from "./generated_parts.ts";

/** What the reference reads of a field's JSON Schema. */
interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: FieldSchema };
  readonly items?: FieldSchema;
  readonly additionalProperties?: FieldSchema | boolean;
  readonly anyOf?: readonly FieldSchema[];
}

/** One kind's plugins, each with its fields. */
export function pluginsReference(kind: PluginKind): string {
  return builtins().filter((plugin) => plugin.kind === kind).map(pluginSection).join("\n\n");
}

function pluginSection(plugin: Plugin): string {
  const schema = plugin.definition.schema as FieldSchema;
  const capabilities = plugin.capabilities.length === 0 ? "" : ` Capabilities: ${plugin.capabilities.join(", ")}.`;
  const rows = fieldRows("", schema);
  const parts = [`### ${plugin.name}`, `${plugin.summary}${capabilities}`];
  if (rows.length > 0) parts.push(markdownTable(["field", "type", "default", "meaning"], rows));
  else parts.push(schema.type === "object" ? "No fields: `{}`." : schema.description ?? "");
  if (plugin.kind === "source" && plugin.meta !== undefined) parts.push(metaTable(plugin.meta));
  return parts.join("\n\n");
}

/** What a source sets in `meta`. */
function metaTable(meta: readonly MetaKey[]): string {
  const rows = meta.map(({ key, type, description }) => [`\`meta.${key}\``, type, description]);
  return markdownTable(["it sets", "type", "meaning"], rows);
}

/** A row for each field; the fields of a mapping follow under dotted names, those of a list's mappings behind `[]`. */
function fieldRows(prefix: string, schema: FieldSchema): string[][] {
  const rows: string[][] = [];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const required = schema.required?.includes(name) === true && field.default === undefined;
    rows.push([`\`${prefix}${name}\``, typeText(field), defaultText(field, required), field.description ?? ""]);
    rows.push(...fieldRows(`${prefix}${name}.`, field));
    if (field.items !== undefined) rows.push(...fieldRows(`${prefix}${name}[].`, field.items));
  }
  return rows;
}

function typeText(field: FieldSchema): string {
  if (field.enum !== undefined) return field.enum.map((word) => `\`${word}\``).join(", ");
  if (field.anyOf !== undefined) return field.anyOf.map(typeText).join(" or ");
  if (field.type === "array") return `list of ${field.items === undefined ? "anything" : typeText(field.items)}`;
  if (field.type === "object" && typeof field.additionalProperties === "object") {
    return `mapping of names to ${typeText(field.additionalProperties)}`;
  }
  const name = typeof field.type === "object" ? field.type.join(" or ") : field.type ?? "anything";
  return name === "object" ? "mapping" : name + rangeText(field);
}

function rangeText({ minimum, maximum }: FieldSchema): string {
  if (minimum === undefined && maximum === undefined) return "";
  if (maximum === undefined) return `, at least ${minimum}`;
  return minimum === undefined ? `, at most ${maximum}` : `, ${minimum} to ${maximum}`;
}

function defaultText(field: FieldSchema, required: boolean): string {
  if (required) return "required";
  return field.default === undefined ? "" : `\`${JSON.stringify(field.default)}\``;
}
