/** Owns the rows of dead letters: how one is written, deleted and swept. */

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { DeadLetterClass, DeadLetterMark } from "./contract.ts";
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
/** The columns that tell letters apart. */
const KEY_COLUMNS = 4;
/** Parameters of one statement at most: ids are given in slices of as many. */
export const IDS_PER_STATEMENT = 500;

/** What a replay that fails again adds to the record it takes over (`old`); the rest it replaces. */
const KEPT: { readonly [column: string]: string } = {
  attempts: "old.attempts + new.attempts",
  run_id: "coalesce(new.run_id, old.run_id)",
  original: "coalesce(old.original, new.original)",
};

/** The same for a failure of a replay that is written again after a crash: its attempts have been added. */
const REWRITTEN: { readonly [column: string]: string } = {
  attempts: "max(attempts, excluded.attempts)",
  run_id: "coalesce(excluded.run_id, run_id)",
  original: "coalesce(original, excluded.original)",
};

/** Writes and deletes dead letters. */
export class SqliteLetters {
  readonly #db: DatabaseSync;
  readonly #write: StatementSync;
  readonly #rewrite: StatementSync;
  readonly #takeOver: StatementSync;
  readonly #sweep: StatementSync;
  readonly #discard: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    const values = LETTER_COLUMNS.map(() => "?").join();
    const upsert = (kept: { readonly [column: string]: string }) => {
      const updates = LETTER_COLUMNS.slice(KEY_COLUMNS).map((each) => `${each} = ${kept[each] ?? `excluded.${each}`}`);
      return db.prepare(
        `INSERT INTO dead_letter (${LETTER_COLUMNS.join()}) VALUES (${values})
         ON CONFLICT (seq, node, edge, branch) DO UPDATE SET ${updates.join()}`,
      );
    };
    this.#write = upsert({});
    this.#rewrite = upsert(REWRITTEN);
    const taken = LETTER_COLUMNS.map((column) => `${column} = ${KEPT[column] ?? `new.${column}`}`);
    // Not where the replay's first failure has taken it over before, which its sequence tells, and not where this very
    // failure has a record: written again after a crash, it replaces that one.
    this.#takeOver = db.prepare(
      `WITH new (${LETTER_COLUMNS.join()}) AS (VALUES (${values}))
       UPDATE dead_letter AS old SET ${taken.join()} FROM new
       WHERE old.id = ? AND old.seq <> new.seq AND NOT EXISTS (
         SELECT 1 FROM dead_letter AS same WHERE same.seq = new.seq AND same.node = new.node
           AND same.edge = new.edge AND same.branch = new.branch
       )`,
    );
    this.#sweep = db.prepare(
      "DELETE FROM dead_letter WHERE id IN (SELECT id FROM dead_letter WHERE time_ms < ? ORDER BY time_ms LIMIT ?)",
    );
    this.#discard = db.prepare("DELETE FROM dead_letter WHERE id = ? AND seq = ?");
  }

  write(letter: StoredLetter): void {
    const values = valuesOf(letter);
    if (letter.replayOf === undefined) this.#write.run(...values);
    else if (this.#takeOver.run(...values, letter.replayOf).changes === 0) this.#rewrite.run(...values);
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

  /** Deletes letters that have the sequence they had when they were read. */
  discard(marks: readonly DeadLetterMark[]): number {
    let deleted = 0;
    for (const { id, seq } of marks) deleted += Number(this.#discard.run(id, seq).changes);
    return deleted;
  }

  sweep(beforeMs: number, rowsMax: number): number {
    return Number(this.#sweep.run(beforeMs, rowsMax).changes);
  }
}

function valuesOf(letter: StoredLetter): SQLInputValue[] {
  return [
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
  ];
}

/** Every dead letter in the order of the ids, one in memory at a time. Throws what SQLite throws at a damaged page. */
export function* walkLetters(db: DatabaseSync): Generator<StoredLetterRow> {
  const next = db.prepare(`SELECT id, ${LETTER_COLUMNS.join()} FROM dead_letter WHERE id > ? ORDER BY id LIMIT 1`);
  for (let row = next.get(0); row !== undefined; row = next.get(row["id"] ?? 0)) yield letterOfRow(row);
}

/** The dead letter of a row; without content where its columns were not read. */
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
    ...(row["original"] === null || row["original"] === undefined ? {} : { original: blob(row["original"]) }),
  };
}
