/** Owns the JSON Schema of whole pipeline files, for editors: the framework's keys around the plugins' own blocks. */

import type { Plugin, Registry } from "../plugin/mod.ts";
import {
  BATCH_FIELDS,
  BUFFER_FIELDS,
  DELIVERY_FIELDS,
  DLQ_FIELDS,
  EDGE_ATTRIBUTES,
  EDGE_DEFAULT_ATTRIBUTES,
  EXTENSION_PREFIX,
  FRAMEWORK_FIELDS,
  GRPC_FIELDS,
  GRPC_PERMISSIONS,
  HOOK_EVENTS,
  LIMITS_FIELDS,
  METADATA_FIELDS,
  NAME_PATTERN,
  type NodeSection,
  PARAMETER_FIELDS,
  RUN_FIELDS,
  RUN_RETENTION_FIELDS,
  TELEMETRY_FIELDS,
  TOP_LEVEL_KEYS,
  WHEN_FIELDS,
} from "../schema/mod.ts";
import { type JsonSchema, keysSchema, withReferences } from "./key_schema.ts";

const DRAFT = "https://json-schema.org/draft/2020-12/schema";
const KIND_OF_SECTION = { sources: "source", transforms: "transform", sinks: "sink" } as const;

/** The schema of a pipeline file for the plugins of a program. */
export function documentSchema(registry: Registry): JsonSchema {
  const schema = keysSchema(TOP_LEVEL_KEYS, {
    apiVersion: "word",
    kind: "word",
    metadata: keysSchema(METADATA_FIELDS, {
      name: { type: "string", pattern: NAME_PATTERN },
      description: "text",
      labels: "texts",
    }),
    run: runSchema(),
    parameters: { type: "object", additionalProperties: parameterSchema() },
    constants: { type: "object" },
    limits: keysSchema(LIMITS_FIELDS, { max_in_flight: "integer", drain_timeout: "duration" }),
    codecs: { type: "object", additionalProperties: { oneOf: registry.list("codec").map(codecSchema) } },
    edge_defaults: edgeDefaultsSchema(),
    sources: sectionSchema("sources", registry),
    transforms: sectionSchema("transforms", registry),
    sinks: sectionSchema("sinks", registry),
    hooks: keysSchema(HOOK_EVENTS, { success: hookSchema(registry), failure: hookSchema(registry) }),
    dlq: keysSchema(DLQ_FIELDS, { retention: "duration" }),
    telemetry: keysSchema(TELEMETRY_FIELDS, {
      redact: { type: "array", items: { type: "string" } },
      span_sample_rate: "number",
    }),
  });
  const extensions = { [`^${EXTENSION_PREFIX}`]: true };
  return { $schema: DRAFT, title: "Eventboat pipeline", ...schema, patternProperties: extensions };
}

/** The schema of one plugin's block, as a document of its own. */
export function pluginSchema(plugin: Plugin): JsonSchema {
  return { $schema: DRAFT, ...titledSchema(plugin) };
}

/** The schema of a block of any of several plugins, which share a name. */
export function anyPluginSchema(plugins: readonly Plugin[]): JsonSchema {
  const title = `Eventboat ${plugins.map(({ kind, name }) => `${kind} ${name}`).join(", ")}`;
  return { $schema: DRAFT, title, anyOf: plugins.map(titledSchema) };
}

function titledSchema(plugin: Plugin): JsonSchema {
  const title = `Eventboat ${plugin.kind} ${plugin.name}`;
  return { title, description: plugin.summary, ...(plugin.definition.schema as JsonSchema) };
}

/** A block as it is written in a pipeline file. */
function blockSchema(plugin: Plugin): JsonSchema {
  return { description: plugin.summary, ...withReferences(plugin.definition.schema as JsonSchema) };
}

