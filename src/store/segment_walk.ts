/** Owns the reading of every segment of a file that may be damaged: from both ends, around whatever cannot be read. */

import type { DatabaseSync } from "node:sqlite";
import { reasonOf } from "../diagnostics/mod.ts";
import { type Row, rowFault, SEGMENT_COLUMNS, segmentOfRow } from "./sqlite_segments.ts";
import { loadSegment, type StoredSegment } from "./stored_segment.ts";

/** What a walk meets. */
export type WalkStep =
  | { readonly kind: "segment"; readonly segment: StoredSegment }
  /** A row that is there and cannot be used. `count` is 0 when not even that can be read. */
  | { readonly kind: "damaged"; readonly first: number; readonly count: number; readonly fault: string }
  /** The tree of rows is broken beyond this sequence. What follows comes from the end, in descending order. */
  | { readonly kind: "broken"; readonly after: number; readonly fault: string };

/** Segments in ascending order up to the first break, then from the end down to it. One is in memory at a time. */
export function* walkSegments(db: DatabaseSync): Generator<WalkStep> {
  const up = db.prepare("SELECT first FROM segment WHERE first > ? ORDER BY first LIMIT 1");
  const down = db.prepare("SELECT first FROM segment WHERE first < ? ORDER BY first DESC LIMIT 1");
  let after = 0;
  try {
    for (let row = up.get(after); row !== undefined; row = up.get(after)) {
      after = Number(row["first"]);
      yield readSegment(db, after);
    }
    return;
  } catch (caught) {
    yield { kind: "broken", after, fault: reasonOf(caught) };
  }
  try {
    const reached = after;
    let before = Number.MAX_SAFE_INTEGER;
    for (let row = down.get(before); row !== undefined; row = down.get(before)) {
      before = Number(row["first"]);
      if (before <= reached) return;
      yield readSegment(db, before);
    }
  } catch {
    // The same break, seen from the other side.
  }
}

function readSegment(db: DatabaseSync, first: number): WalkStep {
  let row: Row | undefined;
  try {
    row = db.prepare(`SELECT ${SEGMENT_COLUMNS} FROM segment WHERE first = ?`).get(first);
  } catch (caught) {
    return { kind: "damaged", first, count: readCount(db, first), fault: reasonOf(caught) };
  }
  if (row === undefined) return { kind: "damaged", first, count: 0, fault: "it is listed and cannot be found" };
  const segment = segmentOfRow(row);
  const fault = rowFault(row, segment) ?? metaFault(segment);
  return fault === undefined ? { kind: "segment", segment } : { kind: "damaged", first, count: segment.count, fault };
}

/** The count lies at the beginning of the row and is often readable where the blobs are not. */
function readCount(db: DatabaseSync, first: number): number {
  try {
    return Number(db.prepare("SELECT count FROM segment WHERE first = ?").get(first)?.["count"] ?? 0);
  } catch {
    return 0;
  }
}

/** Why a segment's metadata cannot be read; `undefined` when it can. */
export function metaFault(segment: StoredSegment): string | undefined {
  try {
    loadSegment(segment);
    return undefined;
  } catch (caught) {
    return `its metadata cannot be read: ${reasonOf(caught)}`;
  }
}
