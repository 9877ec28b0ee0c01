/** Owns the gathering of typed lines into whole statements. */

import { type StarlarkLines, starlarkLines } from "../../languages/mod.ts";

/** A line that belongs to the block above it: indented, another branch of it, or a comment. */
const BLOCK_GOES_ON_REGEXP = /^(?:[ \t]|#|(?:elif|else)\b)/;

/** Gathers lines. A block ends at a line that is not part of it. */
export class StatementLines {
  readonly #blankLineEnds: boolean;
  #lines: string[] = [];
  #state: StarlarkLines = "whole";

  /** `blankLineEnds`: a blank line ends a block too, as somebody who types needs it. */
  constructor({ blankLineEnds }: { readonly blankLineEnds: boolean }) {
    this.#blankLineEnds = blankLineEnds;
  }

  /** Whether lines wait for more. */
  get isOpen(): boolean {
    return this.#lines.length > 0;
  }

  /** Takes a line without its end and gives the statements that are whole now, each with its newline. */
  add(line: string): string[] {
    const isBlank = line.trim() === "";
    if (!this.isOpen && isBlank) return [];
    const whole: string[] = [];
    if (this.isOpen && this.#state === "block") {
      if (isBlank && this.#blankLineEnds) return this.end();
      if (!isBlank && !BLOCK_GOES_ON_REGEXP.test(line)) whole.push(...this.end());
    }
    this.#lines.push(line);
    this.#state = starlarkLines(this.#lines.join("\n"));
    if (this.#state === "whole") whole.push(...this.end());
    return whole;
  }

  /** No line comes any more: what waits is all there is. */
  end(): string[] {
    if (!this.isOpen) return [];
    const text = `${this.#lines.join("\n").trimEnd()}\n`;
    this.drop();
    return [text];
  }

  /** Forgets what waits. */
  drop(): void {
    this.#lines = [];
    this.#state = "whole";
  }
}
