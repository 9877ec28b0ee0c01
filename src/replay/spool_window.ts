/** Owns the reading of a window of the spool: messages that passed before, by their sequences. */

import { EventboatError } from "../diagnostics/mod.ts";
import { type Meta, type Segment, segmentBytes, segmentMessageId, segmentMeta } from "../message/mod.ts";
import type { StoreStats } from "../store/mod.ts";
import type { Codecs, MessageCondition } from "./letter_condition.ts";
import type { WindowRequest } from "./replay_request.ts";

/** Where segments are read: the store of a running pipeline, or its file from outside. */
export interface SpoolSource {
  readSegments(afterSeq: number, bytesMax: number): readonly Segment[] | Promise<readonly Segment[]>;
  stats(): StoreStats | Promise<StoreStats>;
}

/** One message of the spool. */
export interface SpooledMessage {
  readonly seq: number;
  readonly messageId: string;
  /** The node that it entered, or the source that it came out of. */
  readonly node: string;
  readonly source: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly codec: string;
  readonly meta: Meta;
}

/** Which messages of the window. */
export interface WindowChoice {
  readonly window: WindowRequest;
  /** Only what came in at this time or later. */
  readonly sinceMs?: number;
  readonly condition?: MessageCondition;
  readonly codecs: Codecs;
}

/** Bytes of segments read at once. */
const READ_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Gives the chosen messages of a window, a segment's at a time; never none. Where no end is given, it ends with what is
 * spooled now.
 * @throws {EventboatError} `usage` when the window begins below what is kept, or where nothing is.
 */
export async function* readWindow(
  spool: SpoolSource,
  choice: WindowChoice,
): AsyncGenerator<readonly SpooledMessage[], void, undefined> {
  const { from, to = Infinity } = choice.window;
  const { firstSeq, lastSeq } = await spool.stats();
  refuseOutside(from, firstSeq, lastSeq);
  const last = Math.min(to, lastSeq);
  for (let after = from - 1; after < last;) {
    const segments = await spool.readSegments(after, READ_BYTES_MAX);
    if (segments.length === 0) return;
    // A disk that ran full makes the store give up what has committed, and this is what has.
    const { firstSeq: kept } = await spool.stats();
    if (kept > after + 1 && kept > from) refuseOutside(after + 1, kept, lastSeq);
    for (const segment of segments) {
      if (segment.first > last) return;
      const chosen = choose(segment, { after, last }, choice);
      if (chosen.length > 0) yield chosen;
      after = segment.first + segment.count - 1;
    }
  }
}

function refuseOutside(from: number, firstSeq: number, lastSeq: number): void {
  if (lastSeq === 0) {
    throw new EventboatError("usage", `cannot replay from sequence ${from}: nothing is spooled any more`);
  }
  if (from >= firstSeq && from <= lastSeq) return;
  const why = from < firstSeq
    ? `the spool begins at sequence ${firstSeq}; what came before was trimmed`
    : `the spool ends at sequence ${lastSeq}`;
  throw new EventboatError("usage", `cannot replay from sequence ${from}: ${why}`, {
    hint: from < firstSeq
      ? `--from ${firstSeq} takes all that is kept; storage.spool_retention says how much that is`
      : "`eventboat store stats` shows which sequences are kept",
  });
}

function choose(
  segment: Segment,
  { after, last }: { readonly after: number; readonly last: number },
  { sinceMs, condition, codecs }: WindowChoice,
): readonly SpooledMessage[] {
  const chosen: SpooledMessage[] = [];
  const from = Math.max(0, after + 1 - segment.first);
  const to = Math.min(segment.count, last + 1 - segment.first);
  for (let i = from; i < to; i++) {
    const message: SpooledMessage = {
      seq: segment.first + i,
      messageId: segmentMessageId(segment, i),
      node: segment.injectedAt ?? segment.source,
      source: segment.source,
      bytes: segmentBytes(segment, i),
      codec: segment.codec,
      meta: segmentMeta(segment, i),
    };
    if (sinceMs !== undefined && !(Date.parse(String(message.meta["ingest_time"])) >= sinceMs)) continue;
    if (condition === undefined || condition.holds(message, codecs)) chosen.push(message);
  }
  return chosen;
}
