/** Owns the engine's side of what crosses to a lane and back: messages to batches, answers to results. */

import {
  type Message,
  type MessageChange,
  type Meta,
  type MetaValue,
  type Segment,
  segmentStart,
} from "../message/mod.ts";
import { type Applied, TransformError } from "../plugin/mod.ts";
import {
  LANE_CHANGES,
  LANE_SHAPES,
  type LaneAnswer,
  type LaneBatch,
  type LaneFailure,
  type LaneMessage,
  type LaneSegment,
  type LaneTexts,
} from "./lane.ts";
import { packValues, unpackValues } from "./lane_values.ts";

/** Most messages of one batch: enough that the way there and back costs each a fraction of a microsecond. */
export const LANE_MESSAGES_MAX = 512;
/** Most bytes of a batch of several messages: what is copied and held beside the engine's own. */
const LANE_BYTES_MAX = 1024 * 1024;

/** Cuts messages into runs that fit a batch each: of one segment, few enough, small enough. Gives their indexes. */
export function cutRuns(messages: readonly Message[], messagesMax = LANE_MESSAGES_MAX): readonly (readonly number[])[] {
  const runs: number[][] = [];
  let run: number[] = [];
  let [from, to] = [0, 0];
  for (let i = 0; i < messages.length; i++) {
    const { segment, index } = messages[i]!; // i is within messages.
    const isOther = run.length === 0 || messages[i - 1]?.segment !== segment;
    // What crosses is the range that they lie in, once, however many were made from one of them.
    const [newFrom, newTo] = isOther ? [index, index] : [Math.min(from, index), Math.max(to, index)];
    const isLarge = newFrom < newTo && bytesBetween(segment, newFrom, newTo) > LANE_BYTES_MAX;
    if (isOther || isLarge || run.length >= messagesMax) {
      runs.push(run = []);
      [from, to] = [index, index];
    } else [from, to] = [newFrom, newTo];
    run.push(i);
  }
  return runs;
}

function bytesBetween(segment: Segment, from: number, to: number): number {
  return (segment.ends[to] ?? 0) - segmentStart(segment, from);
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
  const payloads: unknown[] = [];
  return {
    segment: packSegment(segment, from, to),
    messages: messages.map((message) => packMessage(message, isDecoded, payloads)),
    payloads: packValues(payloads),
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

/** The message as it crosses; a payload that it brings is put behind the others. */
function packMessage(message: Message, isDecoded: boolean, payloads: unknown[]): number | LaneMessage {
  const { index, payloadChanged, isReplay, branch, metaIfHeld } = message;
  // Null may stand for bytes that nobody decoded, and is quickly said.
  const bringsPayload = !isDecoded || payloadChanged || message.payload === null;
  if (!bringsPayload && !isReplay && branch === "" && metaIfHeld === undefined) return index;
  if (bringsPayload) payloads.push(message.payload);
  return {
    index,
    bringsPayload,
    payloadChanged,
    isReplay,
    branch,
    ...(metaIfHeld === undefined ? {} : { meta: metaIfHeld }),
  };
}

/**
 * What a lane answered, as if the transform had been called here: what did not change is shared with the message.
 * Calls `give` with the position of every message in the batch and what it came to.
 */
export function unpackAnswer(
  answer: LaneAnswer,
  messages: readonly Message[],
  give: (position: number, applied: Applied) => void,
): void {
  const outputs = new Outputs(answer);
  let failed = 0;
  messages.forEach((message, position) => {
    const shape = answer.shapes[position];
    if (shape === LANE_SHAPES.same) give(position, message);
    else if (shape === LANE_SHAPES.one) give(position, outputs.next(message));
    else if (shape === LANE_SHAPES.failed) give(position, unpackFailure(answer.failures[failed++]));
    else give(position, Array.from({ length: shape ?? 0 }, () => outputs.next(message)));
  });
}

/** The outputs of an answer, one after the other. */
class Outputs {
  readonly #changes: Uint8Array;
  readonly #payloads: LaneTexts;
  #payloadsTaken = 0;
  readonly #metas: Iterator<unknown>;
  readonly #branches: Iterator<string>;
  #next = 0;

  constructor({ changes, payloads, metas, branches }: LaneAnswer) {
    this.#changes = changes;
    this.#payloads = payloads;
    this.#metas = unpackValues(metas).values();
    this.#branches = branches.values();
  }

  next(message: Message): Message {
    const changes = this.#changes[this.#next++] ?? 0;
    if (changes === 0) return message;
    if (changes === LANE_CHANGES.payload) return message.derive(this.#payload());
    return message.derive({
      ...((changes & LANE_CHANGES.payload) === 0 ? {} : this.#payload()),
      // The lane gave what a transform gave it as metadata.
      ...((changes & LANE_CHANGES.meta) === 0 ? {} : { meta: this.#metas.next().value as Meta }),
      ...((changes & LANE_CHANGES.branch) === 0 ? {} : { branch: this.#branches.next().value ?? "" }),
    });
  }

  #payload(): MessageChange {
    const at = this.#payloadsTaken++;
    const payloads = this.#payloads;
    if ("all" in payloads) return { payloadText: payloads.all.slice(payloads.ends[at - 1] ?? 0, payloads.ends[at]) };
    return { payload: payloads[at] };
  }
}

function unpackFailure(failure: LaneFailure | undefined): TransformError {
  if (failure === undefined) return new TransformError("other", "the lane gave no reason");
  const { kind, message, backtrace, retryable } = failure;
  return new TransformError(kind, message, { retryable, ...(backtrace === undefined ? {} : { backtrace }) });
}
