/** Owns the work of a lane: a batch comes in, its messages are decoded, the transform is applied, its results go out. */

import { Message, type MetaColumns, type MetaValue, type Segment, segmentBytes } from "../message/mod.ts";
import type { LanePlan, PlanCodec } from "../plan/mod.ts";
import { type Applied, type CodecError, type Transform, TransformError } from "../plugin/mod.ts";
import {
  LANE_CHANGES,
  LANE_SHAPES,
  type LaneAnswer,
  type LaneBatch,
  type LaneFailure,
  type LaneMessage,
  type LaneSegment,
} from "./lane.ts";
import { LaneMeter } from "./lane_counts.ts";
import { packTexts, packValues, unpackValues } from "./lane_values.ts";
import { nodeContext } from "./node_context.ts";
import { type EngineOptions, resolveEngineOptions } from "./options.ts";
import { SpentBuffers } from "./spent_buffers.ts";
import { TransformCalls } from "./transform_calls.ts";

/** What a lane works with. */
export interface LaneWorkOptions {
  readonly node: string;
  readonly plan: LanePlan;
  /** The engine's options, as far as they cross; what is counted goes with the answers. */
  readonly options: Partial<EngineOptions>;
  /** Told of every message before it is applied. */
  readonly begin: () => void;
}

/** Works on one batch after the other. */
export class LaneWork {
  readonly #codecs: ReadonlyMap<string, PlanCodec>;
  readonly #transform: Transform;
  readonly #calls: TransformCalls;
  readonly #meter = new LaneMeter();

