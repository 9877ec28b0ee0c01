/** Owns the rule that joins lines where a message of the source's decoder takes several. */

import type { LineFraming } from "../../../plugin/mod.ts";
import { MULTILINE_BYTES_DEFAULT, MULTILINE_LINES_DEFAULT, MULTILINE_TIMEOUT_MS_DEFAULT } from "./file_config.ts";
import type { LineGroupRule } from "./line_group.ts";

/** Joins lines as a codec says: a line break in quotes, for instance. Its limits are the defaults of `multiline`. */
export class FramingRule implements LineGroupRule {
  readonly linesMax = MULTILINE_LINES_DEFAULT;
  readonly bytesMax = MULTILINE_BYTES_DEFAULT;
  readonly timeoutMs = MULTILINE_TIMEOUT_MS_DEFAULT;
  readonly #framing: LineFraming;
  #isOpen = false;

  constructor(framing: LineFraming) {
    this.#framing = framing;
  }

  isPlain(bytes: Uint8Array, from: number): boolean {
    return bytes.indexOf(this.#framing.mark, from) < 0;
  }

  reset(): void {
    this.#isOpen = false;
  }

  joins(line: string): boolean {
    this.#isOpen = this.#framing.isOpenAfter(line, this.#isOpen);
    return this.#isOpen;
  }

  /** A line that goes on says so before the next one is read. */
  begins(): boolean {
    return false;
  }

  ends(joins: boolean): boolean {
    return !joins;
  }
}
