/** Owns the early end of payload buffers: memory that the collector would find much later is given back at once. */

/**
 * Below this a buffer is left to the collector: freeing costs a microsecond, and only large ones pile up. What the
 * collector sees of a buffer is a small object, which it is in no hurry to look for.
 */
const FREED_BYTES_MIN = 16 * 1024;

/** Frees what was admitted once all of it has committed; nothing may look at it then. */
export class SpentBuffers {
  #isKept = false;

  /** A plugin's call was left to itself and may still read what it was given: from now on the collector decides. */
  keep(): void {
    this.#isKept = true;
  }

  /** Frees the memory of a payload that has it for itself. */
  free({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
    if (this.#isKept || byteLength < FREED_BYTES_MIN || byteLength !== buffer.byteLength) return;
    buffer.transfer(0);
  }
}
