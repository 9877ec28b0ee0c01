/** Owns the reading of compiled descriptor sets: a file to the message type it describes. */

import { resolve } from "node:path";
import { createFileRegistry, type DescMessage, type FileRegistry, fromBinary } from "@bufbuild/protobuf";
import {
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { didYouMeanOneOf, quotedText } from "../../../base/mod.ts";
import { reasonOf } from "../../../diagnostics/mod.ts";
import type { PluginIssue } from "../../../plugin/mod.ts";

/** A message type, and all types beside it: those that an `Any` may hold. */
export interface DescribedMessage {
  readonly message: DescMessage;
  readonly registry: FileRegistry;
}

/** A message type that was found, or why it was not. */
export type DescriptorResult =
  | { readonly ok: true; readonly described: DescribedMessage }
  | { readonly ok: false; readonly issue: PluginIssue };

/** Where the type is described, and its name. */
export interface DescriptorFields {
  readonly descriptor_set: string;
  readonly message: string;
}

/** Reads the descriptor set and finds the message in it. */
export function readDescriptor(fields: DescriptorFields, directory: string): DescriptorResult {
  const file = resolve(directory, fields.descriptor_set);
  let bytes: Uint8Array;
  try {
    bytes = Deno.readFileSync(file);
  } catch (caught) {
    return failed(["descriptor_set"], `cannot be read from ${file}: ${reasonOf(caught)}`);
  }
  let registry: FileRegistry;
  try {
    registry = registryOf(bytes);
  } catch (caught) {
    const message = `must name a compiled descriptor set, and ${file} is none: ${reasonOf(caught)}`;
    return failed(["descriptor_set"], message, "protoc --include_imports --descriptor_set_out=FILE makes one");
  }
  const message = registry.getMessage(fields.message);
  if (message !== undefined) return { ok: true, described: { message, registry } };
  const names = [...registry].filter((type) => type.kind === "message").map((type) => type.typeName);
  const own = names.filter((name) => !name.startsWith("google.protobuf."));
  return failed(
    ["message"],
    `names the message ${quotedText(fields.message)}, which ${file} does not describe`,
    didYouMeanOneOf(fields.message, own),
  );
}

function failed(path: PluginIssue["path"], message: string, hint?: string): DescriptorResult {
  return { ok: false, issue: { path, message, ...(hint === undefined ? {} : { hint }) } };
}

/**
 * The types of a set. Files may stand in any order, and the files of well-known types need not be there: a set compiled
 * without its imports lacks them.
 */
function registryOf(bytes: Uint8Array): FileRegistry {
  const set = fromBinary(FileDescriptorSetSchema, bytes);
  if (set.file.length === 0) throw new Error("it describes no file");
  const files = new Map([...wellKnownFiles(), ...set.file].map((file) => [file.name, file]));
  const sorted = new Map<string, FileDescriptorProto>();
  const add = (file: FileDescriptorProto) => {
    if (sorted.has(file.name)) return;
    for (const name of file.dependency) {
      const imported = files.get(name);
      if (imported === undefined) throw new Error(`it lacks ${name}, which ${file.name} imports`);
      add(imported);
    }
    sorted.set(file.name, file);
  };
  for (const file of set.file) add(file);
  return createFileRegistry({ $typeName: set.$typeName, file: [...sorted.values()] });
}

function wellKnownFiles(): readonly FileDescriptorProto[] {
  return [
    file_google_protobuf_any,
    file_google_protobuf_duration,
    file_google_protobuf_empty,
    file_google_protobuf_field_mask,
    file_google_protobuf_struct,
    file_google_protobuf_timestamp,
    file_google_protobuf_wrappers,
  ].map(({ proto }) => proto);
}
