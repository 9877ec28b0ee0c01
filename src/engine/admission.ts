/** Owns how messages enter: slots, stamps, sequences, the append, and what its answer means. */

import { idBase } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import {
  EDGE_COLUMN,
  type Emission,
  HIDDEN_COLUMN_PREFIX,
  LETTER_COLUMN,
  type Meta,
  type MetaColumns,
  pack,
  type Segment,
  SEGMENT_BYTES_MAX,
  segmentStart,
  sliceEmission,
} from "../message/mod.ts";
import type { PlanSource } from "../plan/mod.ts";
import type { Emit } from "../plugin/mod.ts";
import type { AppendResult } from "../store/mod.ts";
import type { Histogram } from "../telemetry/mod.ts";
import type { Checkpointer } from "./checkpointer.ts";
import type { AdmissionRecord } from "./commit_ledger.ts";
import type { EngineCore } from "./core.ts";
import { emissionFault } from "./emission_check.ts";
import type { Entry } from "./entry.ts";

/** A message to be injected: it keeps its codec, its metadata and, when it has one, its `message_id`. */
export interface InjectedMessage {
  readonly bytes: Uint8Array;
  /** Name of its codec. */
  readonly codec: string;
  readonly meta?: Meta;
}

/** A message that was here before: it keeps all its metadata, its identity among it, and is marked as a replay. */
export interface ReplayedMessage extends InjectedMessage {
  /** The source node it first came from. */
  readonly source: string;
  /** The dead letter it is a replay of. A failure takes that letter's record over. */
  readonly letter?: number;
  /** `from->to`: the edge over which it came to the node. Its policy holds again. */
  readonly edge?: string;
}

/** What the segments of one admission have in common. */
interface Admitted {
  readonly codec: string;
  /** The source node, or the node of an injection. */
  readonly node: string;
  readonly injectedAt?: string;
  /** Whether srcSeqs count towards the source's watermark. */
  readonly live: boolean;
  /** The source that messages of a replay first came from. */
  readonly replayOf?: string;
  /** Called once all of it has committed, and everything before it. */
  readonly committed?: () => void;
}

/** A batch on its way in. */
interface Batch {
  readonly count: number;
  /** Its messages, in parts that each fit a segment. */
  readonly slices: readonly Emission[];
  readonly admitted: Admitted;
}

/** Lets messages in, live and injected. */
export class Admission {
  readonly #core: EngineCore;
  readonly #entry: Entry;
  readonly #checkpointer: Checkpointer;
  /** Aborts when nobody waits for room any more; what fits at once still enters, such as a group's last lines. */
  readonly #stopping: AbortSignal;
  /** Aborts when no message may enter any more. */
  readonly #closed: AbortSignal;
  /** Per node, the end of the line of what is durable and on its way into the graph. */
  readonly #lines = new Map<string, Promise<void>>();
  /** Per node, why a batch of it was refused last. */
  readonly #refusals = new Map<string, EventboatError>();
  readonly #appendDuration: Histogram;
  #nextSeq: number;

  constructor(
    core: EngineCore,
    entry: Entry,
    checkpointer: Checkpointer,
    { stopping, closed }: { readonly stopping: AbortSignal; readonly closed: AbortSignal },
  ) {
    this.#core = core;
    this.#entry = entry;
    this.#checkpointer = checkpointer;
    this.#stopping = stopping;
    this.#closed = closed;
    this.#nextSeq = core.store.start.nextSeq;
    this.#appendDuration = core.options.meter.histogram("spool_append_seconds", { pipeline: core.plan.name });
  }

  /** What a source is given to emit with. */
  emitter(source: PlanSource): Emit {
    const admitted: Admitted = { codec: source.decoder.name, node: source.name, live: true };
    return (batch) => this.#admit(batch, admitted);
  }

  /** Brings messages in at a node: out of it when it is a source, else into it. Resolves when they are durable. */
  async inject(node: string, isSource: boolean, messages: readonly InjectedMessage[]): Promise<void> {
    const { plan, options } = this.#core;
    const messagesMax = Math.min(options.segmentMessagesMax, plan.limits.maxInFlight);
    for (let from = 0; from < messages.length;) {
      const codec = messages[from]?.codec ?? "json";
      let to = from;
      while (to < messages.length && to - from < messagesMax && messages[to]?.codec === codec) to++;
      const batch = pack(messages.slice(from, to), 1);
      await this.#admit(batch, { codec, node, live: false, ...(isSource ? {} : { injectedAt: node }) });
      from = to;
    }
  }

