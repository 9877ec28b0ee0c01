/** Owns the JSON Schema of whole pipeline files, for editors: the framework's fields around the plugins' own blocks. */

import { DURATION_PATTERN } from "../base/mod.ts";
import type { Plugin, PluginKind, Registry } from "../plugin/mod.ts";

/** A JSON Schema, draft 2020-12, as data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

const DRAFT = "https://json-schema.org/draft/2020-12/schema";
const NAME_PATTERN = "^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$";
/** Text that holds a reference stands where a number or boolean is wanted: its type is that of what it refers to. */
const REFERENCE: JsonSchema = { type: "string", pattern: "\\$\\{" };

/** The schema of a pipeline file for the plugins of a program. */
export function documentSchema(registry: Registry): JsonSchema {
  const codecs = registry.list("codec");
  return {
    $schema: DRAFT,
    title: "Eventboat pipeline",
    ...mapping({
      apiVersion: { const: "eventboat/v1", description: "Version of the format." },
      kind: { const: "Pipeline", description: "What the file describes." },
      metadata: mapping({
        name: text("The pipeline's name.", { pattern: NAME_PATTERN }),
        description: text("What it is for."),
        labels: { type: "object", additionalProperties: { type: "string" }, description: "Labels of your own." },
      }, ["name"]),
      run: runSchema(),
      parameters: parametersSchema(),
      constants: { type: "object", description: "Frozen values for scripts, predicates and ${constants.x}." },
      hooks: hooksSchema(registry),
      limits: mapping({
        max_in_flight: integer("Messages that may be uncommitted at once.", 1, 10000),
        drain_timeout: duration("How long a stop waits for what is in flight.", "10s"),
      }),
      edge_defaults: mapping(edgeFields()),
      codecs: namedCodecs(codecs),
      dlq: mapping({ retention: duration("How long dead letters are kept. Default: for ever.") }),
      telemetry: mapping({
        redact: list({ type: "string" }, "Dotted globs over payload and meta whose values are masked."),
        span_sample_rate: {
          type: "number",
          minimum: 0,
          maximum: 1,
          default: 0,
          description: "Share of messages traced.",
        },
      }),
      sources: section(registry, "source"),
      transforms: section(registry, "transform"),
      sinks: section(registry, "sink"),
    }, ["apiVersion", "kind", "metadata", "sources", "sinks"]),
  };
}

/** The schema of one plugin's block, as a document of its own. */
export function pluginSchema(plugin: Plugin): JsonSchema {
  const title = `Eventboat ${plugin.kind} ${plugin.name}`;
  return { $schema: DRAFT, title, description: plugin.summary, ...(plugin.definition.schema as JsonSchema) };
}

/** The schema of a block of any of several plugins, which share a name. */
export function anyPluginSchema(plugins: readonly Plugin[]): JsonSchema {
  const branches = plugins.map((plugin) => {
    const { $schema: _draft, ...schema } = pluginSchema(plugin);
    return schema;
  });
  return {
    $schema: DRAFT,
    title: `Eventboat ${plugins.map(({ kind, name }) => `${kind} ${name}`).join(", ")}`,
    anyOf: branches,
  };
}

function section(registry: Registry, kind: Exclude<PluginKind, "codec">): JsonSchema {
  const plugins = registry.list(kind);
  const blocks = Object.fromEntries(plugins.map((plugin) => [plugin.name, blockSchema(plugin)]));
  const fields = { ...nodeFields(kind, registry), ...blocks };
  const required = kind === "source" ? [] : ["depends_on"];
  const node = {
    ...mapping(fields, required),
    // Exactly one plugin; an external one brings a name that is not known here.
    anyOf: [{ required: ["grpc"] }, { oneOf: plugins.map((plugin) => ({ required: [plugin.name] })) }],
    // An external plugin's block has any name, so unknown fields cannot be refused where there is `grpc`.
    additionalProperties: true,
    if: { not: { required: ["grpc"] } },
    then: { propertyNames: { enum: Object.keys(fields) } },
  };
  return {
    type: "object",
    description: `The pipeline's ${kind}s by name.`,
    propertyNames: { pattern: NAME_PATTERN },
    additionalProperties: node,
    ...(kind === "transform" ? {} : { minProperties: 1 }),
  };
}

function nodeFields(kind: Exclude<PluginKind, "codec">, registry: Registry): { readonly [field: string]: JsonSchema } {
  const examples = registry.list("codec").map((codec) => codec.name);
  const common = {
    version: integer("Pins the plugin's version.", 1),
    grpc: mapping({
      command: list({ type: "string" }, "Program and arguments of the external plugin."),
      schema: text("Path of its manifest."),
      restart: { enum: ["fast-fail", "restart"], default: "fast-fail", description: "What its death means." },
      env: { type: "object", additionalProperties: { type: "string" }, description: "Its environment." },
      permissions: { type: "object", description: "Permissions of a plugin that is a Deno script." },
    }, ["command", "schema"]),
  };
  if (kind === "source") {
    return { decoder: text("Codec of the bytes that come in.", { default: "json", examples }), ...common };
  }
  const dependsOn = dependsOnSchema();
  if (kind === "transform") {
    return { depends_on: dependsOn, workers: integer("Lanes that work side by side.", 1, 1), ...common };
  }
  return {
    depends_on: dependsOn,
    encoder: text("Codec of the bytes that go out.", { default: "json", examples }),
    order_key: text("CEL that gives a string: messages of one key stay in order."),
    batch: mapping({
      size: integer("Most messages of a batch.", 1, 1),
      timeout_ms: integer("How long a batch waits to be full.", 1, 1000),
    }),
    ...common,
  };
}

