/** Owns the resolving of `${parameters.x}` in a document, once the parameters of a run are known. */

import { type Data, pathPointer, pointerSteps } from "../base/mod.ts";
import type { DocumentNode, Edge, ParameterReference, PipelineDocument, PluginBlock } from "./document.ts";

/** Parameters of a run by name. */
export type ParameterValues = { readonly [name: string]: Data };

/**
 * The document of one run: every `${parameters.x}` in a block or a condition replaced by the parameter's text, nothing
 * for one that is null. What a parameter brings in is not looked at again. A text that was exactly one reference takes
 * the type that its schema asks for, as with the other references.
 */
export function documentOfRun(document: PipelineDocument, parameters: ParameterValues): PipelineDocument {
  if (document.parameterReferences.length === 0) return document;
  const texts = new RunTexts(document.parameterReferences, parameters);
  const nodes = document.nodes.map((node): DocumentNode => {
    const block = texts.inBlock(node);
    if (node.section === "sources") return { ...node, block };
    return { ...node, block, dependsOn: node.dependsOn.map((edge) => texts.inEdge(edge)) };
  });
  return {
    ...document,
    nodes,
    codecs: document.codecs.map((codec) => ({ ...codec, block: texts.inBlock(codec) })),
    hooks: document.hooks.map((hook) => ({ ...hook, block: texts.inBlock(hook) })),
    references: [...document.references, ...texts.whole],
    parameterReferences: [],
  };
}

/** The references of a document by the text they stand in. */
class RunTexts {
  /** Pointers of texts that were exactly one reference. */
  readonly whole: string[] = [];
  readonly #references = new Map<string, ParameterReference[]>();
  readonly #parameters: ParameterValues;

  constructor(references: readonly ParameterReference[], parameters: ParameterValues) {
    this.#parameters = parameters;
    for (const reference of references) {
      const others = this.#references.get(reference.pointer);
      if (others === undefined) this.#references.set(reference.pointer, [reference]);
      else others.push(reference);
    }
  }

  inBlock({ block, path }: PluginBlock): Data {
    const base = pathPointer(path);
    let data = block;
    for (const pointer of this.#references.keys()) {
      if (pointer !== base && !pointer.startsWith(`${base}/`)) continue;
      data = changed(data, pointerSteps(pointer.slice(base.length)), (text) => this.#resolved(pointer, text));
    }
    return data;
  }

  inEdge(edge: Edge): Edge {
    const { when } = edge;
    if (when === undefined) return edge;
    const pointer = pathPointer(when.path);
    if (!this.#references.has(pointer)) return edge;
    return { ...edge, when: { ...when, expr: this.#resolved(pointer, when.expr) } };
  }

  #resolved(pointer: string, text: string): string {
    const references = this.#references.get(pointer) ?? [];
    const [first] = references;
    if (references.length === 1 && first?.start === 0 && first.end === text.length) this.whole.push(pointer);
    let resolved = "";
    let at = 0;
    for (const { start, end, name } of references) {
      const value = this.#parameters[name] ?? null;
      resolved += text.slice(at, start) + (value === null ? "" : String(value));
      at = end;
    }
    return resolved + text.slice(at);
  }
}

/** The data with the text at the end of the steps changed; as it is where there is no text. */
function changed(data: Data, steps: readonly string[], change: (text: string) => string): Data {
  const [step, ...rest] = steps;
  if (step === undefined) return typeof data === "string" ? change(data) : data;
  if (isList(data)) return data.map((one, index) => String(index) === step ? changed(one, rest, change) : one);
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, one]) => [key, key === step ? changed(one, rest, change) : one]),
  );
}

/** `Array.isArray` does not know lists that are read-only. */
function isList(data: Data): data is readonly Data[] {
  return Array.isArray(data);
}
