/** Owns the way from durable bytes into the graph: decoding, once, at the source. */

import { type Codec, undecodable, unknownCodec } from "../plugin/mod.ts";
import { EDGE_COLUMN, Message, type Segment, segmentBytes, TOMBSTONE_META } from "../message/mod.ts";
import type { PlanCodec, PlanEdge } from "../plan/mod.ts";
import type { EngineCore } from "./core.ts";
import type { DeadLetterOffice, Failure } from "./dead_letter_office.ts";
import type { Router } from "./router.ts";

/**
 * Messages decoded at once: many enough that a turn costs nothing, few enough that their payloads are gone before the
 * collector takes them for old ones, which made the heap of a long run half as large again.
 */
const DECODED_MESSAGES_MAX = 500;

/** Which messages of a segment enter. */
export interface EntryRange {
  readonly segment: Segment;
  /** First message, an index. */
  readonly from: number;
  /** One past the last message. */
  readonly to: number;
  readonly isReplay: boolean;
}

/** Brings durable messages into the graph. */
export class Entry {
  readonly #core: EngineCore;
  readonly #router: Router;
  readonly #office: DeadLetterOffice;

  constructor(core: EngineCore, router: Router, office: DeadLetterOffice) {
    this.#core = core;
    this.#router = router;
    this.#office = office;
  }

  /**
   * Decodes the messages and sends them out of their source, or into the node they were injected at. What cannot be
   * decoded becomes a dead letter of class `decode`, whatever the graph looks like.
   */
  async enter(range: EntryRange): Promise<void> {
    for (let from = range.from; from < range.to && !this.#core.released.aborted; from += DECODED_MESSAGES_MAX) {
      await this.#enterSlice({ ...range, from, to: Math.min(range.to, from + DECODED_MESSAGES_MAX) });
    }
  }

  async #enterSlice(range: EntryRange): Promise<void> {
    const { segment } = range;
    const node = segment.injectedAt ?? segment.source;
    const codec = this.#core.plan.codecs.get(segment.codec);
    const failures: Failure[] = [];
    const messages = codec === undefined ? this.#undecodable(range, failures) : this.#decode(range, codec, failures);
    // What enters another node is counted there.
    if (segment.injectedAt === undefined) this.#core.counters.entered(node, range.to - range.from);
    if (failures.length > 0) await this.#office.conclude(failures);
    if (segment.injectedAt === undefined) await this.#router.leave(node, messages);
    else for (const [edge, run] of this.#byEdge(segment, messages)) await this.#router.enter(node, edge, run);
  }

  /** Messages on their way into a node, by the edges they had come over before, as far as these are still there. */
  #byEdge(segment: Segment, messages: readonly Message[]): ReadonlyMap<PlanEdge | undefined, readonly Message[]> {
    const labels = segment.columns[EDGE_COLUMN];
    if (messages.length === 0) return new Map();
    if (labels === undefined) return new Map([[undefined, messages]]);
    return Map.groupBy(messages, ({ index }) => {
      const label = labels[index];
      return this.#core.plan.edges.find((edge) => edge.label === label && edge.to === segment.injectedAt);
    });
  }

  #decode({ segment, from, to, isReplay }: EntryRange, { codec }: PlanCodec, failures: Failure[]): Message[] {
    const count = to - from;
    const payloads: unknown[] = new Array(count);
    const failed = new Map<number, string>();
    if (!this.#decodeMany({ segment, from, to, isReplay }, codec, payloads, failed)) {
      for (let i = 0; i < count; i++) {
        try {
          payloads[i] = codec.decode(segmentBytes(segment, from + i));
        } catch (caught) {
          failed.set(i, reasonOf(caught));
        }
      }
    }
    // A deletion holds no bytes, which no codec could read. Decoding it has failed by now, or made something of nothing.
    const tombstones = segment.columns[TOMBSTONE_META];
    const isEach = segment.meta[TOMBSTONE_META] === true;
    const messages: Message[] = [];
    const none: Message[] = [];
    for (let i = 0; i < count; i++) {
      if (isEach || tombstones?.[from + i] === true) {
        failed.delete(i);
        payloads[i] = null;
      }
      const message = new Message(segment, from + i, payloads[i], isReplay);
      const reason = failed.get(i);
      if (reason !== undefined) {
        failures.push(this.#failure(message, undecodable(segment.codec, reason), "decode"));
      } else if (payloads[i] === undefined) none.push(message);
      else messages.push(message);
    }
    if (none.length > 0) this.#filter(segment.source, none);
    if (failed.size > 0) {
      this.#core.counters.count("decodeErrors", failed.size, "decode_errors_total", { source: segment.source });
    }
    return messages;
  }

  /** Ends what holds no message, such as a header line. */
  #filter(node: string, messages: readonly Message[]): void {
    const { ledger, counters } = this.#core;
    for (const { seq } of messages) ledger.doneOne(seq);
    counters.count("filtered", messages.length, "fanout_no_match_total", { node });
    ledger.settle();
  }

  /** Decodes at once; false where the codec cannot. One that throws does not take good messages along. */
  #decodeMany(
    { segment, from, to }: EntryRange,
    codec: Codec,
    payloads: unknown[],
    failed: Map<number, string>,
  ): boolean {
    if (codec.decodeMany === undefined) return false;
    const start = from === 0 ? 0 : (segment.ends[from - 1] ?? 0) + segment.gap;
    const bytes = segment.bytes.subarray(start, segment.ends[to - 1]);
    const ends = start === 0 ? segment.ends.subarray(0, to) : segment.ends.slice(from, to).map((end) => end - start);
    try {
      codec.decodeMany(bytes, ends, segment.gap, payloads, (index, error) => {
        if (index >= 0 && index < ends.length) failed.set(index, reasonOf(error));
      });
      return true;
    } catch (caught) {
      failed.clear();
      this.#core.frugalLog.tell(`decodeMany ${segment.codec}`, "warn", "a codec failed for many messages at once", {
        codec: segment.codec,
        error: reasonOf(caught),
      });
      return false;
    }
  }

  #undecodable({ segment, from, to, isReplay }: EntryRange, failures: Failure[]): Message[] {
    const reason = unknownCodec(segment.codec);
    for (let i = from; i < to; i++) {
      failures.push(this.#failure(new Message(segment, i, undefined, isReplay), reason, "codec"));
    }
    return [];
  }

  #failure(message: Message, reason: string, failureClass: "decode" | "codec"): Failure {
    const node = message.segment.injectedAt ?? message.segment.source;
    return { message, node, edge: undefined, class: failureClass, reason, attempts: 1 };
  }
}

/** Why something failed, whatever was thrown. */
function reasonOf(caught: unknown): string {
  return caught instanceof Error ? caught.message : String(caught);
}
