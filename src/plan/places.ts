/** Owns the way from a path in the document to the place a finding is shown at. */

import { pathPointer, pointerSteps } from "../base/mod.ts";
import { type DocumentPath, keySpanAt, type PipelineDocument, spanAt } from "../config/mod.ts";
import type { Span } from "../diagnostics/mod.ts";

/** Finds where the values of one document stand in the files the user wrote. */
export class Places {
  readonly #document: PipelineDocument;
  readonly #unresolved: ReadonlySet<string>;

  constructor(document: PipelineDocument) {
    this.#document = document;
    this.#unresolved = new Set(document.unresolved);
  }

  /** Whether the user wrote a value at `path`; defaults have no place. */
  has(path: DocumentPath): boolean {
    return this.#document.spans[pathPointer(path)] !== undefined;
  }

  /** Whether the value at `path` holds a reference that the loader could not resolve: what it says is not meant. */
  isUnresolved(path: DocumentPath): boolean {
    return this.#unresolved.has(pathPointer(path));
  }

  /** Where the value at `path` stands; for a value that is not there, where the nearest value around it stands. */
  value(path: DocumentPath): Span {
    return spanAt(this.#document.spans, path) ?? this.#top();
  }

  /** Where the key of the value at `path` stands; the value's own place where it has no key. */
  key(path: DocumentPath): Span {
    return keySpanAt(this.#document.spans, path) ?? this.#top();
  }

  /** Where the value at `path` stands; for one that is not there, the key of what should hold it. */
  field(path: DocumentPath): Span {
    let held = path;
    while (held.length > 0 && !this.has(held)) held = held.slice(0, -1);
    return held.length < path.length ? this.key(held) : this.value(held);
  }

  /** Where the character at `offset` (UTF-16 units) of the string at `path` stands. */
  character(path: DocumentPath, offset: number): Span {
    return spanAt(this.#document.spans, path, offset) ?? this.#top();
  }

  /** The same for a string that is told by its pointer. */
  inPointer(pointer: string, offset: number): Span {
    return this.character(pointerSteps(pointer), offset);
  }

  #top(): Span {
    return { file: this.#document.file, line: 1, column: 1 };
  }
}
