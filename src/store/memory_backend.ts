/** Owns the store's twin in memory: it behaves like the one on disk and forgets everything with its process. */

import { DEAD_LETTER_PAGE_BYTES_MAX, type StoreBackend, type WriteGroup } from "./backend.ts";
import type { DeadLetterMark, DeadLetterQuery, StoreStart, StoreStats } from "./contract.ts";
import { overlapRefusal } from "./refusals.ts";
import { letterKey, type StoredLetter, type StoredLetterRow } from "./stored_letter.ts";
import { segmentLast, type StoredSegment } from "./stored_segment.ts";

/** What a memory backend keeps; a test opens it again after a "crash". Its fields are the backend's own. */
export class MemoryDisk {
  segments: StoredSegment[] = [];
  checkpoint = 0;
  lastVoid = 0;
  readonly states = new Map<string, Uint8Array<ArrayBuffer>>();
  /** By key, in the order of their ids. */
  readonly letters = new Map<string, StoredLetterRow>();
  lastLetterId = 0;
}

/** Schema version that the twin's statistics name: it has none, as it has no file. */
const MEMORY_SCHEMA_VERSION = 0;

/** A backend over a {@linkcode MemoryDisk}; of its own unless one is given. */
export class MemoryBackend implements StoreBackend {
  readonly start: StoreStart;
  readonly #disk: MemoryDisk;

  constructor(disk: MemoryDisk = new MemoryDisk()) {
    this.#disk = disk;
    const lastSeq = this.#lastSeq();
    this.start = {
      checkpoint: disk.checkpoint,
      lastSeq,
      nextSeq: Math.max(lastSeq, disk.checkpoint, disk.lastVoid) + 1,
      sourceStates: new Map([...disk.states].map(([source, state]) => [source, state.slice()])),
    };
  }

