/** Owns the `grpc` block of a node: how an external plugin is started, and its manifest. */

import { resolve } from "node:path";
import { GRPC_FIELDS, GRPC_PERMISSIONS, type NodeSection } from "../../schema/mod.ts";
import type { ExternalManifest, ExternalPlugin } from "../document.ts";
import type { Data } from "../../base/mod.ts";
import { type MappingTree, type Tree, treeData } from "../tree.ts";
import type { ValueReader } from "../value_reader.ts";
import { readManifest } from "./manifest.ts";

/** Reads a file whole; throws where it cannot. */
export type ReadFile = (path: string) => Uint8Array;

/** What an external plugin is read with. */
export interface ExternalContext {
  readonly section: NodeSection;
  /** Absolute folder that paths are relative to. */
  readonly directory: string;
  readonly readFile: ReadFile;
  readonly reader: ValueReader;
}

const ENVIRONMENT_NAME_REGEXP = /^[^=\0]+$/;

/** Reads a `grpc` block; undefined where something about it or its manifest is wrong. */
export function readExternal(tree: Tree, context: ExternalContext): ExternalPlugin | undefined {
  const { reader } = context;
  const grpc = reader.mapping(tree, "cfg_grpc_type", "grpc");
  if (grpc === undefined) return undefined;
  reader.unknownKeys(grpc, GRPC_FIELDS, "grpc");
  const command = readCommand(grpc, reader);
  const restart = reader.field(grpc, "restart", (value) => {
    return reader.word(value, GRPC_FIELDS.restart.words, "cfg_grpc_restart", "grpc.restart");
  });
  const env = reader.field(grpc, "env", (value) => readEnvironment(value, reader));
  const permissions = reader.field(grpc, "permissions", (value) => readPermissions(value, reader));
  const found = readSchema(grpc, context);
  if (command === undefined || found === undefined) return undefined;
  return {
    command,
    schema: found.path,
    restart: restart ?? GRPC_FIELDS.restart.default,
    env: env ?? GRPC_FIELDS.env.default,
    ...(permissions === undefined ? {} : { permissions }),
    manifest: found.manifest,
  };
}

function readCommand(grpc: MappingTree, reader: ValueReader): readonly string[] | undefined {
  const entry = grpc.entries.get("command");
  const required = "a list of texts that begins with a program";
  if (entry === undefined) {
    reader.report("cfg_grpc_command", grpc.span, `grpc.command is required: ${required}`);
    return undefined;
  }
  if (entry.value.kind !== "list" || entry.value.items.length === 0) {
    const hint = entry.value.kind === "scalar" ? 'write a list, as in ["./plugin", "--flag"]' : undefined;
    return reader.wrong("cfg_grpc_command", entry.value, "grpc.command", required, hint);
  }
  const words = entry.value.items.map((item, index) => {
    const isEmpty = item.kind === "scalar" && item.value === "";
    return index > 0 && isEmpty ? "" : reader.text(item, "cfg_grpc_command", `grpc.command[${index}]`);
  });
  const known = words.filter((word) => word !== undefined);
  return known.length === words.length ? known : undefined;
}

function readEnvironment(tree: Tree, reader: ValueReader): { readonly [name: string]: string } | undefined {
  if (tree.kind === "mapping") {
    for (const [name, { key }] of tree.entries) {
      if (ENVIRONMENT_NAME_REGEXP.test(name)) continue;
      reader.report("cfg_grpc_env", key, `the variable name ${JSON.stringify(name)} must not be empty or hold "="`);
    }
  }
  return reader.texts(tree, "cfg_grpc_env", "grpc.env");
}

function readPermissions(tree: Tree, reader: ValueReader): { readonly [kind: string]: Data } | undefined {
  const permissions = reader.mapping(tree, "cfg_grpc_type", "grpc.permissions");
  if (permissions === undefined) return undefined;
  reader.unknownKeys(permissions, GRPC_PERMISSIONS, "grpc.permissions");
  const read: [string, Data][] = [];
  for (const [name, { value }] of permissions.entries) {
    const data = treeData(value);
    const isList = Array.isArray(data) && data.every((item) => typeof item === "string");
    if (typeof data === "boolean" || isList) read.push([name, data]);
    else reader.wrong("cfg_grpc_type", value, `grpc.permissions.${name}`, "true, false or a list of texts");
  }
  return Object.fromEntries(read);
}

function readSchema(
  grpc: MappingTree,
  context: ExternalContext,
): { readonly path: string; readonly manifest: ExternalManifest } | undefined {
  const { reader, directory } = context;
  const entry = grpc.entries.get("schema");
  if (entry === undefined) {
    reader.report("cfg_grpc_schema", grpc.span, "grpc.schema is required: the plugin's manifest file");
    return undefined;
  }
  const name = reader.text(entry.value, "cfg_grpc_schema", "grpc.schema");
  if (name === undefined) return undefined;
  const path = resolve(directory, name);
  const manifest = readManifest(path, { ...context, span: entry.value.span, name });
  return manifest === undefined ? undefined : { path, manifest };
}
