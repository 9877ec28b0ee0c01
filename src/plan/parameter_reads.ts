/** Owns the judgement of reads of parameters in expressions and scripts: only a job has them, and it declares them. */

import { type Data, didYouMeanOneOf } from "../base/mod.ts";
import type { DocumentPath, PipelineDocument } from "../config/mod.ts";
import type { DiagnosticBag, Span } from "../diagnostics/mod.ts";
import type { ResolutionScope, ResolvedNode } from "./resolution.ts";

/** One read of a parameter. */
export interface ParameterRead {
  /** The parameter's name; undefined for a read of them all. */
  readonly name: string | undefined;
  readonly span: Span;
  readonly node: string;
  /** What reads, as a sentence begins with it. */
  readonly reader: string;
}

/** Reports a read that has nothing to read. */
export function judgeParameterRead(
  { document, bag }: { readonly document: PipelineDocument; readonly bag: DiagnosticBag },
  { name, span, node, reader }: ParameterRead,
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
  for (const read of plugin.parametersRead?.(config) ?? []) {
    const name = read === "*" ? undefined : read;
    const found = findText(node.block, name === undefined ? "parameters" : `parameters.${name}`) ??
      findText(node.block, "parameters");
    const span = found === undefined
      ? scope.places.key(node.path)
      : scope.places.character([...node.path, ...found.path], found.offset);
    judgeParameterRead(scope, { name, span, node: node.name, reader: `node "${node.name}"` });
  }
}

/** Where a block first holds a text: plugins tell names only. */
function findText(
  data: Data,
  wanted: string,
): { readonly path: DocumentPath; readonly offset: number } | undefined {
  if (typeof data === "string") {
    const offset = data.indexOf(wanted);
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
