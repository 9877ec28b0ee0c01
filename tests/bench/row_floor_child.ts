/** The floor of file to script to file, a bare loop with no engine around it: IN OUT DATABASE DURABILITY. */

import { DatabaseSync } from "node:sqlite";
import { peakMemoryMb, tell } from "./child_program.ts";
import { LineReader } from "./line_reader.ts";
import { changeLine, syncMode } from "./floor_work.ts";

/** Printed at the end by every floor over files. */
export interface FloorEnded {
  readonly lines: number;
  readonly seconds: number;
  readonly peakMb: number;
}

/** Lines a transaction, a row each. */
const LINES_PER_TRANSACTION = 256;
/** Lines between two deletions of what has been written. */
const LINES_PER_TRIM = 8192;

/** Every line is a row before it is looked at. In `power` each transaction syncs, and so does what it put out. */
class RowFloor {
  readonly #db: DatabaseSync;
  readonly #sink: Deno.FsFile;
  readonly #isSynced: boolean;
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  #lines = 0;
  #trimmedAt = 0;

  constructor(db: DatabaseSync, sink: Deno.FsFile, isSynced: boolean) {
    this.#db = db;
    this.#sink = sink;
    this.#isSynced = isSynced;
    db.exec("CREATE TABLE spool(seq INTEGER PRIMARY KEY, id TEXT, ts INTEGER, raw BLOB)");
  }

  run(source: Deno.FsFile): number {
    const insert = this.#db.prepare("INSERT INTO spool(id, ts, raw) VALUES (?, ?, ?)");
    const trim = this.#db.prepare("DELETE FROM spool WHERE seq <= ?");
    const reader = new LineReader(source);
    for (
      let batch = reader.next(LINES_PER_TRANSACTION);
      batch !== undefined;
      batch = reader.next(LINES_PER_TRANSACTION)
    ) {
      this.#db.exec("BEGIN");
      for (const raw of batch) insert.run(`0193-${this.#lines++}`, Date.now(), raw);
      this.#db.exec("COMMIT");
      this.#write(batch);
      if (this.#lines - this.#trimmedAt < LINES_PER_TRIM) continue;
      trim.run(this.#trimmedAt = this.#lines - LINES_PER_TRANSACTION);
    }
    return this.#lines;
  }

  #write(batch: readonly Uint8Array[]): void {
    let text = "";
    for (const raw of batch) text += changeLine(this.#decoder.decode(raw));
    this.#sink.writeSync(this.#encoder.encode(text));
    if (this.#isSynced) this.#sink.syncDataSync();
  }
}

function main([input = "", output = "", database = "", durability = ""]: readonly string[]): void {
  const startedMs = performance.now();
  using db = new DatabaseSync(database);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${syncMode(durability)}`);
  using source = Deno.openSync(input);
  using sink = Deno.openSync(output, { create: true, write: true, truncate: true });
  const lines = new RowFloor(db, sink, durability === "power").run(source);
  tell({ lines, seconds: (performance.now() - startedMs) / 1000, peakMb: peakMemoryMb() } satisfies FloorEnded);
}

if (import.meta.main) main(Deno.args);
