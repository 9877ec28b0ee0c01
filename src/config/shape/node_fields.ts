/** Owns the framework fields of a node. */

import { BATCH_FIELDS, FRAMEWORK_FIELDS, type NodeSection } from "../../schema/mod.ts";
import type { Edge, ExternalPlugin, SinkNode, SourceNode, TransformNode } from "../document.ts";
import type { Entry, MappingTree, Tree } from "../tree.ts";
import type { ValueReader } from "../value_reader.ts";
import type { EdgePolicy } from "./edge_attributes.ts";
import { readDependsOn } from "./edges.ts";
import { readExternal, type ReadFile } from "./external.ts";

/** What framework fields are read with. */
export interface FrameworkContext {
  readonly defaults: EdgePolicy;
  readonly directory: string;
  readonly readFile: ReadFile;
  readonly reader: ValueReader;
  /** A key of the node looks like `depends_on`: that it is missing needs no finding of its own. */
  readonly dependsOnMisspelt: boolean;
}

type Common = "name" | "nodePath" | "plugin" | "block" | "path";

/** The framework's part of a node. */
export type Framework = Omit<SourceNode, Common> | Omit<TransformNode, Common> | Omit<SinkNode, Common>;

/** A node's key and mapping. */
export interface NodeEntry extends Entry {
  readonly value: MappingTree;
}

/** Reads the framework fields of a node; undefined where its external plugin cannot be known. */
export function readFramework(
  section: NodeSection,
  name: string,
  node: NodeEntry,
  context: FrameworkContext,
): Framework | undefined {
  const { reader } = context;
  const version = reader.field(node.value, "version", (tree) => {
    const codes = { type: "cfg_version_range", range: "cfg_version_range" } as const;
    return reader.integer(tree, codes, "version", FRAMEWORK_FIELDS[section].version.range ?? { min: 1, max: Infinity });
  });
  const grpcEntry = node.value.entries.get("grpc");
  const grpc = grpcEntry && readExternal(grpcEntry.value, { ...context, section });
  const shared = { ...(version === undefined ? {} : { version }), ...(grpc === undefined ? {} : { grpc }) };
  const framework = readSection(section, name, node, shared, context);
  return grpcEntry !== undefined && grpc === undefined ? undefined : framework;
}

interface Shared {
  readonly version?: number;
  readonly grpc?: ExternalPlugin;
}

function readSection(
  section: NodeSection,
  name: string,
  node: NodeEntry,
  shared: Shared,
  context: FrameworkContext,
): Framework {
  const { reader } = context;
  const { value } = node;
  switch (section) {
    case "sources": {
      const decoder = reader.field(value, "decoder", (tree) => reader.text(tree, "cfg_decoder_type", "decoder"));
      return { section, ...shared, decoder: decoder ?? FRAMEWORK_FIELDS.sources.decoder.default };
    }
    case "transforms": {
      const workers = reader.field(value, "workers", (tree) => {
        const codes = { type: "cfg_workers_range", range: "cfg_workers_range" } as const;
        return reader.integer(tree, codes, "workers", FRAMEWORK_FIELDS.transforms.workers.range);
      });
      const dependsOn = readEdges(section, name, node, context);
      return { section, ...shared, dependsOn, workers: workers ?? FRAMEWORK_FIELDS.transforms.workers.default };
    }
    case "sinks": {
      const encoder = reader.field(value, "encoder", (tree) => reader.text(tree, "cfg_encoder_type", "encoder"));
      const orderKey = reader.field(value, "order_key", (tree) => reader.text(tree, "cfg_order_key_type", "order_key"));
      const batch = reader.field(value, "batch", (tree) => readBatch(tree, reader));
      return {
        section,
        ...shared,
        dependsOn: readEdges(section, name, node, context),
        encoder: encoder ?? FRAMEWORK_FIELDS.sinks.encoder.default,
        ...(orderKey === undefined ? {} : { orderKey }),
        ...(batch === undefined ? {} : { batch }),
      };
    }
  }
}

function readEdges(
  section: NodeSection,
  name: string,
  node: NodeEntry,
  { reader, defaults, dependsOnMisspelt }: FrameworkContext,
): readonly Edge[] {
  const field = node.value.entries.has("depends_on") ? "depends_on" : "from";
  const dependsOn = node.value.entries.get(field);
  // `from` has its own finding already; read all the same, it keeps the graph whole for those that come after.
  if (dependsOn !== undefined) {
    return readDependsOn(dependsOn.value, [section, name, field], { to: name, defaults, reader });
  }
  if (!dependsOnMisspelt) {
    reader.report(
      "cfg_missing_depends_on",
      node.key,
      `the node "${name}" needs depends_on: where its messages come from`,
    );
  }
  return [];
}

function readBatch(tree: Tree, reader: ValueReader): SinkNode["batch"] {
  const codes = { type: "cfg_batch_type", range: "cfg_batch_range" } as const;
  const batch = reader.mapping(tree, codes.type, "batch");
  if (batch === undefined) return undefined;
  reader.unknownKeys(batch, BATCH_FIELDS, "batch");
  const size = reader.field(batch, "size", (value) => {
    return reader.integer(value, codes, "batch.size", BATCH_FIELDS.size.range);
  });
  const timeoutMs = reader.field(batch, "timeout_ms", (value) => {
    return reader.integer(value, codes, "batch.timeout_ms", BATCH_FIELDS.timeout_ms.range);
  });
  // A size that is wrong has its finding; what stands in for it would only be judged in its place.
  if (size === undefined && batch.entries.has("size")) return undefined;
  return { size: size ?? BATCH_FIELDS.size.default, timeoutMs: timeoutMs ?? BATCH_FIELDS.timeout_ms.default };
}
