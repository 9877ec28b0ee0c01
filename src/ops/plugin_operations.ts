/** Owns the operations about plugins: what there is, and what their blocks look like. */

import { join } from "node:path";
import { didYouMeanOneOf } from "../base/mod.ts";
import { suiteSchema } from "../contract/mod.ts";
import { EventboatError, reasonOf } from "../diagnostics/mod.ts";
import {
  type Capability,
  type MetaKey,
  type Plugin,
  PLUGIN_KINDS,
  type PluginKind,
  type Registry,
} from "../plugin/mod.ts";
import { block, choice, data, define, flag, optional, text } from "../schema/mod.ts";
import { anyPluginSchema, documentSchema, pluginSchema } from "./document_schema.ts";
import type { JsonSchema } from "./key_schema.ts";
import type { Operation } from "./operation.ts";

/** One plugin in the catalogue. */
export interface CatalogEntry {
  readonly kind: PluginKind;
  readonly name: string;
  readonly version: number;
  readonly capabilities: readonly Capability[];
  readonly summary: string;
  /** Keys of `meta` that a source sets. */
  readonly meta?: readonly MetaKey[];
}

const catalogInput = block({});

/** Lists every plugin the program knows. */
export const pluginCatalogOperation: Operation<typeof catalogInput, { readonly plugins: readonly CatalogEntry[] }> = {
  name: "plugin_catalog",
  summary: "Lists every plugin: kind, name, version, capabilities.",
  effect: "read",
  input: define(catalogInput),
  output: data({ description: "{plugins: [{kind, name, version, capabilities, summary, meta?}]}" }),
  handle: (_, { registry }) => Promise.resolve({ plugins: registry.list().map(catalogEntry) }),
};

function catalogEntry(plugin: Plugin): CatalogEntry {
  const { kind, name, version, capabilities, summary } = plugin;
  const meta = plugin.kind === "source" ? plugin.meta : undefined;
  return { kind, name, version, capabilities, summary, ...(meta === undefined ? {} : { meta }) };
}

const schemaInput = block({
  name: optional(text({ description: "The plugin." })),
  kind: optional(choice(PLUGIN_KINDS, { description: "Which, where plugins of several kinds have the name." })),
  document: flag({ description: "The schema of a whole pipeline file instead.", default: false }),
  suite: flag({ description: "The schema of a contract suite instead.", default: false }),
});

/** Gives the schema of one plugin's block, or of a whole pipeline file. */
export const pluginSchemaOperation: Operation<typeof schemaInput, { readonly schema: JsonSchema }> = {
  name: "plugin_schema",
  summary: "Gives the JSON Schema of a plugin's block, of a whole pipeline file, or of a contract suite.",
  effect: "read",
  input: define(schemaInput),
  output: data({ description: "{schema}" }),
  handle({ name, kind, document, suite }, { registry }) {
    if ([name !== undefined, document, suite].filter(Boolean).length !== 1) {
      return Promise.reject(
        new EventboatError("usage", "a plugin's schema is asked for by its name, a file's by document or suite"),
      );
    }
    if (suite) return Promise.resolve({ schema: suiteSchema() });
    if (name === undefined) return Promise.resolve({ schema: documentSchema(registry) });
    const found = registry.list().filter((plugin) =>
      plugin.name === name && (kind === undefined || plugin.kind === kind)
    );
    const [first, second] = found;
    if (first === undefined) return Promise.reject(unknownPlugin(registry, name, kind));
    return Promise.resolve({ schema: second === undefined ? pluginSchema(first) : anyPluginSchema(found) });
  },
};

function unknownPlugin(registry: Registry, name: string, kind: PluginKind | undefined): EventboatError {
  const known = new Set(registry.list().filter((plugin) => kind === undefined || plugin.kind === kind).map(nameOf));
  return new EventboatError("usage", `there is no ${kind ?? "plugin"} named ${JSON.stringify(name)}`, {
    hint: didYouMeanOneOf(name, known),
  });
}

function nameOf(plugin: Plugin): string {
  return plugin.name;
}

const filesInput = block({ dir: text({ description: "The folder, made where it is missing." }) });

/** Writes the schema of every plugin into a folder, one file each. */
export const pluginSchemaFilesOperation: Operation<typeof filesInput, { readonly files: readonly string[] }> = {
  name: "plugin_schema_files",
  summary: "Writes the JSON Schema of every plugin into a folder.",
  effect: "write",
  input: define(filesInput),
  output: data({ description: "{files}" }),
  async handle({ dir }, { registry }) {
    const schemas: [string, JsonSchema][] = registry.list().map((plugin) => [
      `${plugin.kind}-${plugin.name}.json`,
      pluginSchema(plugin),
    ]);
    const files: string[] = [];
    try {
      await Deno.mkdir(dir, { recursive: true });
      for (const [name, schema] of schemas) {
        const file = join(dir, name);
        await Deno.writeTextFile(file, `${JSON.stringify(schema, null, 2)}\n`);
        files.push(file);
      }
    } catch (caught) {
      const message = `cannot write schemas into ${JSON.stringify(dir)}: ${reasonOf(caught)}`;
      throw new EventboatError("io", message, { cause: caught });
    }
    return { files };
  },
};
