/** Owns the live status line: one line at the foot of a terminal that log lines do not tear apart. */

const ERASE_LINE = "\r\x1b[2K";

/** What the line needs of a terminal. */
export interface StatusTerminal {
  err(text: string): void;
  readonly errIsTerminal: boolean;
  errColumns(): number;
}

/** Keeps one line at the foot of the terminal; does nothing where stderr is none. */
export class StatusLine implements Disposable {
  readonly #terminal: StatusTerminal;
  #shown = "";

  constructor(terminal: StatusTerminal) {
    this.#terminal = terminal;
  }

  /** Replaces the line. */
  show(text: string): void {
    if (!this.#terminal.errIsTerminal) return;
    // A line that wraps could not be erased again.
    this.#shown = text.slice(0, Math.max(0, this.#terminal.errColumns() - 1));
    this.#terminal.err(`${ERASE_LINE}${this.#shown}`);
  }

  /** Writes a whole line (with its newline) above the status line. */
  log(line: string): void {
    if (this.#shown === "") this.#terminal.err(line);
    else this.#terminal.err(`${ERASE_LINE}${line}${this.#shown}`);
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#shown !== "") this.#terminal.err(ERASE_LINE);
    this.#shown = "";
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}
