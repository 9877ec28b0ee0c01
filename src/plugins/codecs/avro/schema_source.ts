/** Owns where a schema comes from, the block itself or a file, and where what is wrong with it is shown. */

import { resolve } from "node:path";
import { type Data, sourceTextJson } from "../../../base/mod.ts";
import { reasonOf } from "../../../diagnostics/mod.ts";
import type { PluginIssue } from "../../../plugin/mod.ts";
import type { AvroType } from "./avro_type.ts";
import { parseSchema, SchemaProblem } from "./schema_parser.ts";

/** Text that begins like this is JSON; any other is the name of a type. */
const JSON_REGEXP = /^\s*[{["]/;
const INTEGER_REGEXP = /^-?\d+$/;

/** A schema that was read, or why it was not. */
export type SchemaResult =
  | { readonly ok: true; readonly type: AvroType }
  | { readonly ok: false; readonly issue: PluginIssue };

/** The two fields of the block, of which one is there. */
export interface SchemaFields {
  readonly schema?: Data;
  readonly schema_file?: string;
}

/** Reads the schema that the block holds or names. */
export function readSchema({ schema, schema_file: file }: SchemaFields, directory: string): SchemaResult {
  if (file !== undefined) return schemaOfFile(resolve(directory, file));
  if (typeof schema !== "string" || !JSON_REGEXP.test(schema)) {
    // A part of the block has a line of its own.
    return parsed(schema ?? null, (path, message) => ({ path: ["schema", ...path], message }));
  }
  return schemaOfText(schema, ["schema"], "");
}

function schemaOfFile(file: string): SchemaResult {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(Deno.readFileSync(file));
  } catch (caught) {
    const message = `cannot be read from ${file}: ${reasonOf(caught)}`;
    return { ok: false, issue: { path: ["schema_file"], message } };
  }
  return schemaOfText(text, ["schema_file"], `in ${file} `);
}

function schemaOfText(text: string, path: PluginIssue["path"], where: string): SchemaResult {
  let schema: Data;
  try {
    // What JSON gives is data, and the reviver only makes bigints of numbers.
    schema = sourceTextJson.parse(text, keepDigits) as Data;
  } catch (caught) {
    return { ok: false, issue: { path, message: `${where}is no JSON: ${reasonOf(caught)}` } };
  }
  return parsed(schema, (inside, message) => ({ path, message: `${where}${placeOf(inside)} ${message}` }));
}

function parsed(schema: Data, issueAt: (path: PluginIssue["path"], message: string) => PluginIssue): SchemaResult {
  try {
    return { ok: true, type: parseSchema(schema) };
  } catch (caught) {
    if (!(caught instanceof SchemaProblem)) throw caught;
    const { path, message, hint } = caught;
    return { ok: false, issue: { ...issueAt(path, message), ...(hint === undefined ? {} : { hint }) } };
  }
}

function keepDigits(_key: string, value: unknown, { source = "" }: { readonly source?: string }): unknown {
  return typeof value === "number" && !Number.isSafeInteger(value) && INTEGER_REGEXP.test(source)
    ? BigInt(source)
    : value;
}

/** `fields[2].type`; the schema's root is `the schema`. */
function placeOf(path: PluginIssue["path"]): string {
  if (path.length === 0) return "the schema";
  return path.map((step) => typeof step === "number" ? `[${step}]` : `.${step}`).join("").replace(/^\./, "");
}
