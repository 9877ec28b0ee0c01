/** Owns the delivery of one batch to a sink: attempts, waits, halving, and what becomes of those that fail. */

import { deadline, raceAbort, slept } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { PlanSink } from "../plan/mod.ts";
import { type BatchPolicy, PartialWriteError, type Sink, SinkError, unencodable } from "../plugin/mod.ts";
import type { Histogram } from "../telemetry/mod.ts";
import type { EngineCore } from "./core.ts";
import type { DeadLetterOffice, Failure } from "./dead_letter_office.ts";
import { encodeAll, type EncodedBatch, type SinkItem } from "./encoded_batch.ts";
import { batchPolicy, retryWaitMs } from "./policy.ts";
import { unlessReleased } from "./router.ts";
import { warnWhenSlow } from "./slow_call.ts";
import { isThenable } from "./thenable.ts";

/** How one attempt ended: `failed` holds the indexes that did not arrive, with their errors. */
interface Attempt {
  readonly failed: ReadonlyMap<number, SinkError>;
}

/** The delivery of one batch, halves and retries included. */
interface Work {
  readonly policy: BatchPolicy;
  /** What has failed for good and is not yet written down. */
  readonly dead: Failure[];
}

/** What the messages of a batch, or of the one it is a half of, have behind them. */
interface Tried {
  /** Attempts. */
  readonly made: number;
  /** Of these, the ones for which a backoff was waited. */
  readonly retries: number;
}

/** Failures that are written down at once, in the middle of a delivery. */
const DEAD_MESSAGES_MAX = 500;

/** Messages that may be tried again, and how long the peer asks to wait. */
interface Again {
  readonly batch: EncodedBatch;
  readonly errors: readonly SinkError[];
}

/** Delivers batches to one sink. */
export class SinkDelivery {
  readonly #core: EngineCore;
  readonly #node: PlanSink;
  readonly #sink: Sink;
  readonly #office: DeadLetterOffice;
  readonly #duration: Histogram;

  constructor(core: EngineCore, node: PlanSink, sink: Sink, office: DeadLetterOffice) {
    this.#core = core;
    this.#node = node;
    this.#sink = sink;
    this.#office = office;
    const labels = { pipeline: core.plan.name, node: node.name };
    this.#duration = core.options.meter.histogram("sink_write_duration_seconds", labels);
  }

