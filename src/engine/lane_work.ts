/** Owns the work of a lane: a batch comes in, its messages are decoded, the transform is applied, its results go out. */

import { Message, type MetaColumns, type MetaValue, type Segment, segmentBytes } from "../message/mod.ts";
import type { LanePlan, PlanCodec } from "../plan/mod.ts";
import { type CodecError, type Transform, TransformError } from "../plugin/mod.ts";
import type { LaneAnswer, LaneBatch, LaneMessage, LaneOutput, LaneResult, LaneSegment } from "./lane.ts";
import { LaneMeter } from "./lane_counts.ts";
import { nodeContext } from "./node_context.ts";
import { type EngineOptions, resolveEngineOptions } from "./options.ts";
import { SpentBuffers } from "./spent_buffers.ts";
import { TransformCalls } from "./transform_calls.ts";
import type { Applied } from "./transform_result.ts";

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

  /** Handles a batch; call it again only when the last call has settled. */
  async handle(batch: LaneBatch): Promise<LaneAnswer> {
    const messages = unpackBatch(batch, this.#codecs);
    const applied: Applied[] = new Array(messages.length);
    await this.#calls.applyAll(messages, applied, batch.timeoutMs);
    return {
      results: messages.map((message, i) => packResult(applied[i], message)),
      workedMs: this.#calls.workedMs,
      counts: this.#meter.take(),
    };
  }
}

/** The answer with every result that cannot cross as a failure of its message. */
export function crossableAnswer(answer: LaneAnswer): LaneAnswer {
  return { ...answer, results: answer.results.map((result) => crosses(result) ? result : UNCROSSABLE) };
}

const UNCROSSABLE: LaneResult = {
  failure: {
    kind: "other",
    message: "gave what is no plain data, such as a function: it cannot leave the lane it was made in",
    backtrace: undefined,
    retryable: false,
  },
};

function crosses(result: LaneResult): boolean {
  try {
    structuredClone(result);
    return true;
  } catch {
    return false; // What it holds is no data; there is nothing more to learn from the error.
  }
}

/** The messages as the engine has them: same sequences, identities, bytes and metadata. */
export function unpackBatch(
  { segment: packed, messages }: LaneBatch,
  codecs: ReadonlyMap<string, PlanCodec>,
): readonly Message[] {
  const segment = unpackSegment(packed);
  const decoded = decodeAll(packed, segment, messages, codecs.get(packed.codec));
  return messages.map((message, i) => {
    if (typeof message === "number") return new Message(segment, message, decoded[i]);
    const payload = "payload" in message ? message.payload : decoded[i];
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
  return typeof message !== "number" && "payload" in message;
}

/** A result as it crosses: what the transform changed. */
function packResult(applied: Applied, message: Message): LaneResult {
  if (applied === message) return "same";
  if (applied === undefined) return { outputs: [], isList: true };
  if (applied instanceof TransformError) {
    const { kind, message: reason, backtrace, retryable } = applied;
    return { failure: { kind, message: reason, backtrace, retryable } };
  }
  if (applied instanceof Message) return { outputs: [packOutput(applied, message)], isList: false };
  return { outputs: applied.map((output) => packOutput(output, message)), isList: true };
}

function packOutput(output: Message, message: Message): LaneOutput {
  const { payload, metaIfHeld, branch } = output;
  const added = branch.slice(message.branch === "" ? 0 : message.branch.length + 1);
  return {
    ...(payload === message.payload ? {} : { payload }),
    ...(metaIfHeld === undefined || metaIfHeld === message.metaIfHeld ? {} : { meta: metaIfHeld }),
    ...(added === "" ? {} : { branch: added }),
  };
}
