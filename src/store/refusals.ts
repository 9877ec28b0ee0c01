/** Owns the refusals that both backends share, so that both say the same. */

import { EventboatError } from "../diagnostics/mod.ts";
import { segmentLast, type StoredSegment } from "./stored_segment.ts";

/** A segment begins at or below what is stored or committed: `lastSeq`, the highest such sequence. */
export function overlapRefusal(segment: Pick<StoredSegment, "first" | "count">, lastSeq: number): EventboatError {
  return new EventboatError(
    "store_write",
    `a segment of the sequences ${segment.first} to ${segmentLast(segment)} was offered to a store whose last is ` +
      `${lastSeq}: a segment must begin beyond it`,
  );
}