  /**
   * Brings messages in again, as {@linkcode Admission.inject} does. `committed` is told, in order, of runs of messages
   * of which every one has committed.
   */
  async replay(
    node: string,
    isSource: boolean,
    messages: readonly ReplayedMessage[],
    committed: (messages: readonly ReplayedMessage[]) => void,
  ): Promise<void> {
    const { plan, options } = this.#core;
    const messagesMax = Math.min(options.segmentMessagesMax, plan.limits.maxInFlight);
    for (let from = 0; from < messages.length;) {
      const { codec, source } = messages[from]!; // from is within messages.
      let to = from;
      const alike = (one: ReplayedMessage | undefined) => one?.codec === codec && one.source === source;
      while (to < messages.length && to - from < messagesMax && alike(messages[to])) to++;
      const run = messages.slice(from, to);
      const batch = pack(run.map(({ bytes, meta, letter, edge }) => ({ bytes, meta: hiding(meta, letter, edge) })), 1);
      await this.#admit(batch, {
        codec,
        node,
        live: false,
        replayOf: source,
        committed: () => committed(run),
        ...(isSource ? {} : { injectedAt: node }),
      });
      from = to;
    }
  }

  /** Resolves when everything durable has entered the graph, or the engine has let go. */
  async entered(): Promise<void> {
    await Promise.all(this.#lines.values());
  }

  async #admit(batch: Emission, admitted: Admitted): Promise<void> {
    const fault = emissionFault(batch);
    try {
      if (fault !== undefined) throw malformed(admitted, `it ${fault}`);
      const count = batch.ends.length;
      if (count === 0) return;
      const { maxInFlight } = this.#core.plan.limits;
      if (count > maxInFlight) {
        throw new EventboatError(
          "batch_too_large",
          `cannot admit a batch of ${count} messages from ${admitted.node}: limits.max_in_flight is ${maxInFlight}`,
          { node: admitted.node },
        );
      }
      this.#core.spent.comes(batch.bytes);
      await this.#enter({ count, slices: this.#slices(batch), admitted });
    } catch (caught) {
      if (fault === undefined) this.#core.spent.turnedAway(batch.bytes);
      // What the source emits next must not carry its watermark over a batch that is nowhere.
      if (admitted.live) this.#core.ledger.turnedAway(admitted.node, fault === undefined ? batch.firstSrcSeq : 1);
      throw caught;
    }
  }

  /** Takes the slots, waiting for them, and appends in the moment they are taken: in the order of the calls. */
  async #enter(batch: Batch): Promise<void> {
    const { gate, counters } = this.#core;
    const { count, slices, admitted } = batch;
    if (this.#closed.aborted) throw noMore();
    const bytes = slices.reduce((sum, slice) => sum + slice.bytes.length, 0);
    if (gate.tryEnter(count, bytes)) return await this.#append(batch, bytes);
    counters.count("backpressureEvents", 1, "backpressure_events_total", { source: admitted.node });
    const refusal = this.#refusals.get(admitted.node);
    let isIn = false;
    const append = () => {
      isIn = true;
      const since = this.#refusals.get(admitted.node);
      if (since === refusal || since === undefined) return this.#append(batch, bytes);
      // One before it was refused while it waited: the two keep their order only when it shares that fate.
      this.#giveBack(count, bytes);
      return Promise.reject(since);
    };
    try {
      await gate.enter(count, bytes, this.#stopping, append);
    } catch (caught) {
      throw isIn ? caught : noMore(caught);
    }
  }

  /** Parts of a batch that each fit a segment. */
  #slices(batch: Emission): readonly Emission[] {
    const { segmentMessagesMax } = this.#core.options;
    if (batch.ends.length <= segmentMessagesMax && batch.bytes.length <= SEGMENT_BYTES_MAX) return [batch];
    const slices: Emission[] = [];
    for (let from = 0; from < batch.ends.length;) {
      const start = segmentStart(batch, from);
      let to = from + 1;
      while (
        to < batch.ends.length && to - from < segmentMessagesMax &&
        (batch.ends[to] ?? 0) - start <= SEGMENT_BYTES_MAX
      ) to++;
      slices.push(sliceEmission(batch, from, to));
      from = to;
    }
    return slices;
  }

  /** Makes a batch durable as a whole and lets it into the graph. Up to the append nothing is awaited. */
  async #append({ count, slices, admitted }: Batch, bytes: number): Promise<void> {
    const { store, ledger, options, counters } = this.#core;
    this.#checkpointer.ride();
    let next = this.#nextSeq;
    const segments = slices.map((slice) => {
      const segment = this.#segment(slice, next, admitted);
      next += segment.count;
      return segment;
    });
    let answer: Promise<AppendResult>;
    try {
      answer = segments.length === 1 ? store.append(segments[0]!) : store.appendAll(segments); // Length seen.
    } catch (caught) {
      // Metadata that cannot be printed. Nothing was asked of the store, so no number is used up.
      this.#giveBack(count, bytes);
      throw malformed(admitted, EventboatError.from(caught).message, caught);
    }
    this.#nextSeq = next;
    const records = segments.map((segment, i) => ({
      ...recordOf(segment, admitted, slices[i]?.firstSrcSeq ?? 1),
      ...(i === segments.length - 1 && admitted.committed !== undefined ? { committed: admitted.committed } : {}),
      ...(segments.length === 1 ? { payload: segment.bytes } : {}),
    }));
    for (const record of records) ledger.assigned(record);
    const askedMs = options.clock.monotonic();
    const result = await answer;
    this.#appendDuration.record((options.clock.monotonic() - askedMs) / 1000);
    if (result.kind !== "durable") return this.#turnAway(result, records, admitted.node);
    const acceptedAtMs = admitted.live ? options.clock.monotonic() : undefined;
    for (const record of records) ledger.arrived(record, acceptedAtMs);
    counters.count("messagesIn", count, "messages_in_total", { source: admitted.node });
    for (const segment of segments) this.#enqueue(segment, admitted);
  }

  /** Frees what the gate gave to a batch that took no sequences. */
  #giveBack(count: number, bytes: number): void {
    this.#core.gate.releaseSlots(count);
    this.#core.gate.releaseWindow(count, bytes);
    this.#core.ledger.settle();
  }

  #segment(batch: Emission, first: number, admitted: Admitted): Segment {
    const { options } = this.#core;
    const nowMs = options.clock.now();
    const stamps: Meta = {
      // A replay keeps those that it was given when it came in first.
      ...(admitted.replayOf === undefined
        ? { ingest_time: new Date(nowMs).toISOString(), source: admitted.node, ...options.stamps }
        : {}),
      ...(admitted.injectedAt === undefined ? {} : { injected_at: admitted.injectedAt }),
    };
    return {
      first,
      count: batch.ends.length,
      bytes: batch.bytes,
      ends: batch.ends,
      gap: batch.gap,
      codec: admitted.codec,
      source: admitted.injectedAt === undefined ? admitted.node : admitted.replayOf ?? admitted.node,
      ...(admitted.injectedAt === undefined ? {} : { injectedAt: admitted.injectedAt }),
      idBase: idBase(nowMs, options.random),
      meta: { ...batch.meta, ...stamps },
      columns: withoutKeys(batch.columns, stamps, admitted),
    };
  }

  #turnAway(
    result: Exclude<AppendResult, { kind: "durable" }>,
    records: readonly AdmissionRecord[],
    node: string,
  ): never {
    const { ledger, counters } = this.#core;
    counters.count("spoolFailures", 1, "spool_failures_total");
    if (result.kind === "unknown") {
      for (let i = 0; i < records.length; i++) ledger.lost();
      this.#core.fail(result.error);
      throw new EventboatError("shutdown", "the engine has stopped: whether a batch is durable cannot be known", {
        cause: result.error,
        node,
      });
    }
    const isEnd = this.#closed.aborted && result.error.code === "store_closed";
    const error = isEnd ? noMore(result.error) : refusal(node, result.error);
    // Before the slots are free: whoever waits for them behind this batch is refused with it.
    this.#refusals.set(node, error);
    for (const record of records) ledger.refused(record);
    throw error;
  }

  /** Lets a durable segment into the graph behind those of the same node. */
  #enqueue(segment: Segment, { node, replayOf }: Admitted): void {
    const before = this.#lines.get(node) ?? Promise.resolve();
    const range = { segment, from: 0, to: segment.count, isReplay: replayOf !== undefined };
    const entering = before.then(() => this.#entry.enter(range));
    this.#lines.set(
      node,
      entering.catch((caught) => this.#core.fail(EventboatError.from(caught, "internal", { node }))),
    );
  }
}

