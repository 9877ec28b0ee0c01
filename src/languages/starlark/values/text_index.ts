/** Owns the counting of code points: the length and the positions of a script's strings. */

const SURROGATE_REGEXP = /[\ud800-\udfff]/;

/** One text with its code points. A lone surrogate counts as one. */
export class TextIndex {
  readonly text: string;
  /** The code points one by one; null when each is one UTF-16 unit. */
  readonly #points: readonly string[] | null;

  constructor(text: string) {
    this.text = text;
    this.#points = SURROGATE_REGEXP.test(text) ? [...text] : null;
  }

  /** Number of code points. */
  get length(): number {
    return this.#points?.length ?? this.text.length;
  }

  /** The code point at a position within the text. */
  at(position: number): string {
    return this.#points === null ? this.text.charAt(position) : this.#points[position] ?? "";
  }

  /** The code points of `[start, end)`. */
  slice(start: number, end: number): string {
    return this.#points === null ? this.text.slice(start, end) : this.#points.slice(start, end).join("");
  }

  /** All code points. */
  points(): readonly string[] {
    return this.#points ?? this.text.split("");
  }

  /** The UTF-16 offset of a position. */
  offset(position: number): number {
    return this.#points === null ? position : this.#points.slice(0, position).join("").length;
  }

  /** The position of a UTF-16 offset; -1 stays -1. */
  position(offset: number): number {
    if (this.#points === null || offset <= 0) return offset;
    return [...this.text.slice(0, offset)].length;
  }
}
