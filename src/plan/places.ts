/** Owns the way from a path in the document to the place a finding is shown at. */

import { type DocumentPath, type PipelineDocument, spanAt, type ValueSpan } from "../config/mod.ts";
import type { Span } from "../diagnostics/mod.ts";

/** Finds where the values of one document stand in the files the user wrote. */
export class Places {
  readonly #document: PipelineDocument;

  constructor(document: PipelineDocument) {
    this.#document = document;
  }

  /** Where the value at `path` stands; for a value that is not there, where the nearest value around it stands. */
  value(path: DocumentPath): Span {
    const found = this.#nearest(path);
    return found.span;
  }

  /** Where the key of the value at `path` stands; the value's own place where it has no key. */
  key(path: DocumentPath): Span {
    const { span } = this.#nearest(path);
    return span.key ?? span;
  }

  /**
   * Where a field stands: a scalar's value, a mapping's or list's key (its value may begin a line further down), and
   * for a field that is not there what should hold it.
   */
  field(path: DocumentPath): Span {
    const { span, exact } = this.#nearest(path);
    if (!exact) return span.key ?? span;
    const value = `${pointerOf(path)}/`;
    const container = Object.keys(this.#document.spans).some((pointer) => pointer.startsWith(value));
    return container ? span.key ?? span : span;
  }

  /** Whether the user wrote a value at `path`; defaults have no place. */
  has(path: DocumentPath): boolean {
    return this.#document.spans[pointerOf(path)] !== undefined;
  }

  /** Where the character at `offset` (UTF-16 units) of the string at `path` stands. */
  character(path: DocumentPath, offset: number): Span {
    return spanAt(this.#nearest(path).span, offset);
  }

  /** The same for a string that is told by its pointer. */
  inPointer(pointer: string, offset: number): Span {
    return spanAt(this.#document.spans[pointer] ?? this.#nearest([]).span, offset);
  }

  #nearest(path: DocumentPath): { readonly span: ValueSpan; readonly exact: boolean } {
    for (let depth = path.length; depth >= 0; depth--) {
      const span = this.#document.spans[pointerOf(path.slice(0, depth))];
      if (span !== undefined) return { span, exact: depth === path.length };
    }
    return { span: { file: this.#document.file, line: 1, column: 1 }, exact: false };
  }
}

/** The RFC 6901 pointer of a path. */
export function pointerOf(path: DocumentPath): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
