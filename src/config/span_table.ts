/** Owns the table of places: where every value of a document stands, and where the characters of its texts stand. */

import { pathPointer, pointerStep } from "../base/mod.ts";
import type { Span } from "../diagnostics/mod.ts";
import type { DocumentPath, ParameterReference, SpanTable, ValueSpan } from "./document.ts";
import { linePlaces, placeInText } from "./text_places.ts";
import type { Entry, MappingTree, ScalarTree, Tree } from "./tree.ts";

/** Places, and what is special about texts, of a whole document. */
export interface DocumentPlaces {
  readonly spans: SpanTable;
  readonly substituted: readonly string[];
  readonly references: readonly string[];
  readonly unresolved: readonly string[];
  readonly parameterReferences: readonly ParameterReference[];
}

/**
 * Where the value at `path` stands or, with `offset` (UTF-16 units), that character of a text. For a value that is not
 * there, the nearest one around it answers. Undefined only for an empty table.
 */
export function spanAt(spans: SpanTable, path: DocumentPath, offset?: number): Span | undefined {
  for (let depth = path.length; depth >= 0; depth--) {
    const span = spans[pathPointer(path.slice(0, depth))];
    if (span === undefined) continue;
    const { file, line, column } = span;
    const inText = offset !== undefined && depth === path.length;
    return inText ? placeInText(span, span.segments, offset) : { file, line, column };
  }
  return undefined;
}

/** Where the key of the value at `path` stands; where there is no such key, as {@linkcode spanAt}. */
export function keySpanAt(spans: SpanTable, path: DocumentPath): Span | undefined {
  return spans[pathPointer(path)]?.key ?? spanAt(spans, path);
}

/** Collects the places of a whole tree. */
export function documentPlaces(root: MappingTree): DocumentPlaces {
  const collector = new PlaceCollector();
  collector.add(root, "", undefined);
  return collector.places();
}

class PlaceCollector {
  readonly #spans: [string, ValueSpan][] = [];
  readonly #substituted: string[] = [];
  readonly #references: string[] = [];
  readonly #unresolved: string[] = [];
  readonly #parameterReferences: ParameterReference[] = [];

  places(): DocumentPlaces {
    return {
      spans: Object.fromEntries(this.#spans),
      substituted: this.#substituted,
      references: this.#references,
      unresolved: this.#unresolved,
      parameterReferences: this.#parameterReferences,
    };
  }

  add(tree: Tree, pointer: string, entry: Entry | undefined): void {
    const key = entry === undefined ? {} : { key: entry.key };
    if (tree.kind === "scalar") {
      this.#spans.push([pointer, { ...tree.span, ...key, ...this.#textPlaces(tree) }]);
      this.#marks(tree, pointer);
      return;
    }
    this.#spans.push([pointer, { ...tree.span, ...key }]);
    if (tree.kind === "list") {
      tree.items.forEach((item, index) => this.add(item, `${pointer}/${index}`, undefined));
      return;
    }
    for (const [name, child] of tree.entries) this.add(child.value, `${pointer}/${pointerStep(name)}`, child);
  }

  #textPlaces(tree: ScalarTree): Pick<ValueSpan, "textLines" | "segments"> {
    if (typeof tree.value !== "string") return {};
    const textLines = linePlaces(tree.span, tree.segments, tree.value);
    return {
      ...(textLines === undefined ? {} : { textLines }),
      ...(tree.segments === undefined ? {} : { segments: tree.segments }),
    };
  }

  #marks(tree: ScalarTree, pointer: string): void {
    if (tree.substituted === true) this.#substituted.push(pointer);
    if (tree.reference === true) this.#references.push(pointer);
    if (tree.unresolved === true) this.#unresolved.push(pointer);
    for (const { start, end, scope, name } of tree.pending ?? []) {
      if (scope === "parameters") this.#parameterReferences.push({ pointer, start, end, name });
    }
  }
}
