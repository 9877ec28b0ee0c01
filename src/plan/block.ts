/** Owns the parsing of a plugin's block, with the types that substituted text takes. */

import { type Data, pathPointer, pointerSteps } from "../base/mod.ts";
import {
  type DocumentPath,
  isBinding,
  type ParameterDeclaration,
  type PipelineDocument,
  type PluginBlock,
} from "../config/mod.ts";
import { coerceSubstituted, type ConfigIssue, type Definition, type Parsed } from "../schema/mod.ts";

/**
 * Parses a block. Where the definition asks for a number or a boolean and finds text that was one reference, the text
 * is read as YAML would read it; where it finds one `${parameters.x}`, a value of that parameter's type
 * stands in, as the real one is known only when a run starts.
 */
export function parseBlock(document: PipelineDocument, definition: Definition, block: PluginBlock): Parsed<unknown> {
  const at = pathPointer(block.path);
  const references = document.references
    .filter((pointer) => pointer.startsWith(`${at}/`))
    .map((pointer) => pathInside(block.block, pointer.slice(at.length)));
  const data = coerceSubstituted(definition.schema, block.block, references);
  const parsed = definition.parse(data);
  if (parsed.ok) return parsed;
  const sampled = withSamples(document.parameters, data, parsed.issues);
  return sampled === undefined ? parsed : definition.parse(sampled);
}

/** The steps of a pointer relative to a block: an index where a list stands, else a name. */
function pathInside(block: Data, pointer: string): DocumentPath {
  const path: (string | number)[] = [];
  for (const name of pointerSteps(pointer)) {
    path.push(Array.isArray(valueAt(block, path)) ? Number(name) : name);
  }
  return path;
}

const PARAMETER_ONLY_REGEXP = /^\$\{parameters\.([^}]*)\}$/;

/** The block with samples of parameters where issues are about their references; undefined where none is. */
function withSamples(
  parameters: readonly ParameterDeclaration[],
  block: Data,
  issues: readonly ConfigIssue[],
): Data | undefined {
  let data = block;
  for (const { path } of issues) {
    const text = valueAt(data, path);
    const name = typeof text === "string" ? PARAMETER_ONLY_REGEXP.exec(text)?.[1] : undefined;
    const parameter = parameters.find((declaration) => declaration.name === name);
    if (parameter !== undefined) data = replaceAt(data, path, sampleOf(parameter));
  }
  return data === block ? undefined : data;
}

/** A value of a parameter's type, as near to a real one as the declaration tells. */
function sampleOf(parameter: ParameterDeclaration): Data {
  const declared = parameter.default;
  if (declared !== undefined && !isBinding(parameter, declared)) return declared;
  const [word] = parameter.enum ?? [];
  if (word !== undefined) return word;
  if (parameter.type === "string") return parameter.name;
  return parameter.type === "boolean" ? false : parameter.min ?? parameter.max ?? 1;
}

/** The value at `path` inside `data`; undefined where there is none. */
export function valueAt(data: Data, path: DocumentPath): Data | undefined {
  let value: Data | undefined = data;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as { readonly [key: string | number]: Data })[part];
  }
  return value;
}

/** A copy of `data` in which `value` stands at `path`. */
function replaceAt(data: Data, path: DocumentPath, value: Data): Data {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  if (Array.isArray(data)) return data.map((item: Data, index) => index === part ? replaceAt(item, rest, value) : item);
  if (typeof data !== "object" || data === null) return data;
  const fields = data as { readonly [key: string]: Data };
  return Object.fromEntries(
    Object.entries(fields).map(([key, item]) => [key, key === part ? replaceAt(item, rest, value) : item]),
  );
}
