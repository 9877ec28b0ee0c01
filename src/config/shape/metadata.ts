/** Owns the head of a document (`apiVersion`, `kind`) and its `metadata`. */

import { API_VERSION, FORMER_API_VERSION, METADATA_FIELDS, nameProblem } from "../../schema/mod.ts";
import type { DiagnosticCode } from "../../diagnostics/mod.ts";
import type { MappingTree, Tree } from "../tree.ts";
import type { ValueReader } from "../value_reader.ts";

/** Name and description of a pipeline. */
export interface Metadata {
  /** Empty where it is missing or wrong. */
  readonly name: string;
  readonly description?: string;
  readonly labels: { readonly [name: string]: string };
}

/** Checks `apiVersion` and `kind`; `kind` is what belongs here. */
export function checkHead(root: MappingTree, kind: "Pipeline" | "Runtime", reader: ValueReader): void {
  checkWord(root, { name: "apiVersion", word: API_VERSION, code: "cfg_api_version", hint: versionHint }, reader);
  checkWord(root, { name: "kind", word: kind, code: "cfg_kind", hint: kindHint }, reader);
}

interface RequiredWord {
  readonly name: string;
  readonly word: string;
  readonly code: DiagnosticCode;
  readonly hint: (found: Tree) => string | undefined;
}

function checkWord(root: MappingTree, { name, word, code, hint }: RequiredWord, reader: ValueReader): void {
  const found = root.entries.get(name)?.value;
  if (found === undefined) {
    reader.report(code, root.span, `${name} is required: ${word}`);
    return;
  }
  if (found.kind !== "scalar" || typeof found.value !== "string") {
    reader.wrong(code, found, name, word);
  } else if (found.value !== word && found.unresolved !== true) {
    reader.report(code, found.span, `${name} must be ${word}, found "${found.value}"`, hint(found));
  }
}

function versionHint(found: Tree): string {
  const former = found.kind === "scalar" && found.value === FORMER_API_VERSION;
  return former ? `write ${API_VERSION}; verify --fix rewrites it` : `write ${API_VERSION}`;
}

function kindHint(found: Tree): string | undefined {
  if (found.kind !== "scalar") return undefined;
  if (found.value === "Runtime") return "this is a Runtime document: it is given with --runtime";
  return found.value === "Pipeline" ? "this is a pipeline document: it is given with --config" : undefined;
}

/** Reads `metadata`. */
export function readMetadata(root: MappingTree, reader: ValueReader): Metadata {
  const entry = root.entries.get("metadata");
  if (entry === undefined) {
    reader.report("cfg_metadata_name", root.span, "metadata.name is required: the pipeline's name");
    return { name: "", labels: {} };
  }
  const metadata = reader.mapping(entry.value, "cfg_metadata_type", "metadata");
  if (metadata === undefined) return { name: "", labels: {} };
  reader.unknownKeys(metadata, METADATA_FIELDS, "metadata");
  const description = reader.field(metadata, "description", (tree) => {
    return reader.text(tree, "cfg_metadata_type", "metadata.description");
  });
  const labels = reader.field(metadata, "labels", (tree) => reader.texts(tree, "cfg_metadata_type", "metadata.labels"));
  const name = metadata.entries.get("name");
  if (name === undefined) {
    reader.report("cfg_metadata_name", entry.key, "metadata.name is required: the pipeline's name");
  }
  return {
    name: name === undefined ? "" : readName(name.value, reader),
    ...(description === undefined ? {} : { description }),
    labels: labels ?? METADATA_FIELDS.labels.default,
  };
}

function readName(tree: Tree, reader: ValueReader): string {
  const isEmpty = tree.kind === "scalar" && (tree.value === null || tree.value === "");
  const name = reader.text(tree, isEmpty ? "cfg_metadata_name" : "cfg_name_invalid", "metadata.name");
  const problem = name === undefined ? undefined : nameProblem(name);
  if (problem === undefined) return name ?? "";
  reader.report("cfg_name_invalid", tree.span, `the name "${name}" ${problem}`);
  return "";
}
