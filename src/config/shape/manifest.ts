/** Owns the manifest of an external plugin: a JSON file that says what the plugin is and what its block may hold. */

import type { Data } from "../../base/mod.ts";
import { type DiagnosticCode, reasonOf, type Span } from "../../diagnostics/mod.ts";
import { defineForeign, type NodeSection } from "../../schema/mod.ts";
import type { ExternalManifest } from "../document.ts";
import type { ValueReader } from "../value_reader.ts";
import type { ReadFile } from "./external.ts";

/** What a manifest is read with. */
export interface ManifestContext {
  readonly section: NodeSection;
  readonly readFile: ReadFile;
  readonly reader: ValueReader;
  /** Where the document names the manifest: findings about the manifest stand there. */
  readonly span: Span;
  /** The manifest as the document names it. */
  readonly name: string;
}

const MANIFEST_BYTES_MAX = 1024 * 1024;
const MANIFEST_FIELDS: readonly string[] = ["kind", "name", "version", "capabilities", "config_schema"];
const KINDS = { sources: "source", transforms: "transform", sinks: "sink" } as const;

/** Reads and checks a manifest; undefined, with findings, where it does not hold. */
export function readManifest(path: string, context: ManifestContext): ExternalManifest | undefined {
  const fields = readFields(path, context);
  if (fields === undefined) return undefined;
  const report = (code: DiagnosticCode, problem: string) => {
    context.reader.report(code, context.span, `the manifest ${context.name} ${problem}`);
  };
  const { kind: found, name, version, capabilities = [], config_schema: configSchema } = fields;
  const kind = KINDS[context.section];
  if (found !== kind) report("grpc_manifest_kind", `must have the kind "${kind}", found ${shown(found)}`);
  if (typeof name !== "string" || name === "") report("grpc_manifest_parse", `must have a name, found ${shown(name)}`);
  const isVersion = typeof version === "number" && Number.isSafeInteger(version) && version > 0;
  if (!isVersion) {
    report("grpc_manifest_version", `must have a positive whole number as version, found ${shown(version)}`);
  }
  const isList = Array.isArray(capabilities) && capabilities.every((item) => typeof item === "string");
  if (!isList) report("grpc_manifest_parse", `must have a list of texts as capabilities, found ${shown(capabilities)}`);
  for (const field of Object.keys(fields)) {
    if (!MANIFEST_FIELDS.includes(field)) report("grpc_manifest_parse", `holds the unknown field "${field}"`);
  }
  const schemaProblem = configSchema === undefined ? "is required" : problemOf(configSchema);
  if (schemaProblem !== undefined) report("grpc_manifest_schema", `has a wrong config_schema: it ${schemaProblem}`);
  if (found !== kind || typeof name !== "string" || !isVersion || !isList || schemaProblem !== undefined) {
    return undefined;
  }
  return { kind, name, version, capabilities: capabilities as string[], configSchema: configSchema ?? {} };
}

function readFields(path: string, context: ManifestContext): { readonly [name: string]: Data } | undefined {
  const { reader, span, name } = context;
  let bytes: Uint8Array;
  try {
    bytes = context.readFile(path);
  } catch (caught) {
    reader.report("grpc_manifest_read", span, `the manifest ${name} cannot be read: ${reasonOf(caught)}`);
    return undefined;
  }
  if (bytes.length > MANIFEST_BYTES_MAX) {
    const message = `the manifest ${name} may have ${MANIFEST_BYTES_MAX} bytes, found ${bytes.length}`;
    reader.report("grpc_manifest_read", span, message);
    return undefined;
  }
  try {
    const data: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof data === "object" && data !== null && !Array.isArray(data)) return data as { [name: string]: Data };
    reader.report("grpc_manifest_parse", span, `the manifest ${name} must be a JSON object, found ${shown(data)}`);
  } catch (caught) {
    reader.report("grpc_manifest_parse", span, `the manifest ${name} is no JSON: ${reasonOf(caught)}`);
  }
  return undefined;
}

function problemOf(schema: Data): string | undefined {
  const made = defineForeign(schema);
  return made.ok ? undefined : `is no JSON Schema: ${made.message}`;
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  if (typeof value === "string") return `"${value}"`;
  return typeof value === "object" && value !== null ? (Array.isArray(value) ? "a list" : "an object") : `${value}`;
}
