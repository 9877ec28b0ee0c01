/** Owns the replay of what a former engine left uncommitted. */

import { EventboatError } from "../diagnostics/mod.ts";
import { type Segment, segmentStart } from "../message/mod.ts";
import type { EngineCore } from "./core.ts";
import type { Entry } from "./entry.ts";

/** Bytes of segments read at once: bounds memory, however long the backlog. */
const READ_BYTES_MAX = 4 * 1024 * 1024;

/** Brings spooled messages beyond the checkpoint back into the graph. */
export class Recovery {
  readonly #core: EngineCore;
  readonly #entry: Entry;
  /** What messages may come out of, and what they may enter. */
  readonly #sources: ReadonlySet<string>;
  readonly #entered: ReadonlySet<string>;

  constructor(core: EngineCore, entry: Entry) {
    this.#core = core;
    this.#entry = entry;
    const { nodes } = core.plan;
    this.#sources = new Set(nodes.filter(({ kind }) => kind === "source").map(({ name }) => name));
    this.#entered = new Set(nodes.filter(({ kind }) => kind !== "source").map(({ name }) => name));
  }

  /** Replays everything up to the last sequence the store had at opening; ends early when the engine lets go. */
  async replay(stopped: AbortSignal): Promise<void> {
    const { store, options } = this.#core;
    const { checkpoint, lastSeq } = store.start;
    let after = checkpoint;
    if (after < lastSeq) {
      options.log.log("info", "replaying what an earlier run left uncommitted", { from: after + 1, through: lastSeq });
    }
    while (after < lastSeq && !stopped.aborted) {
      const segments = await store.readSegments(after, READ_BYTES_MAX);
      if (segments.length === 0) return;
      for (const segment of segments) {
        if (segment.first > lastSeq || stopped.aborted) return;
        await this.#replaySegment(segment, after, stopped);
        after = segment.first + segment.count - 1;
      }
    }
  }

  async #replaySegment(segment: Segment, after: number, stopped: AbortSignal): Promise<void> {
    const { injectedAt, source } = segment;
    // A name that a node of another kind has got since is no longer the node the messages were for.
    const known = injectedAt === undefined ? this.#sources.has(source) : this.#entered.has(injectedAt);
    for (let from = Math.max(0, after + 1 - segment.first); from < segment.count;) {
      const to = Math.min(segment.count, from + Math.max(1, this.#core.gate.free));
      const bytes = (segment.ends[to - 1] ?? 0) - segmentStart(segment, from);
      try {
        await this.#core.gate.enter(to - from, bytes, stopped);
      } catch {
        return; // Stopped: the rest is replayed by the next start.
      }
      // Records are passed in order: with the last of a segment all of it has committed.
      const whole = to === segment.count ? { payload: segment.bytes } : {};
      const record = { first: segment.first + from, count: to - from, bytes, ...whole };
      this.#core.ledger.assigned(record);
      this.#core.ledger.arrived(record, undefined);
      this.#core.counters.totals.replayed += record.count;
      if (known) await this.#entry.enter({ segment, from, to, isReplay: true });
      else this.#abandon(segment, record.first, record.count);
      from = to;
    }
  }

  /** The pipeline has no such node any more: nothing could ever commit these messages. */
  #abandon(segment: Segment, first: number, count: number): void {
    const { ledger, counters, options } = this.#core;
    const node = segment.injectedAt ?? segment.source;
    for (let seq = first; seq < first + count; seq++) ledger.doneOne(seq);
    counters.count("filtered", count, "fanout_no_match_total", { node });
    options.log.log("warn", "committed spooled messages of a node that the pipeline no longer has", { node, count });
    ledger.settle();
  }
}

/** What a failed read of the spool means for the engine. */
export function recoveryError(caught: unknown): EventboatError {
  return EventboatError.from(caught, "store_open");
}