  /** Makes the transform; {@linkcode LaneWork.init} is to be called next. */
  constructor({ node, plan, options, begin }: LaneWorkOptions) {
    // Nobody lets go of a lane's calls one by one: who lets go of the lane lets go of all.
    const released = new AbortController().signal;
    const core = { plan, options: resolveEngineOptions({ ...options, meter: this.#meter }), released };
    this.#codecs = plan.codecs;
    this.#transform = plan.create(nodeContext(core, { name: node }));
    this.#calls = new TransformCalls({ ...core, spent: new SpentBuffers() }, node, this.#transform, begin);
  }

  /** Codecs it can decode. */
  get codecs(): readonly string[] {
    return [...this.#codecs.keys()];
  }

  /** Initialises the transform. */
  async init(): Promise<void> {
    await this.#transform.init();
  }

  /** Closes the transform; no batch may be under way. */
  async close(): Promise<void> {
    this.#calls[Symbol.dispose]();
    await this.#transform.close();
  }

  /** Handles a batch and sends what came of it; call it again only when the last call has settled. */
  async handle(batch: LaneBatch, send: (answer: LaneAnswer) => void): Promise<void> {
    const messages = unpackBatch(batch, this.#codecs);
    const applied: Applied[] = new Array(messages.length);
    await this.#calls.applyAll(messages, applied, batch.timeoutMs);
    const rest = { workedMs: this.#calls.workedMs, counts: this.#meter.take() };
    try {
      send({ ...packResults(applied, messages), ...rest });
    } catch {
      // Something in it is no data, which is the failure of one message and not of all.
      send({ ...packResults(applied.map((each) => crosses(each) ? each : uncrossable()), messages), ...rest });
    }
  }
}

function uncrossable(): TransformError {
  return new TransformError("other", "gave what is no plain data, such as a function: it cannot leave its lane", {
    retryable: false,
  });
}

function crosses(applied: Applied): boolean {
  if (applied === undefined || applied instanceof TransformError) return true;
  try {
    const outputs = applied instanceof Message ? [applied] : applied;
    for (const { payload, metaIfHeld } of outputs) structuredClone([payload, metaIfHeld]);
    return true;
  } catch {
    return false; // What it holds is no data; there is nothing more to learn from the error.
  }
}

/** The messages as the engine has them: same sequences, identities, bytes and metadata. */
export function unpackBatch(
  { segment: packed, messages, payloads: brought }: LaneBatch,
  codecs: ReadonlyMap<string, PlanCodec>,
): readonly Message[] {
  const segment = unpackSegment(packed);
  const decoded = decodeAll(packed, segment, messages, codecs.get(packed.codec));
  const payloads = unpackValues(brought).values();
  return messages.map((message, i) => {
    if (typeof message === "number") return new Message(segment, message, decoded[i]);
    const payload = message.bringsPayload ? payloads.next().value : decoded[i];
    const { index, isReplay, payloadChanged, branch, meta } = message;
    return new Message(segment, index, payload, isReplay, payloadChanged, branch, meta);
  });
}

function unpackSegment(packed: LaneSegment): Segment {
  const { first, count, codec, source, injectedAt, idBase, meta, from, bytes, gap } = packed;
  const ends = new Uint32Array(from + packed.ends.length);
  ends.set(packed.ends, from);
  const columns: { [key: string]: MetaColumns[string] } = Object.create(null);
  for (const key in packed.columns) {
    const column: (MetaValue | undefined)[] = new Array(from).fill(undefined);
    columns[key] = column.concat(packed.columns[key] ?? []);
  }
  return {
    first,
    count,
    bytes,
    ends,
    gap,
    codec,
    source,
    ...(injectedAt === undefined ? {} : { injectedAt }),
    idBase,
    meta,
    columns,
  };
}

/** Payloads by position in the batch; left out for messages that brought theirs. */
function decodeAll(
  packed: LaneSegment,
  segment: Segment,
  messages: LaneBatch["messages"],
  codec: PlanCodec | undefined,
): readonly unknown[] {
  const payloads: unknown[] = new Array(messages.length);
  // Messages side by side, each from its bytes, are decoded at once.
  const isWhole = messages.length === packed.ends.length &&
    messages.every((message, i) => indexOf(message) === packed.from + i && !brings(message));
  if (isWhole && codec?.codec.decodeMany !== undefined) {
    const start = packed.from === 0 ? 0 : packed.gap;
    const ends = start === 0 ? packed.ends : packed.ends.map((end) => end - start);
    const errors: CodecError[] = [];
    codec.codec.decodeMany(packed.bytes.subarray(start), ends, packed.gap, payloads, (_, error) => errors.push(error));
    // The engine has decoded every one of them before.
    if (errors[0] !== undefined) throw errors[0];
    return payloads;
  }
  messages.forEach((message, i) => {
    if (brings(message)) return;
    if (codec === undefined) throw new TransformError("other", `the lane has no codec ${packed.codec}`);
    payloads[i] = codec.codec.decode(segmentBytes(segment, indexOf(message)));
  });
  return payloads;
}

function indexOf(message: number | LaneMessage): number {
  return typeof message === "number" ? message : message.index;
}

function brings(message: number | LaneMessage): boolean {
  return typeof message !== "number" && message.bringsPayload;
}

/** The results as they cross: what the transform changed, and nothing else. */
function packResults(
  applied: readonly Applied[],
  messages: readonly Message[],
): Omit<LaneAnswer, "workedMs" | "counts"> {
  const shapes = new Int32Array(messages.length);
  const failures: LaneFailure[] = [];
  const outputs = new PackedOutputs();
  messages.forEach((message, i) => {
    const each = applied[i];
    if (each === message) shapes[i] = LANE_SHAPES.same;
    else if (each instanceof Message) {
      shapes[i] = LANE_SHAPES.one;
      outputs.add(each, message);
    } else if (each instanceof TransformError) {
      shapes[i] = LANE_SHAPES.failed;
      const { kind, message: reason, backtrace, retryable } = each;
      failures.push({ kind, message: reason, backtrace, retryable });
    } else if (each !== undefined) {
      shapes[i] = each.length;
      for (const output of each) outputs.add(output, message);
    }
  });
  return { shapes, failures, ...outputs.packed() };
}

/** The outputs of a batch in columns. */
class PackedOutputs {
  readonly #changes: number[] = [];
  readonly #payloads: unknown[] = [];
  readonly #metas: unknown[] = [];
  readonly #branches: string[] = [];

  add(output: Message, message: Message): void {
    const { payload, metaIfHeld, branch } = output;
    let changes = 0;
    if (payload !== message.payload) {
      changes |= LANE_CHANGES.payload;
      this.#payloads.push(payload);
    }
    if (metaIfHeld !== undefined && metaIfHeld !== message.metaIfHeld) {
      changes |= LANE_CHANGES.meta;
      this.#metas.push(metaIfHeld);
    }
    if (branch !== message.branch) {
      changes |= LANE_CHANGES.branch;
      this.#branches.push(branch.slice(message.branch === "" ? 0 : message.branch.length + 1));
    }
    this.#changes.push(changes);
  }

  packed(): Pick<LaneAnswer, "changes" | "payloads" | "metas" | "branches"> {
    return {
      changes: Uint8Array.from(this.#changes),
      payloads: packTexts(this.#payloads),
      metas: packValues(this.#metas),
      branches: this.#branches,
    };
  }
}
