/** Owns how messages enter: slots, stamps, sequences, the append, and what its answer means. */

import { idBase } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import {
  type Emission,
  type Meta,
  pack,
  type Segment,
  SEGMENT_BYTES_MAX,
  segmentStart,
  sliceEmission,
} from "../message/mod.ts";
import type { PlanSource } from "../plan/mod.ts";
import type { Emit } from "../plugin/mod.ts";
import type { AppendResult } from "../store/mod.ts";
import type { Checkpointer } from "./checkpointer.ts";
import type { AdmissionRecord } from "./commit_ledger.ts";
import type { EngineCore } from "./core.ts";
import type { Entry } from "./entry.ts";

/** A message to be injected: it keeps its codec, its metadata and, when it has one, its `message_id`. */
export interface InjectedMessage {
  readonly bytes: Uint8Array;
  /** Name of its codec. */
  readonly codec: string;
  readonly meta?: Meta;
}

/** What the segments of one admission have in common. */
interface Admitted {
  readonly codec: string;
  /** The source node, or the node of an injection. */
  readonly node: string;
  readonly injectedAt?: string;
  /** Whether srcSeqs count towards the source's watermark. */
  readonly live: boolean;
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
  }

  /** What a source is given to emit with. */
  emitter(source: PlanSource): Emit {
    const admitted: Admitted = { codec: source.decoder.name, node: source.name, live: true };
    return (batch) => this.#admit(batch, admitted);
  }

  /** Brings messages in at a node: out of it when it is a source, else into it. Resolves when they are durable. */
  async inject(node: string, isSource: boolean, messages: readonly InjectedMessage[]): Promise<void> {
    for (let from = 0; from < messages.length;) {
      const codec = messages[from]?.codec ?? "json";
      let to = from;
      while (
        to < messages.length && to - from < this.#core.options.segmentMessagesMax && messages[to]?.codec === codec
      ) to++;
      const batch = pack(messages.slice(from, to), 1);
      await this.#admit(batch, { codec, node, live: false, ...(isSource ? {} : { injectedAt: node }) });
      from = to;
    }
  }

  /** Resolves when everything durable has entered the graph, or the engine has let go. */
  async entered(): Promise<void> {
    await Promise.all(this.#lines.values());
  }

  async #admit(batch: Emission, admitted: Admitted): Promise<void> {
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
    await this.#enterGate(count, batch.bytes.length, admitted.node);
    // From here to the append nothing is awaited: sequences are given in the order of the appends.
    this.#checkpointer.ride();
    const appends = this.#slices(batch).map((slice) => this.#append(slice, admitted));
    for (const append of appends) await append;
  }

  async #enterGate(count: number, bytes: number, node: string): Promise<void> {
    const { gate, counters } = this.#core;
    if (this.#closed.aborted) throw new EventboatError("shutdown", "the engine accepts no more messages");
    if (gate.tryEnter(count, bytes)) return;
    counters.count("backpressureEvents", 1, "backpressure_events_total", { source: node });
    try {
      await gate.enter(count, bytes, this.#stopping);
    } catch (caught) {
      throw new EventboatError("shutdown", "the engine accepts no more messages", { cause: caught });
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

  async #append(batch: Emission, admitted: Admitted): Promise<void> {
    const { store, ledger, options } = this.#core;
    const segment = this.#segment(batch, admitted);
    const record: AdmissionRecord = {
      first: segment.first,
      count: segment.count,
      bytes: segment.bytes.length,
      ...(admitted.live ? { origin: { source: admitted.node, firstSrcSeq: batch.firstSrcSeq } } : {}),
    };
    this.#nextSeq += segment.count;
    ledger.assigned(record);
    const result = await store.append(segment);
    if (result.kind !== "durable") return this.#turnAway(result, record, admitted.node);
    ledger.arrived(record, admitted.live ? options.clock.monotonic() : undefined);
    this.#core.counters.count("messagesIn", segment.count, "messages_in_total", { source: admitted.node });
    this.#enqueue(admitted.node, segment);
  }

  #segment(batch: Emission, admitted: Admitted): Segment {
    const { options } = this.#core;
    const nowMs = options.clock.now();
    return {
      first: this.#nextSeq,
      count: batch.ends.length,
      bytes: batch.bytes,
      ends: batch.ends,
      gap: batch.gap,
      codec: admitted.codec,
      source: admitted.node,
      ...(admitted.injectedAt === undefined ? {} : { injectedAt: admitted.injectedAt }),
      idBase: idBase(nowMs, options.random),
      meta: {
        ...batch.meta,
        ingest_time: new Date(nowMs).toISOString(),
        source: admitted.node,
        ...options.stamps,
        ...(admitted.injectedAt === undefined ? {} : { injected_at: admitted.injectedAt }),
      },
      columns: batch.columns ?? {},
    };
  }

  #turnAway(result: Exclude<AppendResult, { kind: "durable" }>, record: AdmissionRecord, node: string): never {
    const { ledger, counters } = this.#core;
    counters.count("spoolFailures", 1, "spool_failures_total");
    if (result.kind === "unknown") {
      ledger.lost();
      this.#core.fail(result.error);
      throw new EventboatError("shutdown", "the engine has stopped: whether a batch is durable cannot be known", {
        cause: result.error,
        node,
      });
    }
    ledger.refused(record);
    if (this.#closed.aborted && result.error.code === "store_closed") {
      throw new EventboatError("shutdown", "the engine accepts no more messages", { cause: result.error });
    }
    throw new EventboatError(
      "refused",
      `cannot accept ${record.count} messages from ${node}: ${result.error.message}`,
      { cause: result.error, node, ...(result.error.hint === undefined ? {} : { hint: result.error.hint }) },
    );
  }

  /** Lets a durable segment into the graph behind those of the same node. */
  #enqueue(node: string, segment: Segment): void {
    const before = this.#lines.get(node) ?? Promise.resolve();
    const entering = before.then(() => this.#entry.enter({ segment, from: 0, to: segment.count, isReplay: false }));
    this.#lines.set(
      node,
      entering.catch((caught) => this.#core.fail(EventboatError.from(caught, "internal", { node }))),
    );
  }
}
