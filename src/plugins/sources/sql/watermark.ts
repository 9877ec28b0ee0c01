/** Owns how far the source is committed: places behind messages, kept until these are. */

import type { Position } from "./key_tuple.ts";

interface Passage {
  readonly lastSrcSeq: number;
  readonly position: Position;
}

/** Follows the numbers given to messages. The engine bounds how many are under way, and so how many are kept here. */
export class Watermark {
  #passages: Passage[] = [];

  /** Messages up to this number were handed over, and reading may go on behind them. */
  pass(lastSrcSeq: number, position: Position): void {
    this.#passages.push({ lastSrcSeq, position });
  }

  /** Everything through this number is committed: the place that is reached, undefined where no new one is. */
  commit(throughSrcSeq: number): Position | undefined {
    let count = 0;
    while (count < this.#passages.length && (this.#passages[count]?.lastSrcSeq ?? Infinity) <= throughSrcSeq) count++;
    const reached = this.#passages[count - 1]?.position;
    this.#passages = this.#passages.slice(count);
    return reached;
  }
}
