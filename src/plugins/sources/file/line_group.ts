/** Owns the rule that joins several lines into one message. */

import type { MultilineConfig } from "./file_config.ts";
import { compilePattern, subjectOf } from "./regexp_guard.ts";

/** Decides, line by line, where a group of lines ends. */
export interface LineGroupRule {
  readonly linesMax: number;
  /** Bytes of the file, line ends included. */
  readonly bytesMax: number;
  /** How long a group waits for its next line while tailing; undefined where it waits until one comes. */
  readonly timeoutMs: number | undefined;
  /** Whether every line of these bytes, from an offset on, is a group of its own. */
  isPlain(bytes: Uint8Array, from: number): boolean;
  /** A new group begins. */
  reset(): void;
  /** Whether the line is one that is joined to another. Asked once for each line of a group, in order. */
  joins(line: string): boolean;
  /** Whether a line begins a new group behind the open one. */
  begins(joins: boolean): boolean;
  /** Whether a line is the last of its group. */
  ends(joins: boolean): boolean;
}

/** The rule that a `multiline` block writes down: a pattern says which lines are joined. */
export class GroupRule implements LineGroupRule {
  readonly linesMax: number;
  readonly bytesMax: number;
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

  isPlain(): boolean {
    return false;
  }

  reset(): void {}

  joins(line: string): boolean {
    return this.#pattern.test(subjectOf(line)) !== this.#negate;
  }

  begins(joins: boolean): boolean {
    return this.#after && !joins;
  }

  ends(joins: boolean): boolean {
    return !this.#after && !joins;
  }
}
