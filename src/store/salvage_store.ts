/** Owns the saving of what is readable in a damaged store into a new one. */

import { DatabaseSync, type StatementSync } from "node:sqlite";
import { EventboatError, reasonOf } from "../diagnostics/mod.ts";
import { loadLetter, type StoredLetter } from "./stored_letter.ts";
import { findRows } from "./salvaged_pages.ts";
import { walkSegments } from "./segment_walk.ts";
import { openSqliteFile } from "./sqlite_file.ts";
import { applyLog } from "./sqlite_log.ts";
import { headerPageBytes } from "./sqlite_pages.ts";
import { readStats } from "./sqlite_stats.ts";
import { SqliteLetters, walkLetters } from "./sqlite_letters.ts";
import { type MetaKey, MIGRATIONS, PAGE_BYTES, readMeta, refuseNewer, schemaVersion } from "./sqlite_schema.ts";
import { blob, SqliteSegments } from "./sqlite_segments.ts";
import { storeFailure } from "./store_failure.ts";
import { fileSize, makeStoreFolder } from "./store_folder.ts";
import { StoreLock } from "./store_lock.ts";
import { folderOf, walPath } from "./store_path.ts";
import { segmentLast, type StoredSegment } from "./stored_segment.ts";

/** A run of sequences that was not saved although it should be there. */
export interface LostRange {
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

/** What a salvage saved and what it did not. */
export interface SalvageReport {
  readonly segments: number;
  readonly messages: number;
  /** Messages saved beyond the checkpoint: the next run delivers them. */
  readonly uncommitted: number;
  readonly deadLetters: number;
  readonly sourceStates: number;
  readonly checkpoint: number;
  /** Ascending. Messages at or below the checkpoint that are gone were delivered and are not listed. */
  readonly lost: readonly LostRange[];
  readonly messagesLost: number;
  /**
   * Whether that is all that was lost. False where rows had to be looked for page by page, or one does not tell how
   * many messages it held: what stood on a page that is gone has left no trace.
   */
  readonly lossKnown: boolean;
  /** What else the user should know. */
  readonly notes: readonly string[];
}

/**
 * Saves every readable segment, dead letter, source state and the checkpoint of the store at `path` into a new store at
 * `into`. The original is only read: the work is done on a copy beside `into`, which is removed. Rejects with
 * `store_locked` while the store is being written, `store_open` when there is none or `into` exists, `store_version`,
 * `store_full` or `store_readonly`.
 */
export async function salvageStore(path: string, into: string): Promise<SalvageReport> {
  if (fileSize(path) === undefined && fileSize(walPath(path)) === undefined) {
    throw new EventboatError("store_open", `there is no store at ${path}`);
  }
  if (fileSize(into) !== undefined) {
    throw new EventboatError("store_open", `a salvage writes a new store, and ${into} exists already`);
  }
  using _lock = await lockIfWritable(path);
  const work = `${into}.work`;
  try {
    makeStoreFolder(folderOf(into));
    copyFile(path, work);
    copyFile(walPath(path), walPath(work));
    return new Salvage(work, into).run();
  } catch (caught) {
    // Half a store would be taken for a whole one.
    for (const file of [into, walPath(into), `${into}-shm`]) removeFile(file);
    throw storeFailure(caught, "open", into);
  } finally {
    for (const file of [work, walPath(work), `${work}-shm`]) removeFile(file);
  }
}

/** A store that nobody can write needs no lock, such as one on a disk that was mounted read-only. */
async function lockIfWritable(path: string): Promise<Disposable> {
  try {
    return await StoreLock.take(path);
  } catch (caught) {
    const code = EventboatError.from(caught).code;
    if (code === "store_locked" || code === "permission") throw caught;
    return { [Symbol.dispose]: () => {} };
  }
}

/** One salvage, from the working copy into the new store. */
class Salvage {
  readonly #work: string;
  readonly #into: DatabaseSync;
  readonly #segments: SqliteSegments;
  readonly #letters: SqliteLetters;
  readonly #neighbours: StatementSync;
  readonly #damaged = new Map<number, { last: number; counted: boolean; why: string }>();
  readonly #letterIds = new Set<number>();
  readonly #states = new Map<string, Uint8Array>();
  readonly #marks = new Map<MetaKey, number>();
  readonly #notes: string[] = [];
  #lastLetterSeq = 0;
  #readWhole = true;