function dependsOnSchema(): JsonSchema {
  const attributes = mapping({
    when: {
      description: "Which messages take the edge.",
      anyOf: [
        { type: "string" },
        mapping({ lang: { enum: ["cel", "cesql"], default: "cel" }, expr: { type: "string" } }, ["expr"]),
      ],
    },
    route: text('The same as when: meta.route == "<name>".'),
    ...edgeFields(),
  });
  const named = { type: "object", minProperties: 1, maxProperties: 1, additionalProperties: attributes };
  const element = { anyOf: [{ type: "string" }, named] };
  return {
    description: "Where the messages come from: a name, a list, or names with attributes.",
    anyOf: [{ type: "string" }, { type: "array", items: element, minItems: 1 }, named],
  };
}

function edgeFields(): { readonly [field: string]: JsonSchema } {
  return {
    required: flag("Whether a failed delivery dead-letters the message (else it is dropped and counted).", true),
    delivery: mapping({
      retries: integer("Attempts after the first.", 0, 3),
      backoff: { enum: ["exponential", "constant"], default: "exponential", description: "How waits grow." },
      timeout_ms: integer("Limit of one attempt.", 1),
    }),
    buffer: mapping({
      type: { const: "memory", default: "memory", description: "Where surges are held." },
      max_events: integer("Messages the edge may hold.", 1, 128),
    }),
  };
}

function runSchema(): JsonSchema {
  return mapping({
    mode: { enum: ["continuous", "job", "batch"], default: "continuous", description: "How the pipeline runs." },
    schedule: text("When a job runs: cron of five fields."),
    timezone: text("IANA zone the schedule is read in.", { default: "UTC" }),
    overlap: { enum: ["skip", "latest", "all"], default: "skip", description: "What a tick does while a run goes on." },
    catchup_window: duration("How far back a missed tick is made up for."),
    skip_if_successful: flag("Do not run a tick again that succeeded.", false),
    retention: mapping({ history: duration("How long run records are kept.") }),
  });
}

function parametersSchema(): JsonSchema {
  const declaration = mapping({
    type: { enum: ["string", "integer", "number", "boolean"], default: "string", description: "Its type." },
    default: { description: "Its value where a run gives none." },
    required: flag("Whether each run must give it.", false),
    enum: list({}, "The values it may have."),
    pattern: text("Regular expression of a string."),
    min: { type: "number", description: "Least number." },
    max: { type: "number", description: "Greatest number." },
    description: text("What it is for."),
  });
  return { type: "object", additionalProperties: declaration, description: "Parameters of a job's run." };
}

function hooksSchema(registry: Registry): JsonSchema {
  const sinks = Object.fromEntries(registry.list("sink").map((sink) => [sink.name, blockSchema(sink)]));
  const hook = { ...mapping(sinks), minProperties: 1, maxProperties: 1 };
  return mapping({ success: hook, failure: hook });
}

function namedCodecs(codecs: readonly Plugin[]): JsonSchema {
  const declarations = codecs.map((codec) => {
    const schema = blockSchema(codec);
    const properties = { type: { const: codec.name, description: codec.summary }, ...schema["properties"] as object };
    const required = ["type", ...(schema["required"] as readonly string[] | undefined ?? [])];
    return { ...schema, properties, required };
  });
  return { type: "object", additionalProperties: { oneOf: declarations }, description: "Codecs with a configuration." };
}

/** A plugin's block as it is written in a file: references may stand for numbers and booleans. */
function blockSchema(plugin: Plugin): JsonSchema {
  return { description: plugin.summary, ...withReferences(plugin.definition.schema as JsonSchema) };
}

function withReferences(schema: JsonSchema): JsonSchema {
  const { type, properties, items, additionalProperties, anyOf } = schema;
  if (type === "integer" || type === "number" || type === "boolean") {
    const { description, default: value, ...rest } = schema;
    const head = {
      ...(description === undefined ? {} : { description }),
      ...(value === undefined ? {} : { default: value }),
    };
    return { ...head, anyOf: [rest, REFERENCE] };
  }
  return {
    ...schema,
    ...(isSchema(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, reference(field)])) }
      : {}),
    ...(isSchema(items) ? { items: withReferences(items) } : {}),
    ...(isSchema(additionalProperties) ? { additionalProperties: withReferences(additionalProperties) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(reference) } : {}),
  };
}

function reference(schema: unknown): unknown {
  return isSchema(schema) ? withReferences(schema) : schema;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapping(properties: { readonly [field: string]: JsonSchema }, required: readonly string[] = []): JsonSchema {
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false };
}

function text(description: string, more: JsonSchema = {}): JsonSchema {
  return { type: "string", description, ...more };
}

function duration(description: string, value?: string): JsonSchema {
  return text(description, { pattern: DURATION_PATTERN, ...(value === undefined ? {} : { default: value }) });
}

function integer(description: string, minimum: number, value?: number): JsonSchema {
  return {
    description,
    ...(value === undefined ? {} : { default: value }),
    anyOf: [{ type: "integer", minimum }, REFERENCE],
  };
}

function flag(description: string, value: boolean): JsonSchema {
  return { description, default: value, anyOf: [{ type: "boolean" }, REFERENCE] };
}

function list(items: JsonSchema, description: string): JsonSchema {
  return { type: "array", items, description };
}
