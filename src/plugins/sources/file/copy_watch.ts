/** Owns the recognition of copies: a log that is rotated by copying and truncating must not be read twice. */

import { HEAD_BYTES, headOf } from "./fingerprint.ts";
import type { Position } from "./positions.ts";
import type { TrackedFile } from "./tracked_file.ts";

interface Hold {
  readonly firstMs: number;
  stillMs: number;
  size: number;
}

interface Abandoned extends Position {
  readonly sinceMs: number;
}

/** Contents that are remembered after their file lost them. */
const ABANDONED_MAX = 128;
/** How long after a truncation its copy may turn up. */
const ABANDONED_MS = 60_000;
/** How long a file that begins like another one must not change before it counts as a file of its own. */
const HOLD_MS = 1000;
/** How long a copy may take to be written. */
const HOLD_MAX_MS = 30_000;

/**
 * A copy of a log shows in two ways. After the truncation, a new file holds what the old one held up to the position
 * that was read: it goes on from there. Before it, a new file begins like a file that is being read: it is held back a
 * little, until the truncation tells, or until it has stood still long enough to be a file of its own.
 */
export class CopyWatch {
  #abandoned: Abandoned[] = [];
  readonly #holds = new Map<string, Hold>();

  /** A file no longer holds what was read up to this position. */
  abandon({ incarnation, place }: Position, nowMs: number): void {
    if (place.offset === 0) return;
    this.#abandoned.push({ incarnation, place, sinceMs: nowMs });
    if (this.#abandoned.length > ABANDONED_MAX) this.#abandoned.shift();
  }

  /**
   * Lets a new file go on where the file that it is a copy of was left; false when it is no copy of one.
   * @throws {FileReadError}
   */
  adopt(file: TrackedFile, nowMs: number): boolean {
    this.#abandoned = this.#abandoned.filter(({ sinceMs }) => nowMs - sinceMs < ABANDONED_MS);
    for (const [index, position] of this.#abandoned.entries()) {
      if (file.size < position.place.offset || !file.resume(position, file.incarnation)) continue;
      this.#abandoned.splice(index, 1);
      this.#holds.delete(file.incarnation.key);
      return true;
    }
    return false;
  }

  /**
   * Whether a new file may be a copy in the making of one of `others`, and is to be looked at again later.
   * @throws {FileReadError}
   */
  holds(file: TrackedFile, others: Iterable<TrackedFile>, nowMs: number): boolean {
    const { key } = file.incarnation;
    let hold = this.#holds.get(key);
    if (hold === undefined) {
      if (!beginsLikeOne(file, others)) return false;
      hold = { firstMs: nowMs, stillMs: nowMs, size: file.size };
      this.#holds.set(key, hold);
    }
    if (hold.size !== file.size) {
      hold.size = file.size;
      hold.stillMs = nowMs;
    }
    if (nowMs - hold.stillMs < HOLD_MS && nowMs - hold.firstMs < HOLD_MAX_MS) return true;
    this.#holds.delete(key);
    return false;
  }

  /** Forgets what was held and is gone. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#holds.keys()) if (!keys.has(key)) this.#holds.delete(key);
  }
}

function beginsLikeOne(file: TrackedFile, others: Iterable<TrackedFile>): boolean {
  const buffer = new Uint8Array(HEAD_BYTES);
  let length: number | undefined;
  const hashes = new Map<number, number>();
  for (const { place, incarnation: { head } } of others) {
    if (place.offset === 0 || head.length === 0 || head.length > file.size) continue;
    length ??= file.readHead(buffer);
    if (head.length > length) continue;
    let hash = hashes.get(head.length);
    if (hash === undefined) hashes.set(head.length, hash = headOf(buffer, head.length).hash);
    if (hash === head.hash) return true;
  }
  return false;
}
