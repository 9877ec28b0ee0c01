/** Owns the looking at a store from outside: read-only, beside whoever may be writing it. */

import { DatabaseSync } from "node:sqlite";
import { EventboatError } from "../diagnostics/mod.ts";
import type { StoreStats } from "./contract.ts";
import { MIGRATIONS, refuseNewer, schemaVersion } from "./sqlite_schema.ts";
import { readStats } from "./sqlite_stats.ts";
import { storeFailure } from "./store_failure.ts";
import { fileSize } from "./store_folder.ts";

/** Patience with a writer that is just recovering its log. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Runs `look` on a store's file, opened read-only. Throws `store_open` when there is none, `store_version` when it is a
 * newer program's, `store_corrupt` when it cannot be read.
 */
export function lookAtStore<T>(path: string, look: (db: DatabaseSync) => T): T {
  try {
    if (fileSize(path) === undefined) {
      throw new EventboatError("store_open", `there is no store at ${path}`, {
        hint: "Check the pipeline's name and --data-dir; a store appears with the first run.",
      });
    }
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    try {
      const version = schemaVersion(db, path);
      refuseNewer(version, MIGRATIONS.length, path);
      if (version === 0) throw new EventboatError("store_corrupt", `the store ${path} is empty: it has no tables`);
      return look(db);
    } finally {
      db.close();
    }
  } catch (caught) {
    throw storeFailure(caught, "read", path);
  }
}

/** The numbers of a store, also of one that is being written. Throws what {@linkcode lookAtStore} throws. */
export function storeStats(path: string): StoreStats {
  return lookAtStore(path, (db) => readStats(db, path));
}
