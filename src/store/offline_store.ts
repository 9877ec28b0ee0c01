/** Owns the looking at a store from outside: read-only, beside whoever may be writing it. */

import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { EventboatError } from "../diagnostics/mod.ts";
import type { StoreStats } from "./contract.ts";
import { MIGRATIONS, refuseNewer, schemaVersion } from "./sqlite_schema.ts";
import { readStats } from "./sqlite_stats.ts";
import { storeFailure } from "./store_failure.ts";
import { fileSize } from "./store_folder.ts";
import { walPath } from "./store_path.ts";

/** Patience with a writer that is just recovering its log. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens a store's file read-only; the caller closes it. Throws what {@linkcode lookAtStore} throws.
 */
export function openForLooking(path: string): DatabaseSync {
  try {
    if (fileSize(path) === undefined) {
      throw new EventboatError("store_open", `there is no store at ${path}`, {
        hint: "Check the pipeline's name and --data-dir; a store appears with the first run.",
      });
    }
    const db = openForReading(path);
    try {
      const version = schemaVersion(db, path);
      refuseNewer(version, MIGRATIONS.length, path);
      if (version === 0) throw new EventboatError("store_corrupt", `the store ${path} is empty: it has no tables`);
      return db;
    } catch (caught) {
      db.close();
      throw caught;
    }
  } catch (caught) {
    throw storeFailure(caught, "read", path);
  }
}

/**
 * Runs `look` on a store's file, opened read-only. Throws `store_open` when there is none, `store_version` when it is a
 * newer program's, `store_corrupt` or `store_readonly` when it cannot be read.
 */
export function lookAtStore<T>(path: string, look: (db: DatabaseSync) => T): T {
  const db = openForLooking(path);
  try {
    return look(db);
  } catch (caught) {
    throw storeFailure(caught, "read", path);
  } finally {
    db.close();
  }
}

/**
 * SQLite reads a database only where it can make the index of its log. On a disk that cannot be written it reads one
 * without a log, when it is told that nobody will change it.
 */
function openForReading(path: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
    return db;
  } catch (caught) {
    db?.close();
    if (storeFailure(caught, "open", path).code !== "store_open") throw caught;
    if ((fileSize(walPath(path)) ?? 0) === 0) {
      return new DatabaseSync(new URL(`${pathToFileURL(path)}?immutable=1`), { readOnly: true });
    }
    throw new EventboatError(
      "store_readonly",
      `could not read the store ${path}: a log lies beside it, and its folder cannot be written`,
      { cause: caught, hint: "`eventboat store salvage` reads it into a new store on another disk." },
    );
  }
}

/** The numbers of a store, also of one that is being written. Throws what {@linkcode lookAtStore} throws. */
export function storeStats(path: string): StoreStats {
  return lookAtStore(path, (db) => readStats(db, path));
}