  constructor(work: string, into: string) {
    this.#work = work;
    this.#into = openSqliteFile(into, "power");
    this.#segments = new SqliteSegments(this.#into);
    this.#letters = new SqliteLetters(this.#into);
    // The only saved segment that can overlap one is the last that begins before its end.
    this.#neighbours = this.#into.prepare(
      "SELECT first, count FROM segment WHERE first <= ? ORDER BY first DESC LIMIT 1",
    );
  }

  run(): SalvageReport {
    try {
      this.#into.exec("BEGIN IMMEDIATE");
      // SQLite would take a file without a header for a new one, and delete the log.
      if (fileSize(this.#work) === undefined) Deno.writeFileSync(this.#work, new Uint8Array());
      if (headerPageBytes(this.#work) === undefined) this.#applyLog();
      if (!this.#readTables()) this.#readPages();
      const report = this.#finish();
      this.#into.exec("COMMIT");
      return report;
    } finally {
      this.#into.close();
    }
  }

  /** Reads through SQLite as far as that goes; answers whether it went all the way. */
  #readTables(): boolean {
    let db: DatabaseSync | undefined;
    try {
      db = new DatabaseSync(this.#work);
      refuseNewer(schemaVersion(db, this.#work), MIGRATIONS.length, this.#work);
      return [
        this.#part("the checkpoint", db, readMarks, (marks) => this.#keepMarks(marks)),
        this.#walk(db),
        this.#part("the source states", db, readStates, (states) => this.#keepStates(states)),
        this.#readLetters(db),
      ].every((whole) => whole);
    } catch (caught) {
      if (caught instanceof EventboatError && caught.code === "store_version") throw caught;
      this.#notes.push(`the file cannot be opened as a database (${reasonOf(caught)}): its pages are read one by one`);
      return false;
    } finally {
      db?.close();
    }
  }

  #part<T>(what: string, db: DatabaseSync, read: (db: DatabaseSync) => T, keep: (value: T) => void): boolean {
    try {
      keep(read(db));
      return true;
    } catch (caught) {
      this.#notes.push(`${what} cannot be read as a table: ${reasonOf(caught)}`);
      return false;
    }
  }

  #walk(db: DatabaseSync): boolean {
    return this.#part("the segments", db, walkSegments, (steps) => {
      let broken: string | undefined;
      for (const step of steps) {
        if (step.kind === "segment") this.#keepSegment(step.segment);
        else if (step.kind === "broken") broken = step.fault;
        else this.#keepDamaged(step.first, step.count, step.fault);
      }
      if (broken !== undefined) throw new Error(broken);
    });
  }

  #readLetters(db: DatabaseSync): boolean {
    return this.#part("the dead letters", db, walkLetters, (letters) => {
      for (const letter of letters) this.#keepLetter(letter);
    });
  }

  /** Looks at every page by itself, and adds what the tables did not give. */
  #readPages(): void {
    this.#readWhole = false;
    this.#applyLog();
    const marksKnown = this.#marks.size > 0;
    const statesKnown = this.#states.size > 0;
    for (const found of findRows(this.#work, headerPageBytes(this.#work))) {
      if (found.kind === "segment") this.#keepSegment(found.segment);
      else if (found.kind === "damaged") this.#keepDamaged(found.first, found.count, found.fault);
      else if (found.kind === "letter") this.#keepLetter(found.letter);
      else if (found.kind === "state" && !statesKnown) this.#states.set(found.source, found.state);
      else if (found.kind === "mark" && !marksKnown) this.#keepOldMark(found.key, found.value);
    }
    this.#notes.push("rows were taken from pages one by one: dead letters that had been deleted may be among them");
  }

