/** Owns a canvas of characters: boxes, lines that know whose they are, texts. */

/** Directions in which a line leaves a cell. */
const UP = 1;
const DOWN = 2;
const LEFT = 4;
const RIGHT = 8;

const LINE_CHARACTERS: { readonly [directions: number]: string } = {
  [UP]: "│",
  [DOWN]: "│",
  [UP | DOWN]: "│",
  [LEFT]: "─",
  [RIGHT]: "─",
  [LEFT | RIGHT]: "─",
  [DOWN | RIGHT]: "┌",
  [DOWN | LEFT]: "┐",
  [UP | RIGHT]: "└",
  [UP | LEFT]: "┘",
  [UP | DOWN | RIGHT]: "├",
  [UP | DOWN | LEFT]: "┤",
  [DOWN | LEFT | RIGHT]: "┬",
  [UP | LEFT | RIGHT]: "┴",
  [UP | DOWN | LEFT | RIGHT]: "┼",
};

interface LineCell {
  /** Whose vertical line this is. */
  vertical?: string;
  horizontal?: string;
  directions: number;
}

/** Characters in rows and columns, both from 0. */
export class Canvas {
  readonly #texts = new Map<string, string>();
  readonly #lines = new Map<string, LineCell>();
  #rows = 0;
  #columns = 0;

  /** A line down a column, from one row to another, both included; it goes on at the ends it leaves open. */
  down(column: number, [from, to]: readonly [number, number], owner: string): void {
    for (let row = from; row <= to; row++) {
      const cell = this.#line(row, column);
      cell.vertical = owner;
      if (row > from) cell.directions |= UP;
      if (row < to) cell.directions |= DOWN;
    }
  }

  /** A line along a row, from one column to another, both included. */
  along(row: number, [from, to]: readonly [number, number], owner: string): void {
    for (let column = from; column <= to; column++) {
      const cell = this.#line(row, column);
      cell.horizontal = owner;
      if (column > from) cell.directions |= LEFT;
      if (column < to) cell.directions |= RIGHT;
    }
  }

  /** A text over whatever is there. */
  text(row: number, column: number, text: string): void {
    [...text].forEach((character, i) => {
      this.#grow(row, column + i);
      this.#texts.set(`${row},${column + i}`, character);
    });
  }

  /** A box with a line of text in each row between its borders, each in the middle. */
  box(row: number, column: number, width: number, texts: readonly string[]): void {
    this.text(row, column, `┌${"─".repeat(width - 2)}┐`);
    texts.forEach((text, i) => {
      const room = width - 2 - [...text].length;
      const before = Math.floor(room / 2);
      this.text(row + 1 + i, column, `│${" ".repeat(before)}${text}${" ".repeat(room - before)}│`);
    });
    this.text(row + 1 + texts.length, column, `└${"─".repeat(width - 2)}┘`);
  }

  /** Columns in use. */
  get columns(): number {
    return this.#columns;
  }

  /** The rows as lines, without blanks at their ends. */
  lines(): readonly string[] {
    return Array.from({ length: this.#rows }, (_, row) => {
      const cells = Array.from({ length: this.#columns }, (_, column) => this.#character(`${row},${column}`));
      return cells.join("").trimEnd();
    });
  }

  #character(key: string): string {
    const text = this.#texts.get(key);
    const line = this.#lines.get(key);
    if (text !== undefined || line === undefined) return text ?? " ";
    const crosses = line.vertical !== undefined && line.horizontal !== undefined && line.vertical !== line.horizontal;
    // Lines that only cross do not touch: the one that goes down passes over the other.
    return crosses ? "│" : LINE_CHARACTERS[line.directions] ?? "│";
  }

  #line(row: number, column: number): LineCell {
    this.#grow(row, column);
    const key = `${row},${column}`;
    const cell = this.#lines.get(key) ?? { directions: 0 };
    this.#lines.set(key, cell);
    return cell;
  }

  #grow(row: number, column: number): void {
    this.#rows = Math.max(this.#rows, row + 1);
    this.#columns = Math.max(this.#columns, column + 1);
  }
}
