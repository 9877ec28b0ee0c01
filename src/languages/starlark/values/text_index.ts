/** Owns the counting of code points: the length and the positions of a script's strings. */

const SURROGATE_REGEXP = /[\ud800-\udfff]/;
/** Code points between two notes of an offset: finding one walks at most so far. */
const NOTE_DISTANCE = 32;

/** One text with its code points. A lone surrogate counts as one. */
export class TextIndex {
  readonly text: string;
  /** Number of code points. */
  readonly length: number;
  /** Offset of every 32nd code point; null when each is one UTF-16 unit. */
  readonly #notes: readonly number[] | null;

  constructor(text: string) {
    this.text = text;
    if (!SURROGATE_REGEXP.test(text)) {
      this.length = text.length;
      this.#notes = null;
      return;
    }
    const notes: number[] = [];
    let count = 0;
    for (let offset = 0; offset < text.length; offset += unitsAt(text, offset)) {
      if (count % NOTE_DISTANCE === 0) notes.push(offset);
      count++;
    }
    this.length = count;
    this.#notes = notes;
  }

  /** The code point at a position within the text. */
  at(position: number): string {
    if (this.#notes === null) return this.text.charAt(position);
    const offset = this.offset(position);
    return this.text.slice(offset, offset + unitsAt(this.text, offset));
  }

  /** The code points of `[start, end)`. */
  slice(start: number, end: number): string {
    return this.text.slice(this.offset(start), this.offset(end));
  }

  /** All code points. */
  points(): readonly string[] {
    return this.#notes === null ? this.text.split("") : [...this.text];
  }

  /** The UTF-16 offset of a position, which may be the text's end. */
  offset(position: number): number {
    if (this.#notes === null) return position;
    if (position >= this.length) return this.text.length;
    let offset = this.#notes[Math.floor(position / NOTE_DISTANCE)] ?? 0;
    for (let walked = position % NOTE_DISTANCE; walked > 0; walked--) offset += unitsAt(this.text, offset);
    return offset;
  }

  /** The position of a UTF-16 offset where a code point begins; -1 stays -1. */
  position(offset: number): number {
    if (this.#notes === null || offset <= 0) return offset;
    let low = 0;
    let high = this.#notes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#notes[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    let position = low * NOTE_DISTANCE;
    for (let at = this.#notes[low] ?? 0; at < offset; at += unitsAt(this.text, at)) position++;
    return position;
  }
}

/** Units of the code point at an offset. */
function unitsAt(text: string, offset: number): number {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}
