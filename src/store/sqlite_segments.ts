/** Owns the rows of segments: how one is written, read and checked. */

import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { EventboatError } from "../diagnostics/mod.ts";
import { segmentFault, segmentLast, type StoredSegment } from "./stored_segment.ts";

/** One row as node:sqlite gives it. */
export type Row = Record<string, SQLOutputValue>;

/** The columns of a segment's row, in the order of the table. */
export const SEGMENT_COLUMNS =
  "first, count, gap, codec, source, injected_at, id_base, crc, meta, columns, ends, bytes";

/** Writes, reads and deletes segments through statements that are prepared once. */
export class SqliteSegments {
  readonly #insert: StatementSync;
  readonly #next: StatementSync;
  readonly #last: StatementSync;
  readonly #trim: StatementSync;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare(`INSERT INTO segment (${SEGMENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    // The segment that holds the first wanted message begins at or before it, and no other one lies between.
    this.#next = db.prepare(
      `SELECT ${SEGMENT_COLUMNS} FROM segment
       WHERE first >= coalesce((SELECT max(first) FROM segment WHERE first <= :seq), :seq) AND first + count > :seq
       ORDER BY first LIMIT 1`,
    );
    this.#last = db.prepare("SELECT first, count FROM segment ORDER BY first DESC LIMIT 1");
    this.#trim = db.prepare("DELETE FROM segment WHERE first <= :seq AND first + count - 1 <= :seq");
  }

  insert(segment: StoredSegment): void {
    this.#insert.run(
      segment.first,
      segment.count,
      segment.gap,
      segment.codec,
      segment.source,
      segment.injectedAt,
      segment.idBase,
      segmentCrc(segment),
      segment.meta,
      segment.columns,
      segment.ends,
      segment.bytes,
    );
  }

  /** Segments that end beyond `afterSeq`, until `bytesMax` is passed. Throws `store_corrupt` at the first damaged one. */
  read(afterSeq: number, bytesMax: number, path: string): StoredSegment[] {
    const read: StoredSegment[] = [];
    let bytes = 0;
    // Row by row with `get`: the platform's `iterate` ends at a damaged page as if there were nothing more.
    for (let seq = afterSeq + 1; bytes <= bytesMax;) {
      const row = this.#next.get({ seq });
      if (row === undefined) break;
      const segment = segmentOfRow(row);
      const fault = rowFault(row, segment);
      if (fault !== undefined) throw damaged(segment, fault, path);
      read.push(segment);
      bytes += segment.bytes.length;
      seq = segmentLast(segment) + 1;
    }
    return read;
  }

  /** The highest stored sequence; 0 when there is none. */
  lastSeq(): number {
    const row = this.#last.get();
    return row === undefined ? 0 : Number(row["first"]) + Number(row["count"]) - 1;
  }

  trim(seq: number): number {
    return Number(this.#trim.run({ seq }).changes);
  }
}

/** The checksum that a segment's row carries. */
export function segmentCrc(segment: StoredSegment): number {
  const meta = crc32(segment.meta);
  const columns = segment.columns === null ? meta : crc32(segment.columns, meta);
  return crc32(segment.bytes, crc32(segment.ends, columns));
}

/** The segment of a row. Looks at no content: see {@linkcode rowFault}. */
export function segmentOfRow(row: Row): StoredSegment {
  return {
    first: Number(row["first"]),
    count: Number(row["count"]),
    gap: row["gap"] === 1 ? 1 : 0,
    codec: String(row["codec"]),
    source: String(row["source"]),
    injectedAt: row["injected_at"] === null ? null : String(row["injected_at"]),
    idBase: blob(row["id_base"]),
    meta: String(row["meta"]),
    columns: row["columns"] === null ? null : blob(row["columns"]),
    ends: blob(row["ends"]),
    bytes: blob(row["bytes"]),
  };
}

/** What is damaged in a row; `undefined` when nothing is. */
export function rowFault(row: Row, segment: StoredSegment): string | undefined {
  const fault = segmentFault(segment);
  if (fault !== undefined) return fault;
  return row["crc"] === segmentCrc(segment) ? undefined : "its content does not match its checksum";
}

/** A blob's bytes; none when the value is of another type. */
export function blob(value: SQLOutputValue | undefined): Uint8Array<ArrayBuffer> {
  if (!(value instanceof Uint8Array)) return new Uint8Array();
  return value.buffer instanceof ArrayBuffer
    ? new Uint8Array(value.buffer, value.byteOffset, value.length)
    : value.slice();
}

function damaged(segment: StoredSegment, fault: string, path: string): EventboatError {
  return new EventboatError(
    "store_corrupt",
    `the segment of sequences ${segment.first} to ${segmentLast(segment)} in the store ${path} is damaged: ${fault}`,
    {
      hint:
        "Stop the pipeline; `eventboat store check` lists everything that is damaged, `eventboat store salvage` saves " +
        "every readable segment into a new store and leaves this one as it is.",
    },
  );
}
