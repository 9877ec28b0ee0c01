/** Owns the store on disk: one SQLite file with a write-ahead log and one writer. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Clock, systemClock } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import { type Logger, silentLogger } from "../telemetry/mod.ts";
import type { StoreBackend, WriteGroup } from "./backend.ts";
import type { DeadLetterMark, DeadLetterQuery, Durability, StoreStart, StoreStats } from "./contract.ts";
import { DiskReserve, RESERVE_BYTES } from "./disk_reserve.ts";
import { FilePresence } from "./file_presence.ts";
import { LetterReader } from "./letter_reader.ts";
import { overlapRefusal } from "./refusals.ts";
import { checkpointLog, openSqliteFile, WAL_BYTES_MAX } from "./sqlite_file.ts";
import { SqliteLetters } from "./sqlite_letters.ts";
import { type Migration, PAGE_BYTES } from "./sqlite_schema.ts";
import { SqliteSegments } from "./sqlite_segments.ts";
import { readStart, readStats } from "./sqlite_stats.ts";
import { storeFailure, type StorePhase } from "./store_failure.ts";
import { reservePath, walPath } from "./store_path.ts";
import type { StoredLetter, StoredLetterRow } from "./stored_letter.ts";
import { segmentLast, type StoredSegment } from "./stored_segment.ts";

/** Free pages that a file may keep for what comes next, before a trim gives some back to the disk. */
const FREE_BYTES_KEPT = 64 * 1024 * 1024;
/** Pages given back at once: each is copied through the log. */
const VACUUM_PAGES = 512;
/** Slices given back in one go while the disk is full: callers wait meanwhile, and the next write goes on with it. */
const RELIEF_SLICES_MAX = 32;
/** Pages that a transaction writes beside its blobs, roughly; the size of the log is estimated, not measured. */
const PAGES_PER_TRANSACTION = 4;

/** How a store on disk is opened. */
export interface SqliteOptions {
  readonly durability: Durability;
  /** Default {@linkcode RESERVE_BYTES}; 0 keeps no reserve. */
  readonly reserveBytes?: number;
  readonly clock?: Clock;
  readonly log?: Logger;
  /** For the tests of migration. Default the program's own. */
  readonly migrations?: readonly Migration[];
}

/**
 * A backend over `path`. The caller holds the store's lock. When the disk is full, segments are refused with
 * `store_full` until there is room again; meanwhile the reserve lets everything through that is needed to make room:
 * checkpoints, source states, dead letters, trims. Messages kept behind the checkpoint then give way.
 */
export class SqliteBackend implements StoreBackend {
  readonly start: StoreStart;
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #log: Logger;
  readonly #reserve: DiskReserve;
  readonly #presence: FilePresence;
  readonly #segments: SqliteSegments;
  readonly #letters: SqliteLetters;
  readonly #reader: LetterReader;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #raiseMark: StatementSync;
  readonly #setState: StatementSync;
  #lastSeq: number;
  #checkpoint: number;
  /** Bytes in the log since it was last begun anew, estimated. */
  #logBytes = 0;
  /** The checkpoint up to which room was made since the disk became full. */
  #relievedTo = -1;

