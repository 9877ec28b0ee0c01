/** Owns the rule that joins several lines into one message. */

import type { MultilineConfig } from "./file_config.ts";
import { compilePattern, subjectOf } from "./regexp_guard.ts";

/** Decides, line by line, where a group of lines ends. */
export class GroupRule {
  readonly linesMax: number;
  /** Bytes of the file, line ends included. */
  readonly bytesMax: number;
  /** How long a group waits for its next line while tailing; undefined where it waits until one comes. */
  readonly timeoutMs: number | undefined;
  readonly #pattern: RegExp;
  readonly #negate: boolean;
  readonly #after: boolean;

  /** @throws {SyntaxError} the pattern is no regular expression */
  constructor(config: MultilineConfig) {
    this.linesMax = config.max_lines;
    this.bytesMax = config.max_bytes;
    this.timeoutMs = config.timeout_ms === 0 ? undefined : config.timeout_ms;
    this.#pattern = compilePattern(config.pattern);
    this.#negate = config.negate;
    this.#after = config.match === "after";
  }

  /** Whether the line is one that is joined to another. */
  joins(line: string): boolean {
    return this.#pattern.test(subjectOf(line)) !== this.#negate;
  }

  /** Whether a line begins a new group behind the open one. */
  begins(joins: boolean): boolean {
    return this.#after && !joins;
  }

  /** Whether a line is the last of its group. */
  ends(joins: boolean): boolean {
    return !this.#after && !joins;
  }
}
