/** Owns the engine's side of what crosses to a lane and back: messages to batches, answers to results. */

import { type Message, type MetaValue, type Segment, segmentStart } from "../message/mod.ts";
import { TransformError } from "../plugin/mod.ts";
import type { LaneBatch, LaneMessage, LaneOutput, LaneResult, LaneSegment } from "./lane.ts";
import type { Applied } from "./transform_result.ts";

/** Most messages of one batch: enough that the way there and back costs each a fraction of a microsecond. */
export const LANE_MESSAGES_MAX = 128;
/** Most bytes of a batch of several messages: what is copied and held beside the engine's own. */
const LANE_BYTES_MAX = 1024 * 1024;

/** Cuts messages into runs that fit a batch each: of one segment, few enough, small enough. Gives their indexes. */
export function cutRuns(messages: readonly Message[]): readonly (readonly number[])[] {
  const runs: number[][] = [];
  let run: number[] = [];
  let bytes = 0;
  for (let i = 0; i < messages.length; i++) {
    const { segment, index } = messages[i]!; // i is within messages.
    const size = (segment.ends[index] ?? 0) - segmentStart(segment, index);
    const isFull = run.length >= LANE_MESSAGES_MAX || bytes + size > LANE_BYTES_MAX;
    if (run.length > 0 && (isFull || messages[i - 1]?.segment !== segment)) {
      runs.push(run);
      run = [];
      bytes = 0;
    }
    run.push(i);
    bytes += size;
  }
  if (run.length > 0) runs.push(run);
  return runs;
}

/** Packs messages of one segment; the bytes are a copy. `codecs` are those the lane can decode. */
export function packBatch(messages: readonly Message[], codecs: ReadonlySet<string>, timeoutMs: number): LaneBatch {
  const first = messages[0];
  if (first === undefined) throw new RangeError("cannot pack a batch of no messages");
  const { segment } = first;
  let [from, to] = [first.index, first.index + 1];
  for (const { index } of messages) {
    if (index < from) from = index;
    if (index >= to) to = index + 1;
  }
  const isDecoded = codecs.has(segment.codec);
  return {
    segment: packSegment(segment, from, to),
    messages: messages.map((message) => packMessage(message, isDecoded)),
    timeoutMs,
  };
}

function packSegment(segment: Segment, from: number, to: number): LaneSegment {
  const start = from === 0 ? 0 : (segment.ends[from - 1] ?? 0);
  const columns: { [key: string]: (MetaValue | undefined)[] } = Object.create(null);
  for (const key in segment.columns) {
    const column = segment.columns[key];
    columns[key] = Array.from({ length: to - from }, (_, i) => column?.[from + i]);
  }
  return {
    first: segment.first,
    count: segment.count,
    codec: segment.codec,
    source: segment.source,
    injectedAt: segment.injectedAt,
    // A copy: a view would take all of what it looks at along.
    idBase: segment.idBase.slice(),
    meta: segment.meta,
    from,
    bytes: segment.bytes.slice(start, segment.ends[to - 1]),
    ends: segment.ends.slice(from, to).map((end) => end - start),
    gap: segment.gap,
    columns,
  };
}

function packMessage(message: Message, isDecoded: boolean): number | LaneMessage {
  const { index, payloadChanged, isReplay, branch, metaIfHeld } = message;
  const isAsBytes = isDecoded && !payloadChanged;
  if (isAsBytes && !isReplay && branch === "" && metaIfHeld === undefined) return index;
  return {
    index,
    ...(isAsBytes ? {} : { payload: message.payload }),
    payloadChanged,
    isReplay,
    branch,
    ...(metaIfHeld === undefined ? {} : { meta: metaIfHeld }),
  };
}

/** What a lane said of a message, as if the transform had been called here: what did not change is shared with it. */
export function unpackResult(result: LaneResult, message: Message): Applied {
  if (result === "same") return message;
  if ("failure" in result) {
    const { kind, message: reason, backtrace, retryable } = result.failure;
    return new TransformError(kind, reason, { retryable, ...(backtrace === undefined ? {} : { backtrace }) });
  }
  const { outputs, isList } = result;
  if (isList) return outputs.map((output) => unpackOutput(output, message));
  const [output] = outputs;
  return output === undefined ? undefined : unpackOutput(output, message);
}

function unpackOutput(output: LaneOutput, message: Message): Message {
  return Object.keys(output).length === 0 ? message : message.derive(output);
}
