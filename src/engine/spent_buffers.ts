/** Owns the early end of payload buffers: memory that the collector would find much later is given back at once. */

/**
 * Below this a buffer is left to the collector: freeing costs a microsecond, and only large ones pile up. What the
 * collector sees of a buffer is a small object, which it is in no hurry to look for.
 */
const FREED_BYTES_MIN = 16 * 1024;

/** Frees what was admitted once all of it has committed; nothing may look at it then. */
export class SpentBuffers {
  readonly #onTheWay = new WeakSet<ArrayBuffer>();
  #isKept = false;

  /** A plugin's call was left to itself and may still read what it was given: from now on the collector decides. */
  keep(): void {
    this.#isKept = true;
  }

  /**
   * A payload comes in. A source that gives the same bytes twice, against the contract, would find them gone the second
   * time, and so would a message that is still in flight: from then on the collector decides.
   */
  comes({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
    if (this.#isKept || byteLength < FREED_BYTES_MIN) return;
    if (this.#onTheWay.has(buffer)) this.keep();
    else this.#onTheWay.add(buffer);
  }

  /** A payload was turned away: the source may give it once more. */
  turnedAway({ buffer }: Uint8Array<ArrayBuffer>): void {
    this.#onTheWay.delete(buffer);
  }

  /** Frees the memory of a payload that has it for itself. */
  free({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
    if (this.#isKept || byteLength < FREED_BYTES_MIN || byteLength !== buffer.byteLength) return;
    buffer.transfer(0);
  }
}