function sectionSchema(section: NodeSection, registry: Registry): JsonSchema {
  const plugins = registry.list(KIND_OF_SECTION[section]);
  const framework = nodeSchema(section);
  const blocks = Object.fromEntries(plugins.map((plugin) => [plugin.name, blockSchema(plugin)]));
  const properties = { ...framework["properties"] as JsonSchema, ...blocks };
  const known = {
    oneOf: plugins.map((plugin) => ({ required: [plugin.name] })),
    propertyNames: { enum: Object.keys(properties) },
  };
  return {
    type: "object",
    propertyNames: { pattern: NAME_PATTERN },
    ...(section === "transforms" ? {} : { minProperties: 1 }),
    additionalProperties: {
      ...framework,
      properties,
      additionalProperties: true,
      // An external plugin brings a name that is not known here, so unknown keys are refused only without `grpc`.
      if: { not: { required: ["grpc"] } },
      then: known,
    },
  };
}

function nodeSchema(section: NodeSection): JsonSchema {
  const external = { grpc: grpcSchema(), version: "integer" } as const;
  switch (section) {
    case "sources":
      return keysSchema(FRAMEWORK_FIELDS.sources, { decoder: "text", ...external });
    case "transforms":
      return keysSchema(FRAMEWORK_FIELDS.transforms, {
        depends_on: dependsOnSchema(),
        workers: "integer",
        ...external,
      });
    case "sinks":
      return keysSchema(FRAMEWORK_FIELDS.sinks, {
        depends_on: dependsOnSchema(),
        encoder: "text",
        order_key: "text",
        batch: keysSchema(BATCH_FIELDS, { size: "integer", timeout_ms: "integer" }),
        ...external,
      });
  }
}

function grpcSchema(): JsonSchema {
  const texts = { type: "array", items: { type: "string" } };
  return keysSchema(GRPC_FIELDS, {
    command: { ...texts, minItems: 1 },
    schema: "text",
    restart: "word",
    env: "texts",
    permissions: keysSchema(GRPC_PERMISSIONS, {
      net: texts,
      read: texts,
      write: texts,
      run: texts,
      env: texts,
      sys: texts,
      ffi: texts,
    }),
  });
}

function dependsOnSchema(): JsonSchema {
  const attributes = { anyOf: [{ type: "null" }, edgeSchema()] };
  const named = { type: "object", minProperties: 1, maxProperties: 1, additionalProperties: attributes };
  const element = { anyOf: [{ type: "string" }, named] };
  return { anyOf: [{ type: "string" }, { type: "array", items: element, minItems: 1 }, named] };
}

function edgeSchema(): JsonSchema {
  return keysSchema(EDGE_ATTRIBUTES, {
    when: { anyOf: [{ type: "string" }, keysSchema(WHEN_FIELDS, { lang: "word", expr: "text" })] },
    route: "text",
    required: "flag",
    delivery: keysSchema(DELIVERY_FIELDS, { retries: "integer", backoff: "word", timeout_ms: "integer" }),
    buffer: keysSchema(BUFFER_FIELDS, { type: "word", max_events: "integer" }),
  });
}

function edgeDefaultsSchema(): JsonSchema {
  const schema = edgeSchema();
  const properties = schema["properties"] as JsonSchema;
  return { ...schema, properties: Object.fromEntries(EDGE_DEFAULT_ATTRIBUTES.map((name) => [name, properties[name]])) };
}

function runSchema(): JsonSchema {
  return keysSchema(RUN_FIELDS, {
    mode: "word",
    schedule: "text",
    timezone: "text",
    overlap: "word",
    catchup_window: "duration",
    skip_if_successful: "flag",
    retention: keysSchema(RUN_RETENTION_FIELDS, { history: "duration" }),
  });
}

function parameterSchema(): JsonSchema {
  return keysSchema(PARAMETER_FIELDS, {
    type: "word",
    default: {},
    required: "flag",
    enum: { type: "array", minItems: 1 },
    pattern: "text",
    min: "number",
    max: "number",
    description: "text",
  });
}

function hookSchema(registry: Registry): JsonSchema {
  const properties = Object.fromEntries(registry.list("sink").map((sink) => [sink.name, blockSchema(sink)]));
  return { type: "object", properties, minProperties: 1, maxProperties: 1, additionalProperties: false };
}

function codecSchema(codec: Plugin): JsonSchema {
  const schema = blockSchema(codec);
  const type = { const: codec.name, description: codec.summary };
  const required = ["type", ...(schema["required"] as readonly string[] | undefined ?? [])];
  return { ...schema, properties: { type, ...schema["properties"] as JsonSchema }, required };
}
