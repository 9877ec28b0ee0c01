/** Owns the making of a text from pieces of another and replaced references, with the places of its characters. */

import type { TextSegment } from "./document.ts";
import { placeInText, segmentAt, segmentsUpTo } from "./text_places.ts";
import type { ScalarTree } from "./tree.ts";

/** Builds a scalar's new text. Offsets given are those of the old text. */
export class TextBuilder {
  readonly #old: ScalarTree;
  readonly #segments: TextSegment[] = [];
  #text = "";

  constructor(old: ScalarTree) {
    this.#old = old;
  }

  /** UTF-16 units so far. */
  get length(): number {
    return this.#text.length;
  }

  /** Takes over characters of the old text. */
  copy(text: string, start: number): void {
    if (text === "") return;
    this.#segments.push({ offset: this.#text.length, ...this.#place(start), ...this.#fixed(start) });
    const old = this.#old.segments ?? [];
    for (const segment of old.slice(segmentsUpTo(old, start), segmentsUpTo(old, start + text.length))) {
      this.#segments.push({ ...segment, offset: this.#text.length + segment.offset - start });
    }
    this.#text += text;
  }

  /** Puts other characters in for a reference of the old text: they all stand where the reference stands. */
  replace(text: string, start: number): void {
    this.#segments.push({ offset: this.#text.length, ...this.#place(start), fixed: true });
    this.#text += text;
  }

  /** The new scalar. */
  scalar(): ScalarTree {
    const { pending: _, ...kept } = this.#old;
    return { ...kept, value: this.#text, segments: this.#segments };
  }

  #place(start: number): { readonly line: number; readonly column: number } {
    const { line, column } = placeInText(this.#old.span, this.#old.segments, start);
    return { line, column };
  }

  #fixed(start: number): { readonly fixed?: true } {
    const segment = segmentAt(this.#old.segments ?? [], start);
    return segment?.fixed === true ? { fixed: true } : {};
  }
}
