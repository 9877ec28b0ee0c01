/** Owns the way from an offset in a script's text to its line and column. */

/** A line and column, both from 1; columns count code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The lines of one text. */
export class Positions {
  readonly #source: string;
  readonly #lineStarts: readonly number[];

  constructor(source: string) {
    this.#source = source;
    const starts = [0];
    for (let at = source.indexOf("\n"); at !== -1; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
  }

  /** Where the UTF-16 offset lies. */
  at(offset: number): Position {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const before = this.#source.slice(this.#lineStarts[low] ?? 0, offset);
    let column = 1;
    for (const _ of before) column++;
    return { line: low + 1, column };
  }
}
