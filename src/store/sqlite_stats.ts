/** Owns what is read off a store's file as a whole: where it stands and how much it holds. */

import type { DatabaseSync } from "node:sqlite";
import type { StoreStart, StoreStats } from "./contract.ts";
import { readMeta } from "./sqlite_schema.ts";
import { blob, SqliteSegments } from "./sqlite_segments.ts";
import { fileSize } from "./store_folder.ts";
import { walPath } from "./store_path.ts";

/** Where the store stands. Costs the same however much it holds. */
export function readStart(db: DatabaseSync): StoreStart {
  const checkpoint = readMeta(db, "checkpoint");
  const lastSeq = new SqliteSegments(db).lastSeq();
  const states = db.prepare("SELECT source, state FROM source_state").all();
  return {
    checkpoint,
    lastSeq,
    nextSeq: Math.max(lastSeq, checkpoint, readMeta(db, "last_void")) + 1,
    sourceStates: new Map(states.map((row) => [String(row["source"]), blob(row["state"])])),
  };
}

/** The numbers of {@linkcode StoreStats}. Looks at each segment's row, at no blob's content. */
export function readStats(db: DatabaseSync, path: string): StoreStats {
  const checkpoint = readMeta(db, "checkpoint");
  const segments = db.prepare(
    `SELECT count(*) AS segments, coalesce(sum(count), 0) AS messages, coalesce(sum(length(bytes)), 0) AS bytes,
       coalesce(min(first), 0) AS firstSeq, coalesce(max(first + count - 1), 0) AS lastSeq
     FROM segment`,
  ).get();
  const open = db.prepare(
    `SELECT coalesce(sum(first + count - 1 - max(:checkpoint, first - 1)), 0) AS uncommitted
     FROM segment WHERE first + count - 1 > :checkpoint`,
  ).get({ checkpoint });
  const letters = db.prepare("SELECT count(*) AS n FROM dead_letter").get();
  const states = db.prepare("SELECT count(*) AS n FROM source_state WHERE instr(source, '/') = 0").get();
  return {
    schemaVersion: readMeta(db, "schema_version"),
    checkpoint,
    firstSeq: Number(segments?.["firstSeq"]),
    lastSeq: Number(segments?.["lastSeq"]),
    segments: Number(segments?.["segments"]),
    messages: Number(segments?.["messages"]),
    bytes: Number(segments?.["bytes"]),
    uncommitted: Number(open?.["uncommitted"]),
    deadLetters: Number(letters?.["n"]),
    sourceStates: Number(states?.["n"]),
    fileBytes: (fileSize(path) ?? 0) + (fileSize(walPath(path)) ?? 0),
  };
}
