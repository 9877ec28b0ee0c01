/** Owns how failed messages end: dropped where the edge is optional, else in the dead-letter store, durably. */

import { EventboatError } from "../diagnostics/mod.ts";
import { EDGE_COLUMN, LETTER_COLUMN, type Message } from "../message/mod.ts";
import type { PlanEdge } from "../plan/mod.ts";
import { keptBacktrace, keptReason } from "../plugin/mod.ts";
import type { DeadLetterClass, DeadLetterRecord } from "../store/mod.ts";
import type { EngineCore } from "./core.ts";

/** A message that failed for good on one branch. */
export interface Failure {
  readonly message: Message;
  /** The node it failed in. */
  readonly node: string;
  /** The edge it came over; undefined for an injection or at its source. */
  readonly edge: PlanEdge | undefined;
  readonly class: DeadLetterClass;
  readonly reason: string;
  readonly backtrace?: string | undefined;
  readonly attempts: number;
}

/** Dead letters written in one call: bounds what one transaction holds. */
const LETTERS_PER_WRITE_MAX = 500;

/** Ends branches that failed. */
export class DeadLetterOffice {
  readonly #core: EngineCore;

  constructor(core: EngineCore) {
    this.#core = core;
  }

  /**
   * Ends the branches of all failures and settles. A branch whose dead letter could not be written before the engine
   * let go stays open: its message is replayed.
   */
  async conclude(failures: readonly Failure[]): Promise<void> {
    const { ledger } = this.#core;
    const letters: Failure[] = [];
    for (const failure of failures) {
      if (failure.edge?.required === false) this.#drop(failure);
      else letters.push(failure);
    }
    for (let from = 0; from < letters.length; from += LETTERS_PER_WRITE_MAX) {
      const slice = letters.slice(from, from + LETTERS_PER_WRITE_MAX);
      if (!await this.#write(slice)) return;
      for (const failure of slice) {
        this.#count(failure);
        ledger.doneOne(failure.message.seq);
      }
    }
    ledger.settle();
  }

  #drop(failure: Failure): void {
    const { counters, ledger, frugalLog } = this.#core;
    const edge = failure.edge?.label ?? "";
    const { node, message } = failure;
    const { seq } = message;
    const reason = this.#core.options.masked(failure.reason, message);
    counters.count("optionalDrops", 1, "optional_drops_total", { edge });
    frugalLog.tell(`drop ${edge}`, "warn", "dropped a message on an optional edge", { edge, seq, node, reason });
    ledger.doneOne(seq);
  }

  #count(failure: Failure): void {
    const { counters, frugalLog } = this.#core;
    const { node, class: reasonClass, edge, message } = failure;
    const { seq } = message;
    const reason = this.#core.options.masked(failure.reason, message);
    counters.count("deadLettered", 1, "dead_letter_total", { node, reason_class: reasonClass });
    counters.deadLetter(node, reasonClass);
    frugalLog.tell(`dead ${node} ${reasonClass}`, "warn", "a message became a dead letter", {
      node,
      edge: edge?.label,
      seq,
      class: reasonClass,
      reason,
    });
  }

  /** Writes until it is durable; false when the engine let go before. */
  async #write(failures: readonly Failure[]): Promise<boolean> {
    const { store, options, counters, released } = this.#core;
    const records = failures.map((failure) => this.#record(failure));
    for (let attempt = 1;; attempt++) {
      if (released.aborted) return false;
      try {
        await store.writeDeadLetters(records);
        return true;
      } catch (caught) {
        const error = EventboatError.from(caught, "store_write");
        counters.count("deadLetterWriteFailures", 1, "dlq_write_failures_total");
        if (error.code === "store_unknown") {
          this.#core.fail(error);
          return false;
        }
        if (attempt === 1) {
          options.log.log("error", "cannot write dead letters; trying until it succeeds", {
            letters: records.length,
            code: error.code,
            error: error.message,
          });
        }
      }
      try {
        await options.clock.sleep(options.deadLetterRetryMs, released);
      } catch {
        // The sleep ends early only when the engine lets go; the loop's first line says so.
      }
    }
  }

  #record(failure: Failure): DeadLetterRecord {
    const { plan, options } = this.#core;
    const { message } = failure;
    const received = receivedBytes(message, plan.codecs);
    const replayOf = message.segment.columns[LETTER_COLUMN]?.[message.index];
    return {
      seq: message.seq,
      node: failure.node,
      edge: failure.edge?.label ?? formerEdge(failure),
      branch: message.branch,
      messageId: message.id,
      timeMs: options.clock.now(),
      reason: keptReason(failure.reason),
      class: failure.class,
      ...(failure.backtrace === undefined ? {} : { backtrace: keptBacktrace(failure.backtrace) }),
      ...(options.runId === undefined ? {} : { runId: options.runId }),
      attempts: failure.attempts,
      source: message.segment.source,
      bytes: received.bytes,
      codec: received.codec,
      meta: message.meta,
      ...(received.isRaw ? {} : { original: message.raw }),
      ...(typeof replayOf === "number" ? { replayOf } : {}),
    };
  }
}

/** The edge over which a message came to the node that it was replayed into, where the pipeline has no such edge now. */
function formerEdge({ message: { segment, index }, node }: Failure): string {
  const edge = segment.injectedAt === node ? segment.columns[EDGE_COLUMN]?.[index] : undefined;
  return typeof edge === "string" ? edge : "";
}

/**
 * The message as its node received it, as bytes: what arrived when nobody changed it, else the payload in the codec it
 * arrived in, or in JSON where that codec cannot say it. A payload that neither can say falls back to what arrived.
 */
function receivedBytes(
  message: Message,
  codecs: EngineCore["plan"]["codecs"],
): { readonly bytes: Uint8Array<ArrayBuffer>; readonly codec: string; readonly isRaw: boolean } {
  const raw = { bytes: message.raw, codec: message.codec, isRaw: true };
  if (!message.payloadChanged) return raw;
  for (const name of [message.codec, "json"]) {
    try {
      const bytes = codecs.get(name)?.codec.encode(message.payload);
      if (bytes instanceof Uint8Array) return { bytes, codec: name, isRaw: false };
    } catch {
      // The payload does not fit this codec; the next one may say it.
    }
  }
  return raw;
}