function recordOf(segment: Segment, admitted: Admitted, firstSrcSeq: number): AdmissionRecord {
  return {
    first: segment.first,
    count: segment.count,
    bytes: segment.bytes.length,
    ...(admitted.live ? { origin: { source: admitted.node, firstSrcSeq } } : {}),
  };
}

/** The metadata of a replay with what the engine keeps for itself. */
function hiding(meta: Meta | undefined, letter: number | undefined, edge: string | undefined): Meta {
  return {
    ...meta,
    ...(letter === undefined ? {} : { [LETTER_COLUMN]: letter }),
    ...(edge === undefined ? {} : { [EDGE_COLUMN]: edge }),
  };
}

/**
 * A source's own metadata does not overrule the engine's stamps, neither shared nor message by message, and sets none of
 * the engine's own columns.
 */
function withoutKeys(columns: MetaColumns | undefined, stamps: Meta, { replayOf }: Admitted): MetaColumns {
  if (columns === undefined) return {};
  const isKept = (key: string) =>
    !Object.hasOwn(stamps, key) && (replayOf !== undefined || !key.startsWith(HIDDEN_COLUMN_PREFIX));
  if (Object.keys(columns).every(isKept)) return columns;
  const left: Record<string, MetaColumns[string]> = Object.create(null);
  for (const key in columns) if (isKept(key)) left[key] = columns[key]!; // An own key of columns.
  return left;
}

function noMore(cause?: unknown): EventboatError {
  const because = cause === undefined ? {} : { cause };
  return new EventboatError("shutdown", "the engine accepts no more messages", because);
}

function refusal(node: string, cause: EventboatError): EventboatError {
  return new EventboatError("refused", `cannot accept messages from ${node}: ${cause.message}`, {
    cause,
    node,
    ...(cause.hint === undefined ? {} : { hint: cause.hint }),
  });
}

function malformed({ node, live }: Admitted, what: string, cause?: unknown): EventboatError {
  const because = cause === undefined ? {} : { cause };
  return new EventboatError(live ? "source_failed" : "usage", `cannot admit a batch from ${node}: ${what}`, {
    node,
    ...because,
  });
}
