/** Owns the room that a store keeps on its disk for the moment when there is none: deleting needs space too. */

import type { Clock } from "../base/mod.ts";

/**
 * Size of the reserve: what the write-ahead log may hold when the disk fills up (its limit and one group) must still
 * fit into the database file, or neither a checkpoint nor a trim could ever be written.
 */
export const RESERVE_BYTES = 8 * 1024 * 1024;
/** Room beyond the reserve that must be free before writes are taken again, so that a full disk is not met at once. */
export const HEADROOM_BYTES = 2 * 1024 * 1024;
/** Least time between two tries to have the reserve again. */
const REGAIN_INTERVAL_MS = 1_000;
/** The reserve is written in pieces of this size. */
const PIECE_BYTES = 1024 * 1024;
/** The platform gives no more random bytes at once. */
const RANDOM_BYTES_MAX = 65_536;

/** A file of a fixed size beside the store. */
export class DiskReserve {
  readonly #path: string;
  readonly #bytes: number;
  readonly #clock: Clock;
  #held = false;
  #triedMs = -Infinity;

  /** @param bytes size of the reserve; 0 keeps none */
  constructor(path: string, bytes: number, clock: Clock) {
    this.#path = path;
    this.#bytes = bytes;
    this.#clock = clock;
  }

  /** Whether the disk has room: the reserve is there. */
  get held(): boolean {
    return this.#held;
  }

  /** Takes the reserve when the store is opened, without headroom: one that lies there is taken as it is. */
  take(): void {
    this.#held = this.#size() === this.#bytes || this.#fill(0);
  }

  /** Gives the reserve up, because the disk is full. */
  release(): void {
    this.#held = false;
    this.#triedMs = this.#clock.monotonic();
    this.#remove();
  }

  /** Tries to have the reserve again, at most once a second; answers whether it is held. */
  regain(): boolean {
    if (this.#held) return true;
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#triedMs < REGAIN_INTERVAL_MS) return false;
    this.#triedMs = nowMs;
    this.#held = this.#fill(HEADROOM_BYTES);
    return this.#held;
  }

  #size(): number {
    try {
      return Deno.statSync(this.#path).size;
    } catch {
      // Not there or not to be read: as good as absent.
      return this.#bytes === 0 ? 0 : -1;
    }
  }

  /** Writes the reserve and as much headroom, which it then gives back. Leaves nothing behind where there is no room. */
  #fill(headroomBytes: number): boolean {
    if (this.#bytes === 0) return true;
    try {
      using file = Deno.openSync(this.#path, { write: true, create: true, truncate: true });
      // Noise, because a file system that compresses would keep no room for anything else.
      const piece = new Uint8Array(PIECE_BYTES);
      for (let at = 0; at < piece.length; at += RANDOM_BYTES_MAX) {
        crypto.getRandomValues(piece.subarray(at, at + RANDOM_BYTES_MAX));
      }
      for (let written = 0; written < this.#bytes + headroomBytes;) {
        written += file.writeSync(piece.subarray(0, Math.min(PIECE_BYTES, this.#bytes + headroomBytes - written)));
      }
      file.truncateSync(this.#bytes);
      return true;
    } catch {
      // Whatever the reason, there is no reserve now; the store goes on refusing intake until there is.
      this.#remove();
      return false;
    }
  }

  #remove(): void {
    try {
      Deno.removeSync(this.#path);
    } catch {
      // Not there: nothing to give up.
    }
  }
}