  /**
   * Delivers the items; resolves when every one of them has ended on this branch. Once the engine lets go it resolves
   * early, and what has not ended stays uncommitted.
   */
  async deliver(items: readonly SinkItem[]): Promise<void> {
    const policy = batchPolicy(distinctEdges(items), this.#core.options);
    const { batch, failures } = encodeAll(items, this.#node.encoder);
    const dead = failures.map(({ item, error }) =>
      this.#failure(item, "encode", unencodable(this.#node.encoder.name, error.message), 1)
    );
    if (batch.size > 0) await this.#deliver(batch, { policy, dead }, { made: 0, retries: 0 });
    await this.#conclude(dead);
  }

  /** Tries until all have ended or the retries are used up. */
  async #deliver(batch: EncodedBatch, work: Work, tried: Tried): Promise<void> {
    const { policy } = work;
    let current: Again = { batch, errors: [] };
    for (let { made, retries } = tried;; retries++) {
      const ended = await this.#attempt(current.batch, policy);
      if (ended === undefined) return;
      made++;
      const { again, final } = this.#sort(current.batch, ended);
      if (final.batch.size > 0) await this.#isolate(final, work, { made, retries });
      if (again.batch.size === 0) return;
      current = again;
      if (retries >= policy.retries) return await this.#isolate(current, work, { made, retries });
      // A wait may be long: what has failed for good is written down before it.
      await this.#conclude(work.dead);
      const waitMs = retryWaitMs(policy, retries + 1, this.#core.options, longestWish(current.errors));
      if (!await this.#waitToRetry(current, waitMs, made + 1)) return;
      this.#core.counters.count("retries", current.batch.size, "delivery_retries_total", { node: this.#node.name });
    }
  }

  /** Waits before another attempt, which is told; false when the engine let go meanwhile. */
  async #waitToRetry({ batch, errors }: Again, waitMs: number, attempt: number): Promise<boolean> {
    const { counters, frugalLog, options, released } = this.#core;
    const { name: node } = this.#node;
    frugalLog.tell(`retry ${node}`, "warn", "a write failed and is tried again", {
      node,
      messages: batch.size,
      attempt,
      wait_ms: Math.round(waitMs),
      error: errors[0]?.message,
    });
    counters.retrying += batch.size;
    try {
      return await slept(options.clock, waitMs, released);
    } finally {
      counters.retrying -= batch.size;
    }
  }

  /** Ends what arrived, and parts what may be tried again from what may not. */
  #sort(batch: EncodedBatch, { failed }: Attempt): { readonly again: Again; readonly final: Again } {
    const again: number[] = [];
    const final: number[] = [];
    for (const [index, error] of failed) (error.retryable ? again : final).push(index);
    const pick = (indexes: number[]): Again => {
      // A partial failure may name its indexes in any order.
      const sorted = indexes.sort((a, b) => a - b);
      return {
        batch: sorted.length === batch.size ? batch : batch.select(sorted),
        errors: sorted.map((index) => failed.get(index)!), // The indexes are keys of this map.
      };
    };
    return { again: pick(again), final: pick(final) };
  }

  /**
   * A batch failed for good. When it failed as a whole, its halves are tried until the culprits stand alone, so that
   * one poison message takes nobody along. Each half is tried at once, since it may be without fault, and has the
   * retries that the batch had left: none where waiting has had its turn.
   */
  async #isolate({ batch, errors }: Again, work: Work, tried: Tried): Promise<void> {
    const whole = errors.length > 1 && errors.every((error) => error === errors[0]);
    if (!whole) {
      for (const [i, item] of batch.items.entries()) {
        work.dead.push(this.#failure(item, "delivery", errors[i]?.message ?? "the write failed", tried.made));
      }
      if (work.dead.length >= DEAD_MESSAGES_MAX) await this.#conclude(work.dead);
      return;
    }
    const middle = Math.ceil(batch.size / 2);
    const indexes = batch.items.map((_, i) => i);
    for (const half of [indexes.slice(0, middle), indexes.slice(middle)]) {
      if (this.#core.released.aborted) return;
      await this.#deliver(batch.select(half), work, tried);
    }
  }

  /** Ends the branches of what failed for good, and empties the list. */
  async #conclude(dead: Failure[]): Promise<void> {
    if (dead.length > 0) await this.#office.conclude(dead.splice(0));
  }

  /** One write. Ends the branches of what arrived; undefined when the engine let go before it had ended. */
  async #attempt(batch: EncodedBatch, policy: BatchPolicy): Promise<Attempt | undefined> {
    const { clock } = this.#core.options;
    const startedMs = clock.monotonic();
    const failed = await this.#write(batch, policy);
    this.#duration.record((clock.monotonic() - startedMs) / 1000);
    if (failed === undefined) return undefined;
    const { ledger, counters } = this.#core;
    for (let i = 0; i < batch.size; i++) if (!failed.has(i)) ledger.doneOne(batch.message(i).seq);
    counters.left(this.#node.name, batch.size - failed.size);
    if (failed.size < batch.size) ledger.settle();
    if (failed.size === 0 && this.#core.frugalLog.over(`retry ${this.#node.name}`)) {
      this.#core.options.log.log("info", "writes succeed again", { node: this.#node.name });
    }
    return { failed };
  }

  async #write(batch: EncodedBatch, policy: BatchPolicy): Promise<ReadonlyMap<number, SinkError> | undefined> {
    using limit = deadline(policy.timeoutMs, {
      parent: this.#core.released,
      clock: this.#core.options.clock,
      what: `sink ${this.#node.name}`,
    });
    const everyone = (error: SinkError) => new Map(batch.items.map((_, i) => [i, error]));
    try {
      const writing = this.#sink.write(batch, limit.signal);
      if (isThenable(writing)) {
        using _ = warnWhenSlow(this.#core, { node: this.#node.name, call: "write", messages: batch.size });
        await this.#patiently(writing, limit.signal);
      }
      return NOBODY;
    } catch (caught) {
      if (this.#core.released.aborted) return undefined;
      if (caught instanceof PartialWriteError) {
        // One that names no message of the batch says nothing of what arrived: all of it goes again.
        return namedFailures(caught, batch.size) ?? everyone(new SinkError(caught.message, { cause: caught }));
      }
      if (limit.expired) {
        this.#core.spent.keep();
        return everyone(new SinkError(`the write took longer than ${policy.timeoutMs} ms`, { cause: caught }));
      }
      return everyone(asSinkError(caught));
    }
  }

  /**
   * Waits for the write. Past its limit a write still counts as live until it ends, where an order of keys depends on
   * it, and what it says then holds; elsewhere it is left to itself.
   */
  async #patiently(writing: PromiseLike<void>, limit: AbortSignal): Promise<void> {
    const { released } = this.#core;
    if (this.#node.orderKey === undefined) return await raceAbort(writing, limit);
    await unlessReleased(writing, released);
    if (released.aborted) throw released.reason;
  }

  #failure(item: SinkItem, failureClass: Failure["class"], reason: string, attempts: number): Failure {
    return { message: item.message, node: this.#node.name, edge: item.edge, class: failureClass, reason, attempts };
  }
}

const NOBODY: ReadonlyMap<number, SinkError> = new Map();

/** The edges of a batch, each once: most batches have one. */
function distinctEdges(items: readonly SinkItem[]): Iterable<SinkItem["edge"]> {
  const edges = new Set<SinkItem["edge"]>();
  let last: SinkItem["edge"] | null = null;
  for (const { edge } of items) if (edge !== last) edges.add(last = edge);
  return edges;
}

/** The longest time that a peer has asked for; what is no number is no wish. */
function longestWish(errors: readonly SinkError[]): number {
  let longestMs = 0;
  for (const { retryAfterMs } of errors) {
    if (typeof retryAfterMs === "number" && retryAfterMs > longestMs) longestMs = retryAfterMs;
  }
  return longestMs;
}

/** The failures by message; undefined where one of them is none of the batch, or none is named. */
function namedFailures({ failures }: PartialWriteError, size: number): ReadonlyMap<number, SinkError> | undefined {
  const named = new Map<number, SinkError>();
  for (const failure of failures) {
    const index: unknown = failure?.index;
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= size) return undefined;
    named.set(index, asSinkError(failure.error));
  }
  return named.size === 0 ? undefined : named;
}

function asSinkError(caught: unknown): SinkError {
  if (caught instanceof SinkError) return caught;
  const error = EventboatError.from(caught, "sink_failed");
  return new SinkError(error.message, { cause: caught, retryable: error.code !== "permission" });
}