  /** Opens the file; throws what {@linkcode openSqliteFile} throws, and `store_corrupt` when a table cannot be read. */
  constructor(path: string, options: SqliteOptions) {
    this.#path = path;
    this.#log = options.log ?? silentLogger;
    const clock = options.clock ?? systemClock;
    this.#reserve = new DiskReserve(reservePath(path), options.reserveBytes ?? RESERVE_BYTES, clock);
    this.#db = this.#open(options);
    this.#presence = new FilePresence([path, walPath(path)], clock, this.#log);
    try {
      const db = this.#db;
      this.#segments = new SqliteSegments(db);
      this.#letters = new SqliteLetters(db);
      this.#reader = new LetterReader(db);
      this.#begin = db.prepare("BEGIN IMMEDIATE");
      this.#commit = db.prepare("COMMIT");
      this.#raiseMark = db.prepare(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = max(value, excluded.value)",
      );
      this.#setState = db.prepare(
        "INSERT INTO source_state VALUES (?, ?) ON CONFLICT DO UPDATE SET state = excluded.state",
      );
      this.start = readStart(db);
    } catch (caught) {
      this.#db.close();
      throw storeFailure(caught, "open", path);
    }
    this.#lastSeq = this.start.lastSeq;
    this.#checkpoint = this.start.checkpoint;
    this.#reserve.take();
    this.#checkpointLog();
  }

  commit(group: WriteGroup): void {
    let last = Math.max(this.#lastSeq, this.#checkpoint);
    let bytes = 0;
    for (const segment of group.segments) {
      if (segment.first <= last) throw overlapRefusal(segment, last);
      last = segmentLast(segment);
      bytes += segment.bytes.length + segment.ends.length + (segment.columns?.length ?? 0);
    }
    for (const { state } of group.states) bytes += state.length;
    if (group.segments.length > 0) {
      this.#presence.require();
      this.#requireRoom();
    }
    this.#transaction(bytes, () => {
      for (const segment of group.segments) this.#segments.insert(segment);
      if (group.checkpoint > 0) this.#raiseMark.run("checkpoint", group.checkpoint);
      if (group.lastVoid > 0) this.#raiseMark.run("last_void", group.lastVoid);
      for (const { source, state } of group.states) this.#setState.run(source, state);
    });
    if (group.segments.length > 0) this.#lastSeq = last;
    this.#checkpoint = Math.max(this.#checkpoint, group.checkpoint);
    letGo(group.segments);
  }

  writeDeadLetters(letters: readonly StoredLetter[], lastVoid: number): void {
    const bytes = letters.reduce((sum, letter) => sum + letter.bytes.length + (letter.original?.length ?? 0), 0);
    this.#transaction(bytes, () => {
      for (const letter of letters) this.#letters.write(letter);
      if (lastVoid > 0) this.#raiseMark.run("last_void", lastVoid);
    });
  }

  readSegments(afterSeq: number, bytesMax: number): StoredSegment[] {
    return this.#read(() => this.#segments.read(afterSeq, bytesMax, this.#path));
  }

  trim(seq: number): void {
    this.#transaction(0, () => this.#segments.trim(seq));
    this.#giveBack();
  }

  sweepDeadLetters(beforeMs: number, rowsMax: number): number {
    const swept = this.#transaction(0, () => this.#letters.sweep(beforeMs, rowsMax));
    this.#giveBack();
    return swept;
  }

  readDeadLetters(query: DeadLetterQuery): StoredLetterRow[] {
    return this.#read(() => this.#reader.read(query));
  }

  deleteDeadLetters(ids: readonly number[]): number {
    const deleted = this.#transaction(0, () => this.#letters.delete(ids));
    this.#giveBack();
    return deleted;
  }

  discardDeadLetters(marks: readonly DeadLetterMark[]): number {
    const deleted = this.#transaction(0, () => this.#letters.discard(marks));
    this.#giveBack();
    return deleted;
  }

  stats(): StoreStats {
    return this.#read(() => readStats(this.#db, this.#path));
  }

  maintain(): void {
    if (!this.#reserve.held) this.#relieve();
    if (this.#logBytes > WAL_BYTES_MAX) this.#checkpointLog();
  }

  close(): void {
    try {
      this.#db.close();
    } catch (caught) {
      throw storeFailure(caught, "write", this.#path);
    }
  }

  /** A disk that is full to the last byte has no room for the log's index: then the reserve goes at once. */
  #open(options: SqliteOptions): DatabaseSync {
    try {
      return openSqliteFile(this.#path, options.durability, options.migrations);
    } catch (caught) {
      const error = storeFailure(caught, "open", this.#path);
      if (error.code !== "store_full" && error.code !== "store_write") throw error;
      this.#reserve.release();
      return openSqliteFile(this.#path, options.durability, options.migrations);
    }
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (caught) {
      throw storeFailure(caught, "read", this.#path);
    }
  }

  /** Runs one transaction of about `bytes` bytes. */
  #transaction<T>(bytes: number, body: () => T): T {
    let phase: StorePhase = "write";
    try {
      this.#begin.run();
      const result = body();
      phase = "commit";
      this.#commit.run();
      this.#logBytes += bytes + PAGES_PER_TRANSACTION * PAGE_BYTES;
      return result;
    } catch (caught) {
      const error = this.#rollBack(storeFailure(caught, phase, this.#path));
      if (error.code === "store_full") this.#runShort();
      throw error;
    }
  }

  /** Answers the error; an unknown one when the transaction could not be taken back. */
  #rollBack(error: EventboatError): EventboatError {
    try {
      // SQLite takes most failed transactions back by itself.
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      return error;
    } catch (caught) {
      return new EventboatError("store_unknown", `${error.message}; taking the transaction back failed too`, {
        cause: caught,
      });
    }
  }

  #requireRoom(): void {
    if (this.#reserve.held) return;
    if (this.#reserve.regain()) {
      this.#log.log("info", "the disk of the store has room again: intake goes on", { store: this.#path });
      return;
    }
    throw new EventboatError("store_full", `the disk that holds the store ${this.#path} is full: intake is refused`, {
      hint: "Make room on the disk; the pipeline goes on by itself.",
    });
  }

  /** The disk is full. Gives the reserve up, so that what makes room can be written, and makes what room it can. */
  #runShort(): void {
    if (this.#reserve.held) {
      this.#log.log("warn", "the disk of the store is full: intake is refused until there is room again", {
        store: this.#path,
        checkpoint: this.#checkpoint,
      });
    }
    this.#reserve.release();
    this.#relievedTo = -1;
    this.#relieve();
  }

  /** Gives back what is committed, whatever the retention says: refusing new messages for the sake of old ones is no use. */
  #relieve(): void {
    if (this.#relievedTo >= this.#checkpoint) return;
    const upTo = this.#checkpoint;
    try {
      this.#copyLog();
      this.#begin.run();
      const trimmed = this.#segments.trim(upTo);
      this.#commit.run();
      for (let slice = 0; slice < RELIEF_SLICES_MAX && this.#copyLog(); slice++) {
        if (this.#vacuum()) continue;
        this.#relievedTo = upTo;
        break;
      }
      if (trimmed > 0) {
        this.#log.log("warn", "committed messages were given up for room on the disk, before their retention", {
          store: this.#path,
          upTo,
        });
      }
    } catch (caught) {
      // Nothing is lost by it: what could not be deleted is deleted at the next try.
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      this.#log.log("debug", "no room could be made in the store", { store: this.#path, error: String(caught) });
    }
  }

  /** After a deletion: returns some of the free pages to the disk where there are many, all where there is no room. */
  #giveBack(): void {
    if (!this.#reserve.held) {
      this.#relievedTo = -1;
      return;
    }
    try {
      const free = this.#pragma("freelist_count");
      if (free * PAGE_BYTES > FREE_BYTES_KEPT && free * 4 > this.#pragma("page_count")) this.#vacuum();
    } catch (caught) {
      this.#log.log("warn", "free pages of the store could not be returned", {
        store: this.#path,
        error: String(caught),
      });
    }
  }

  /** Returns a slice of free pages to the disk; answers whether there may be more. */
  #vacuum(): boolean {
    const before = this.#pragma("freelist_count");
    if (before === 0) return false;
    // It gives one page for each row it is asked for, and the platform's `exec` asks for one row only.
    this.#db.prepare(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`).all();
    this.#logBytes += VACUUM_PAGES * PAGE_BYTES;
    const after = this.#pragma("freelist_count");
    return after > 0 && after < before;
  }

  #pragma(name: "freelist_count" | "page_count"): number {
    return Number(this.#db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
  }

  /** Copies the log into the file; answers whether all of it is there. Throws what SQLite throws. */
  #copyLog(): boolean {
    const { complete } = checkpointLog(this.#db, "PASSIVE");
    // A reader in the way is asked again only after some more has been written.
    this.#logBytes = complete ? 0 : WAL_BYTES_MAX / 2;
    return complete;
  }

  #checkpointLog(): void {
    try {
      this.#copyLog();
    } catch (caught) {
      const error = storeFailure(caught, "write", this.#path);
      if (error.code === "store_full") return this.#runShort();
      // The log still holds everything; it is copied at the next try.
      this.#logBytes = WAL_BYTES_MAX / 2;
      this.#log.log("warn", "the log of the store could not be copied into its file", {
        store: this.#path,
        error: error.message,
      });
    }
  }
}

/**
 * Frees the buffers of segments that are written. The collector would let tens of megabytes of them pile up: what it
 * counts in this isolate is a heap that hardly grows.
 */
function letGo(segments: readonly StoredSegment[]): void {
  for (const { bytes } of segments) if (!bytes.buffer.detached) bytes.buffer.transfer(0);
}