  commit(group: WriteGroup): void {
    const disk = this.#disk;
    // Everything that can refuse comes before the first change, so that a refused group changes nothing.
    let last = Math.max(this.#lastSeq(), disk.checkpoint);
    for (const segment of group.segments) {
      if (segment.first <= last) throw overlapRefusal(segment, last);
      last = segmentLast(segment);
    }
    disk.segments.push(...group.segments);
    disk.checkpoint = Math.max(disk.checkpoint, group.checkpoint);
    disk.lastVoid = Math.max(disk.lastVoid, group.lastVoid);
    for (const { source, state } of group.states) disk.states.set(source, state);
  }

  writeDeadLetters(letters: readonly StoredLetter[], lastVoid: number): void {
    const disk = this.#disk;
    for (const letter of letters) this.#writeLetter(letter);
    disk.lastVoid = Math.max(disk.lastVoid, lastVoid);
  }

  /** By its key; the first failure of a replay takes the record of the letter that was replayed. */
  #writeLetter({ replayOf, ...letter }: StoredLetter): void {
    const { letters } = this.#disk;
    const key = letterKey(letter);
    const same = letters.get(key);
    const replayed = replayOf === undefined || same !== undefined
      ? undefined
      : [...letters.values()].find(({ id, seq }) => id === replayOf && seq !== letter.seq);
    if (replayed === undefined) {
      const record = { ...letter, id: same?.id ?? ++this.#disk.lastLetterId };
      // Written again after a crash: the attempts of the letter that it took over have been added.
      const isAgain = replayOf !== undefined && same !== undefined;
      letters.set(key, isAgain ? kept(same, record, Math.max(letter.attempts, same.attempts)) : record);
      return;
    }
    // The map keeps the order of the ids, so the record changes its key where it stands.
    const before = letterKey(replayed);
    const entries = [...letters].map(([each, row]) =>
      each === before
        ? [key, kept(replayed, { ...letter, id: replayed.id }, replayed.attempts + letter.attempts)] as const
        : [each, row] as const
    );
    letters.clear();
    for (const [each, row] of entries) letters.set(each, row);
  }

  readSegments(afterSeq: number, bytesMax: number): StoredSegment[] {
    const read: StoredSegment[] = [];
    let bytes = 0;
    for (const segment of this.#disk.segments) {
      if (segmentLast(segment) <= afterSeq) continue;
      if (bytes > bytesMax) break;
      bytes += segment.bytes.length;
      read.push(ownCopy(segment));
    }
    return read;
  }

  trim(seq: number): void {
    this.#disk.segments = this.#disk.segments.filter((segment) => segmentLast(segment) > seq);
  }

  sweepDeadLetters(beforeMs: number, rowsMax: number): number {
    let swept = 0;
    for (const [key, letter] of this.#disk.letters) {
      if (swept >= rowsMax) break;
      if (letter.timeMs < beforeMs && this.#disk.letters.delete(key)) swept++;
    }
    return swept;
  }

  readDeadLetters(query: DeadLetterQuery): StoredLetterRow[] {
    const ids = query.ids === undefined ? undefined : new Set(query.ids);
    const read: StoredLetterRow[] = [];
    let bytes = 0;
    for (const letter of this.#disk.letters.values()) {
      if (read.length >= query.limit || bytes > DEAD_LETTER_PAGE_BYTES_MAX) break;
      if (letter.id <= (query.afterId ?? 0) || letter.timeMs < (query.sinceMs ?? -Infinity)) continue;
      if (query.runId !== undefined && letter.runId !== query.runId) continue;
      if (ids !== undefined && !ids.has(letter.id)) continue;
      if (query.node !== undefined && letter.node !== query.node) continue;
      if (query.class !== undefined && letter.class !== query.class) continue;
      if (query.content === false) {
        read.push(withoutContent(letter));
        continue;
      }
      bytes += letter.bytes.length + (letter.original?.length ?? 0);
      read.push(copyLetter(letter));
    }
    return read;
  }

  deleteDeadLetters(ids: readonly number[]): number {
    const wanted = new Set(ids);
    let deleted = 0;
    for (const [key, letter] of this.#disk.letters) {
      if (wanted.has(letter.id) && this.#disk.letters.delete(key)) deleted++;
    }
    return deleted;
  }

  discardDeadLetters(marks: readonly DeadLetterMark[]): number {
    const seqs = new Map(marks.map(({ id, seq }) => [id, seq]));
    let deleted = 0;
    for (const [key, letter] of this.#disk.letters) {
      if (seqs.get(letter.id) === letter.seq && this.#disk.letters.delete(key)) deleted++;
    }
    return deleted;
  }

  stats(): StoreStats {
    const { segments, checkpoint, letters, states } = this.#disk;
    const open = segments.filter((segment) => segmentLast(segment) > checkpoint);
    return {
      schemaVersion: MEMORY_SCHEMA_VERSION,
      checkpoint,
      firstSeq: segments[0]?.first ?? 0,
      lastSeq: this.#lastSeq(),
      segments: segments.length,
      messages: segments.reduce((sum, segment) => sum + segment.count, 0),
      bytes: segments.reduce((sum, segment) => sum + segment.bytes.length, 0),
      uncommitted: open.reduce((sum, one) => sum + segmentLast(one) - Math.max(checkpoint, one.first - 1), 0),
      deadLetters: letters.size,
      sourceStates: [...states.keys()].filter((name) => !name.includes("/")).length,
      fileBytes: 0,
    };
  }

  maintain(): void {}

  close(): void {}

  #lastSeq(): number {
    const last = this.#disk.segments.at(-1);
    return last === undefined ? 0 : segmentLast(last);
  }
}

/** Reads are transferred to the reader, which would take the twin's own buffers away. */
function ownCopy(segment: StoredSegment): StoredSegment {
  return {
    ...segment,
    idBase: segment.idBase.slice(),
    columns: segment.columns?.slice() ?? null,
    ends: segment.ends.slice(),
    bytes: segment.bytes.slice(),
  };
}

/** A record in the place of an earlier one, of which it keeps what only that one knows. */
function kept(before: StoredLetterRow, record: StoredLetterRow, attempts: number): StoredLetterRow {
  const original = before.original ?? record.original;
  const runId = record.runId ?? before.runId;
  return {
    ...record,
    attempts,
    ...(original === undefined ? {} : { original }),
    ...(runId === undefined ? {} : { runId }),
  };
}

function withoutContent({ original: _, ...letter }: StoredLetterRow): StoredLetterRow {
  return { ...letter, bytes: new Uint8Array() };
}

function copyLetter(letter: StoredLetterRow): StoredLetterRow {
  const original = letter.original === undefined ? {} : { original: letter.original.slice() };
  return { ...letter, bytes: letter.bytes.slice(), ...original };
}
