/** Owns the reading of a store from outside, page by page, beside whoever may be writing it. */

import type { DatabaseSync } from "node:sqlite";
import { EventboatError } from "../diagnostics/mod.ts";
import type { Segment } from "../message/mod.ts";
import type { DeadLetter, DeadLetterQuery, StoreStats } from "./contract.ts";
import { type DeadLetterCount, LetterReader } from "./letter_reader.ts";
import { openForLooking } from "./offline_store.ts";
import { SqliteSegments } from "./sqlite_segments.ts";
import { readStats } from "./sqlite_stats.ts";
import { storeFailure } from "./store_failure.ts";
import { loadLetter } from "./stored_letter.ts";
import { loadSegment } from "./stored_segment.ts";

/**
 * A store's file, opened read-only; it stays open until it is disposed of. Each page is read by itself, so that a long
 * look holds up nobody: letters that come or go between two pages are seen or not. Every method throws `store_corrupt`
 * where it meets damage.
 */
export class StoreReader implements Disposable {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #letters: LetterReader;
  readonly #segments: SqliteSegments;

  /**
   * @throws {EventboatError} `store_open` when there is no store, `store_version` when it is a newer program's,
   * `store_corrupt` or `store_readonly` when it cannot be read.
   */
  constructor(path: string) {
    this.#path = path;
    this.#db = openForLooking(path);
    this.#letters = new LetterReader(this.#db);
    this.#segments = new SqliteSegments(this.#db);
  }

  /** As a store's own: fewer than the limit where they are large, none where there are no more. */
  readDeadLetters(query: DeadLetterQuery): readonly DeadLetter[] {
    return this.#read(() =>
      this.#letters.read(query).map((stored) => {
        try {
          return loadLetter(stored);
        } catch (cause) {
          const message = `dead letter ${stored.id} of the store ${this.#path} has metadata that cannot be read`;
          throw new EventboatError("store_corrupt", message, { cause });
        }
      })
    );
  }

  /** How many letters a query chooses, by node and class, most numerous first. */
  countDeadLetters(query: Omit<DeadLetterQuery, "limit" | "afterId" | "ids">): readonly DeadLetterCount[] {
    return this.#read(() => this.#letters.count(query));
  }

  /** As a store's own. */
  readSegments(afterSeq: number, bytesMax: number): readonly Segment[] {
    return this.#read(() => this.#segments.read(afterSeq, bytesMax, this.#path).map(loadSegment));
  }

  stats(): StoreStats {
    return this.#read(() => readStats(this.#db, this.#path));
  }

  [Symbol.dispose](): void {
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