  /** Opening and closing the copy takes its log in, unless SQLite can make nothing of it. */
  #applyLog(): void {
    if ((fileSize(walPath(this.#work)) ?? 0) === 0) return;
    const pages = applyLog(this.#work, walPath(this.#work), headerPageBytes(this.#work) ?? PAGE_BYTES);
    Deno.removeSync(walPath(this.#work));
    if (pages > 0) this.#notes.push(`${pages} pages were taken from the log`);
  }

  /** Of an older and a newer page with marks the lower checkpoint is the safe one: it only delivers more again. */
  #keepOldMark(key: MetaKey, value: number): void {
    const known = this.#marks.get(key);
    const choose = key === "checkpoint" ? Math.min : Math.max;
    this.#marks.set(key, known === undefined ? value : choose(known, value));
  }

  #keepMarks(marks: ReadonlyMap<MetaKey, number>): void {
    for (const [key, value] of marks) this.#marks.set(key, value);
  }

  #keepStates(states: ReadonlyMap<string, Uint8Array>): void {
    for (const [source, state] of states) this.#states.set(source, state);
  }

  #keepSegment(segment: StoredSegment): void {
    const before = this.#neighbours.get(segmentLast(segment));
    if (before !== undefined && Number(before["first"]) + Number(before["count"]) > segment.first) return;
    this.#segments.insert(segment);
    this.#damaged.delete(segment.first);
  }

  #keepDamaged(first: number, count: number, why: string): void {
    const before = this.#neighbours.get(first);
    if (before !== undefined && Number(before["first"]) + Number(before["count"]) > first) return;
    this.#damaged.set(first, { last: first + Math.max(1, count) - 1, counted: count > 0, why });
  }

  #keepLetter(letter: StoredLetter & { readonly id: number }): void {
    if (this.#letterIds.has(letter.id)) return;
    try {
      loadLetter(letter);
    } catch {
      this.#notes.push(`dead letter ${letter.id} has metadata that cannot be read and was left out`);
      return;
    }
    this.#letterIds.add(letter.id);
    this.#letters.write(letter);
    this.#lastLetterSeq = Math.max(this.#lastLetterSeq, letter.seq);
  }

  #finish(): SalvageReport {
    const checkpoint = this.#checkpoint();
    const lastVoid = this.#marks.get("last_void") ?? 0;
    const lost = this.#lost(checkpoint, lastVoid);
    const lastSeen = [...this.#damaged.values()].reduce((max, { last }) => Math.max(max, last), this.#lastLetterSeq);
    const mark = this.#into.prepare(
      "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = max(value, excluded.value)",
    );
    mark.run("checkpoint", checkpoint);
    // No number that a dead letter or a lost message carries may be given again.
    mark.run("last_void", Math.max(lastVoid, lastSeen));
    const state = this.#into.prepare("INSERT INTO source_state VALUES (?, ?)");
    for (const [source, bytes] of this.#states) state.run(source, bytes);
    if (this.#states.size === 0) {
      this.#notes.push(
        "no source state was saved: sources begin as if for the first time, and may send messages again",
      );
    }
    const { segments, messages, uncommitted, deadLetters, sourceStates } = readStats(this.#into, this.#work);
    const messagesLost = lost.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    const saved = { segments, messages, uncommitted, deadLetters, sourceStates };
    const lossKnown = this.#readWhole && this.#damaged.values().every(({ counted }) => counted);
    return { ...saved, checkpoint, lost, messagesLost, lossKnown, notes: this.#notes };
  }

  #checkpoint(): number {
    const known = this.#marks.get("checkpoint");
    // A store that has not committed anything has no checkpoint, and its other marks say so.
    if (known !== undefined || this.#marks.size > 0) return known ?? 0;
    this.#notes.push("the checkpoint could not be read: every message that was saved is delivered again");
    const lowest = this.#into.prepare("SELECT min(first) AS first FROM segment").get()?.["first"];
    return typeof lowest === "number" ? lowest - 1 : 0;
  }

  /** Damaged segments, and gaps beyond the checkpoint that no void explains. */
  #lost(checkpoint: number, lastVoid: number): LostRange[] {
    const lost: LostRange[] = [];
    for (const [first, { last, why }] of this.#damaged) {
      if (last > checkpoint) lost.push({ from: Math.max(first, checkpoint + 1), to: last, why });
    }
    const known = [...this.#damaged].map(([first, { last }]) => ({ first, last }));
    for (const row of this.#into.prepare("SELECT first, count FROM segment").all()) {
      known.push({ first: Number(row["first"]), last: Number(row["first"]) + Number(row["count"]) - 1 });
    }
    known.sort((a, b) => a.first - b.first);
    let accounted = Math.max(checkpoint, lastVoid);
    for (const { first, last } of known) {
      if (first - 1 > accounted) lost.push({ from: accounted + 1, to: first - 1, why: "no readable row holds them" });
      accounted = Math.max(accounted, last);
    }
    return lost.sort((a, b) => a.from - b.from);
  }
}

function readMarks(db: DatabaseSync): ReadonlyMap<MetaKey, number> {
  const keys = ["schema_version", "checkpoint", "last_void"] as const;
  return new Map(keys.map((key) => [key, readMeta(db, key)]));
}

function readStates(db: DatabaseSync): ReadonlyMap<string, Uint8Array> {
  const rows = db.prepare("SELECT source, state FROM source_state").all();
  return new Map(rows.map((row) => [String(row["source"]), blob(row["state"])]));
}

function copyFile(from: string, to: string): void {
  if (fileSize(from) !== undefined) Deno.copyFileSync(from, to);
}

function removeFile(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // Not every file of the working copy comes into being.
  }
}
