/** Owns the opening of a store's file: folders, syncs, pragmas, migrations, and what each failure of them means. */

import { DatabaseSync } from "node:sqlite";
import { EventboatError } from "../diagnostics/mod.ts";
import type { Durability } from "./contract.ts";
import { storeFailure } from "./store_failure.ts";
import { migrate, type Migration, PAGE_BYTES } from "./sqlite_schema.ts";
import { fileSize, makeStoreFolder, syncPath } from "./store_folder.ts";
import { folderOf, reservePath, walPath } from "./store_path.ts";

/** Bytes of the write-ahead log after which it is copied into the database file. */
export const WAL_BYTES_MAX = 4 * 1024 * 1024;
/** Page cache: a whole group of segments fits, so that no page is written before its transaction commits. */
const CACHE_KIB = 8 * 1024;
/** Patience with another program that reads the file just then, such as `store stats`. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the store's file for writing, makes it and its folders where there is none, and brings it to the newest schema.
 * Throws `store_readonly`, `store_full`, `store_version`, `store_corrupt`, `store_locked` or `store_open`. A damaged
 * file is never replaced by a new one.
 */
export function openSqliteFile(path: string, durability: Durability, migrations?: readonly Migration[]): DatabaseSync {
  try {
    const found = fileSize(path);
    refuseTruncated(path, found);
    makeStoreFolder(folderOf(path));
    prepareFile(path, durability);
    return openDatabase(path, durability, migrations);
  } catch (caught) {
    throw storeFailure(caught, "open", path);
  }
}

/** SQLite takes an empty file for a new database and deletes the log beside it, which may hold all that was accepted. */
function refuseTruncated(path: string, found: number | undefined): void {
  if (found !== undefined && found > 0) return;
  const logBytes = fileSize(walPath(path)) ?? 0;
  const hadReserve = found === 0 && fileSize(reservePath(path)) !== undefined;
  if (logBytes === 0 && !hadReserve) return;
  throw new EventboatError(
    "store_corrupt",
    `the store ${path} is ${found === 0 ? "empty" : "missing"}, and a file beside it says that it held messages ` +
      `(${logBytes} bytes of log)`,
    {
      hint:
        "`eventboat store salvage` saves what is readable into a new store; to begin anew, move the store's files away.",
    },
  );
}

/**
 * Learns by the platform's own errors whether the file can be written. With `power` everything an earlier, less careful
 * run has left is synced before SQLite looks at it. This must come before SQLite opens the file: closing any handle of
 * a file drops the locks that SQLite holds on it.
 */
function prepareFile(path: string, durability: Durability): void {
  using file = Deno.openSync(path, { read: true, write: true, create: true });
  if (durability !== "power") return;
  file.syncSync();
  if (fileSize(walPath(path)) !== undefined) syncPath(walPath(path));
  syncPath(folderOf(path));
}

function openDatabase(path: string, durability: Durability, migrations?: readonly Migration[]) {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Both hold only for a file that has no page yet, and only before it has a log. Asking for the pages also takes
    // back what a process that was killed while it made the file has left half done.
    const isNew = db.prepare("PRAGMA page_count").get()?.["page_count"] === 0;
    if (isNew) db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL`);
    const mode = db.prepare("PRAGMA journal_mode = WAL").get()?.["journal_mode"];
    if (mode !== "wal") {
      throw new EventboatError(
        "store_open",
        `the store ${path} cannot have a write-ahead log: its journal mode stays ${mode}`,
        {
          hint: "Put storage.data_dir on a local disk.",
        },
      );
    }
    db.exec(`
      PRAGMA synchronous = ${durability === "power" ? "FULL" : "NORMAL"};
      PRAGMA cache_size = -${CACHE_KIB};
      PRAGMA journal_size_limit = ${WAL_BYTES_MAX * 4};
      PRAGMA wal_autocheckpoint = 0;
    `);
    migrate(db, path, migrations);
    return db;
  } catch (caught) {
    db.close();
    throw caught;
  }
}

/** What a checkpoint of the log achieved. */
export interface LogCheckpoint {
  /** Whether the whole log is in the database file, so that the next transaction writes the log from its beginning. */
  readonly complete: boolean;
}

/** Copies the log into the database file as far as no reader is in the way. Throws what SQLite throws. */
export function checkpointLog(db: DatabaseSync, mode: "PASSIVE" | "TRUNCATE"): LogCheckpoint {
  const row = db.prepare(`PRAGMA wal_checkpoint(${mode})`).get();
  return { complete: row?.["busy"] === 0 && row["log"] === row["checkpointed"] };
}
