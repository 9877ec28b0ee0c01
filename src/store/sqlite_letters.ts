/** Owns the rows of dead letters: how one is written, chosen, read and swept. */

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { DEAD_LETTER_PAGE_BYTES_MAX } from "./backend.ts";
import type { DeadLetterClass, DeadLetterQuery } from "./contract.ts";
import { blob, type Row } from "./sqlite_segments.ts";
import type { StoredLetter, StoredLetterRow } from "./stored_letter.ts";

/** Columns of a dead letter's row but its id, in the order in which they are written. */
export const LETTER_COLUMNS = [
  "seq",
  "node",
  "edge",
  "branch",
  "message_id",
  "time_ms",
  "reason",
  "class",
  "backtrace",
  "run_id",
  "attempts",
  "source",
  "codec",
  "meta",
  "original",
  "bytes",
] as const;
/** Parameters of one statement at most: ids are given in slices of as many. */
const IDS_PER_STATEMENT = 500;

/** Writes and reads dead letters. */
export class SqliteLetters {
  readonly #db: DatabaseSync;
  readonly #write: StatementSync;
  readonly #one: StatementSync;
  readonly #sweep: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    const updates = LETTER_COLUMNS.slice(4).map((column) => `${column} = excluded.${column}`);
    this.#write = db.prepare(
      `INSERT INTO dead_letter (${LETTER_COLUMNS.join()}) VALUES (${LETTER_COLUMNS.map(() => "?").join()})
       ON CONFLICT (seq, node, edge, branch) DO UPDATE SET ${updates.join()}`,
    );
    this.#one = db.prepare(`SELECT id, ${LETTER_COLUMNS.join()} FROM dead_letter WHERE id = ?`);
    this.#sweep = db.prepare(
      "DELETE FROM dead_letter WHERE id IN (SELECT id FROM dead_letter WHERE time_ms < ? ORDER BY time_ms LIMIT ?)",
    );
  }

  write(letter: StoredLetter): void {
    this.#write.run(
      letter.seq,
      letter.node,
      letter.edge,
      letter.branch,
      letter.messageId,
      letter.timeMs,
      letter.reason,
      letter.class,
      letter.backtrace ?? null,
      letter.runId ?? null,
      letter.attempts,
      letter.source,
      letter.codec,
      letter.meta,
      letter.original ?? null,
      letter.bytes,
    );
  }

  read(query: DeadLetterQuery): StoredLetterRow[] {
    const ids = query.ids === undefined ? undefined : [...new Set(query.ids)].sort((a, b) => a - b);
    if (ids === undefined) return this.#select(query, undefined);
    const read: StoredLetterRow[] = [];
    for (let at = 0; at < ids.length && read.length < query.limit; at += IDS_PER_STATEMENT) {
      const slice = ids.slice(at, at + IDS_PER_STATEMENT);
      read.push(...this.#select({ ...query, limit: query.limit - read.length }, slice));
    }
    return read;
  }

  delete(ids: readonly number[]): number {
    let deleted = 0;
    for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT) {
      const slice = ids.slice(at, at + IDS_PER_STATEMENT);
      const statement = this.#db.prepare(`DELETE FROM dead_letter WHERE id IN (${slice.map(() => "?").join()})`);
      deleted += Number(statement.run(...slice).changes);
    }
    return deleted;
  }

  sweep(beforeMs: number, rowsMax: number): number {
    return Number(this.#sweep.run(beforeMs, rowsMax).changes);
  }

  #select(query: DeadLetterQuery, ids: readonly number[] | undefined): StoredLetterRow[] {
    const conditions = ["id > ?"];
    const values: SQLInputValue[] = [query.afterId ?? 0];
    const require = (condition: string, ...given: readonly SQLInputValue[]) => {
      conditions.push(condition);
      values.push(...given);
    };
    if (query.sinceMs !== undefined) require("time_ms >= ?", query.sinceMs);
    if (query.runId !== undefined) require("run_id = ?", query.runId);
    if (ids !== undefined) require(`id IN (${ids.map(() => "?").join()})`, ...ids);
    // Ids first, letters one by one: a page of large ones must fit the heap, and the platform's `iterate` ends at a
    // damaged page as if there were nothing more.
    const chosen = this.#db.prepare(`SELECT id FROM dead_letter WHERE ${conditions.join(" AND ")} ORDER BY id LIMIT ?`);
    const read: StoredLetterRow[] = [];
    let bytes = 0;
    for (const { id } of chosen.all(...values, query.limit)) {
      const row = this.#one.get(id ?? 0);
      if (row === undefined) continue;
      const letter = letterOfRow(row);
      read.push(letter);
      bytes += letter.bytes.length + (letter.original?.length ?? 0);
      if (bytes > DEAD_LETTER_PAGE_BYTES_MAX) break;
    }
    return read;
  }
}

/** Every dead letter in the order of the ids, one in memory at a time. Throws what SQLite throws at a damaged page. */
export function* walkLetters(db: DatabaseSync): Generator<StoredLetterRow> {
  const next = db.prepare(`SELECT id, ${LETTER_COLUMNS.join()} FROM dead_letter WHERE id > ? ORDER BY id LIMIT 1`);
  for (let row = next.get(0); row !== undefined; row = next.get(row["id"] ?? 0)) yield letterOfRow(row);
}

/** The dead letter of a row. */
export function letterOfRow(row: Row): StoredLetterRow {
  const text = (column: typeof LETTER_COLUMNS[number]) => String(row[column]);
  return {
    id: Number(row["id"]),
    seq: Number(row["seq"]),
    node: text("node"),
    edge: text("edge"),
    branch: text("branch"),
    messageId: text("message_id"),
    timeMs: Number(row["time_ms"]),
    reason: text("reason"),
    // Only this program writes the column.
    class: text("class") as DeadLetterClass,
    attempts: Number(row["attempts"]),
    source: text("source"),
    codec: text("codec"),
    meta: text("meta"),
    bytes: blob(row["bytes"]),
    ...(row["backtrace"] === null ? {} : { backtrace: text("backtrace") }),
    ...(row["run_id"] === null ? {} : { runId: text("run_id") }),
    ...(row["original"] === null ? {} : { original: blob(row["original"]) }),
  };
}
