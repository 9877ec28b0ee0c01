/** Owns the tables of a store's file and the way from one version of them to the next. */

import type { DatabaseSync } from "node:sqlite";
import { EventboatError } from "../diagnostics/mod.ts";

/** Pages of 8 KiB: large enough for blobs of a segment's size, small enough for a lone message. */
export const PAGE_BYTES = 8192;

/** One step: makes a store of the version before into one of its own. Runs in a transaction. */
export type Migration = (db: DatabaseSync) => void;

/**
 * Every step so far; the schema version is how many have been taken. A step that was released is never changed.
 *
 * In `segment` the blobs come last: what is asked of many rows (positions, counts, lengths) is read without them.
 * `crc` is the CRC-32 of meta, columns, ends and bytes, one after the other: SQLite itself does not notice a page of a
 * blob that holds something else.
 */
export const MIGRATIONS: readonly Migration[] = [
  (db) =>
    db.exec(`
      CREATE TABLE segment (
        first INTEGER PRIMARY KEY,
        count INTEGER NOT NULL,
        gap INTEGER NOT NULL,
        codec TEXT NOT NULL,
        source TEXT NOT NULL,
        injected_at TEXT,
        id_base BLOB NOT NULL,
        crc INTEGER NOT NULL,
        meta TEXT NOT NULL,
        columns BLOB,
        ends BLOB NOT NULL,
        bytes BLOB NOT NULL
      );
      CREATE TABLE source_state (source TEXT PRIMARY KEY, state BLOB NOT NULL) WITHOUT ROWID;
      CREATE TABLE dead_letter (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        seq INTEGER NOT NULL,
        node TEXT NOT NULL,
        edge TEXT NOT NULL,
        branch TEXT NOT NULL,
        message_id TEXT NOT NULL,
        time_ms INTEGER NOT NULL,
        reason TEXT NOT NULL,
        class TEXT NOT NULL,
        backtrace TEXT,
        run_id TEXT,
        attempts INTEGER NOT NULL,
        source TEXT NOT NULL,
        codec TEXT NOT NULL,
        meta TEXT NOT NULL,
        original BLOB,
        bytes BLOB NOT NULL,
        UNIQUE (seq, node, edge, branch)
      );
      CREATE INDEX dead_letter_time ON dead_letter (time_ms);
      CREATE INDEX dead_letter_node ON dead_letter (node);
      CREATE INDEX dead_letter_class ON dead_letter (class);
      CREATE INDEX dead_letter_run ON dead_letter (run_id) WHERE run_id IS NOT NULL;
    `),
];

/** What the table `meta` holds, a number each. */
export type MetaKey = "schema_version" | "checkpoint" | "last_void";

/** Reads one number of the table `meta`; 0 when it is not there. */
export function readMeta(db: DatabaseSync, key: MetaKey): number {
  const row = db.prepare("SELECT value FROM meta WHERE key = ?").get(key);
  return typeof row?.["value"] === "number" ? row["value"] : 0;
}

/**
 * The schema version of an open file: 0 when it holds no table yet. Throws `store_corrupt` when it is some other
 * program's.
 */
export function schemaVersion(db: DatabaseSync, path: string): number {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all().map((row) => row["name"]);
  if (tables.length === 0) return 0;
  const version = tables.includes("meta") ? readMeta(db, "schema_version") : 0;
  if (version >= 1) return version;
  throw new EventboatError(
    "store_corrupt",
    `${path} is no store of a pipeline: it is an SQLite file without a schema version of Eventboat's`,
    { hint: "Move the file away, or give another storage.data_dir." },
  );
}

/** Refuses a store that a newer program has written. */
export function refuseNewer(version: number, known: number, path: string): void {
  if (version <= known) return;
  throw new EventboatError(
    "store_version",
    `the store ${path} has schema version ${version}; this program knows versions up to ${known}`,
    { hint: "Run the Eventboat version that wrote the store, or a later one." },
  );
}

/** Brings a store to the newest version, all steps in one transaction. Throws `store_version` when it is beyond it. */
export function migrate(db: DatabaseSync, path: string, migrations: readonly Migration[] = MIGRATIONS): void {
  const version = schemaVersion(db, path);
  refuseNewer(version, migrations.length, path);
  if (version === migrations.length) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    db.exec("CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID");
    for (const step of migrations.slice(version)) step(db);
    db.prepare("INSERT INTO meta VALUES ('schema_version', ?) ON CONFLICT DO UPDATE SET value = excluded.value")
      .run(migrations.length);
    db.exec("COMMIT");
  } catch (caught) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw caught;
  }
}
