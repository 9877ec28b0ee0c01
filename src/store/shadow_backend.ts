/** Owns the shadow of a store: what was there is read from its file, what is written stays in memory. */

import type { DatabaseSync } from "node:sqlite";
import type { StoreBackend, WriteGroup } from "./backend.ts";
import type { DeadLetterMark, DeadLetterQuery, StoreStart, StoreStats } from "./contract.ts";
import { LetterReader } from "./letter_reader.ts";
import { MemoryBackend, MemoryDisk } from "./memory_backend.ts";
import { openForLooking } from "./offline_store.ts";
import { SqliteSegments } from "./sqlite_segments.ts";
import { readStart, readStats } from "./sqlite_stats.ts";
import { storeFailure } from "./store_failure.ts";
import type { StoredLetter, StoredLetterRow } from "./stored_letter.ts";
import type { StoredSegment } from "./stored_segment.ts";

/**
 * A backend over a store's file that neither locks nor changes it: whoever writes the store goes on. Nothing of it is
 * uncommitted, its sources have no state; what is deleted is only what was written through this backend.
 */
export class ShadowBackend implements StoreBackend {
  readonly start: StoreStart;
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #letters: LetterReader;
  readonly #segments: SqliteSegments;
  readonly #memory: MemoryBackend;

  /** Throws what {@linkcode openForLooking} throws. */
  constructor(path: string) {
    this.#path = path;
    this.#db = openForLooking(path);
    try {
      this.#letters = new LetterReader(this.#db);
      this.#segments = new SqliteSegments(this.#db);
      const disk = new MemoryDisk();
      disk.checkpoint = readStart(this.#db).nextSeq - 1;
      this.#memory = new MemoryBackend(disk);
      this.start = this.#memory.start;
    } catch (caught) {
      this.#db.close();
      throw storeFailure(caught, "open", path);
    }
  }

  commit(group: WriteGroup): void {
    this.#memory.commit(group);
  }

  writeDeadLetters(letters: readonly StoredLetter[], lastVoid: number): void {
    this.#memory.writeDeadLetters(letters, lastVoid);
  }

  readSegments(afterSeq: number, bytesMax: number): StoredSegment[] {
    return this.#read(() => this.#segments.read(afterSeq, bytesMax, this.#path));
  }

  trim(seq: number): void {
    this.#memory.trim(seq);
  }

  sweepDeadLetters(beforeMs: number, rowsMax: number): number {
    return this.#memory.sweepDeadLetters(beforeMs, rowsMax);
  }

  readDeadLetters(query: DeadLetterQuery): StoredLetterRow[] {
    return this.#read(() => this.#letters.read(query));
  }

  deleteDeadLetters(ids: readonly number[]): number {
    return this.#memory.deleteDeadLetters(ids);
  }

  discardDeadLetters(marks: readonly DeadLetterMark[]): number {
    return this.#memory.discardDeadLetters(marks);
  }

  stats(): StoreStats {
    return this.#read(() => readStats(this.#db, this.#path));
  }

  maintain(): void {
    // What has passed is not looked at again: only what is not committed must be held.
    this.#memory.trim(this.#memory.stats().checkpoint);
  }

  close(): void {
    this.#db.close();
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (caught) {
      throw storeFailure(caught, "read", this.#path);
    }
  }
}
