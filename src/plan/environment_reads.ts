/** Owns the judgement of reads of constants and parameters in expressions and scripts: a document declares both. */

import { type Data, didYouMeanOneOf } from "../base/mod.ts";
import type { DocumentPath, PipelineDocument } from "../config/mod.ts";
import type { DiagnosticBag, Span } from "../diagnostics/mod.ts";
import type { ResolutionScope, ResolvedNode } from "./resolution.ts";

/** One read of a constant or parameter. */
export interface EnvironmentRead {
  /** The name; undefined for a read of them all. */
  readonly name: string | undefined;
  readonly span: Span;
  readonly node: string;
  /** What reads, as a sentence begins with it. */
  readonly reader: string;
}

interface Judgement {
  readonly document: PipelineDocument;
  readonly bag: DiagnosticBag;
}

/** Reports a read of a constant that the document does not declare. */
export function judgeConstantRead({ document, bag }: Judgement, { name, span, node, reader }: EnvironmentRead): void {
  const known = Object.keys(document.constants);
  if (name === undefined || known.includes(name)) return;
  const message = `${reader} reads "constants.${name}", but the document declares no such constant`;
  bag.report("expr_cel_env", span, message, { hint: didYouMeanOneOf(name, known), node });
}

/** Reports a read of a parameter that has nothing to read: only a job has them. */
export function judgeParameterRead(
  { document, bag }: Judgement,
  { name, span, node, reader }: EnvironmentRead,
): void {
  const read = name === undefined ? "parameters" : `parameters.${name}`;
  if (document.run.mode !== "job") {
    const message = `${reader} reads "${read}", but only a job pipeline has parameters`;
    const hint = "declare the value under constants, or set run.mode to job";
    bag.report("job_parameters_in_continuous", span, message, { hint, node });
    return;
  }
  const known = document.parameters.map((parameter) => parameter.name);
  if (name === undefined || known.includes(name)) return;
  const message = `${reader} reads "${read}", but the document declares no such parameter`;
  bag.report("job_parameter_unknown", span, message, { hint: didYouMeanOneOf(name, known), node });
}

/** Judges what the expressions and scripts in a node's block read, as its plugin tells. */
export function judgeBlockReads(scope: ResolutionScope, { node, plugin, config }: ResolvedNode): void {
  const read = (root: EnvironmentRoot, name: string | undefined): EnvironmentRead => {
    const found = findRead(node.block, root, name);
    const span = found === undefined
      ? scope.places.key(node.path)
      : scope.places.character([...node.path, ...found.path], found.offset);
    return { name, span, node: node.name, reader: `node "${node.name}"` };
  };
  for (const name of plugin.parametersRead?.(config) ?? []) {
    judgeParameterRead(scope, read("parameters", name === "*" ? undefined : name));
  }
  const constants = (plugin.constantsRequired ?? plugin.constantsRead)?.(config) ?? [];
  // What looks at all of them may have asked whether one is there.
  if (constants.includes("*")) return;
  for (const name of new Set(constants)) judgeConstantRead(scope, read("constants", name));
}

type EnvironmentRoot = "constants" | "parameters";

interface FoundRead {
  readonly path: DocumentPath;
  readonly offset: number;
}

/** Where a block first reads a name, or else the root: plugins tell names only. */
function findRead(block: Data, root: EnvironmentRoot, name: string | undefined): FoundRead | undefined {
  const member = name === undefined
    ? undefined
    : new RegExp(String.raw`\b${root}\s*(?:\.\s*|[\[]\s*["'])${RegExp.escape(name)}(?!\w)`);
  return (member && findText(block, member)) ?? findText(block, new RegExp(String.raw`\b${root}\b`));
}

/** Where a text in a block first matches. */
function findText(data: Data, wanted: RegExp): FoundRead | undefined {
  if (typeof data === "string") {
    const offset = data.search(wanted);
    return offset < 0 ? undefined : { path: [], offset };
  }
  if (typeof data !== "object" || data === null) return undefined;
  const entries: readonly (readonly [string | number, Data])[] = Array.isArray(data)
    ? [...data.entries()]
    : Object.entries(data);
  for (const [key, member] of entries) {
    const found = findText(member, wanted);
    if (found !== undefined) return { path: [key, ...found.path], offset: found.offset };
  }
  return undefined;
}
