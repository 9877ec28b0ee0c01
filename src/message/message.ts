/** Owns the message as a node sees it: a decoded payload and metadata over the bytes it arrived as. */

import type { Meta } from "./meta.ts";
import { type Segment, segmentBytes, segmentMessageId, segmentMeta } from "./segment.ts";

/**
 * The metadata key that says of a message that it stands for a deletion: it has a key and no payload. Such a message is
 * not decoded, its payload is null, and a sink that knows deletions writes one; others write what their codec makes of
 * null, or nothing where it makes nothing of it.
 */
export const TOMBSTONE_META = "kafka_tombstone";

/** Stands for a payload that nobody has looked at yet: its text is known. */
const UNREAD = Symbol("unread");

/** What a transform changes; what it leaves out stays as it was. */
export interface MessageChange {
  readonly payload?: unknown;
  /** The payload as JSON text that says it exactly: it becomes a value when somebody looks at it. Instead of a value. */
  readonly payloadText?: string;
  readonly meta?: Meta;
  /** Suffix of the branch, for one of several outputs made from one message. */
  readonly branch?: string;
}

/**
 * One message on one branch. Payload and meta are immutable: whoever wants a change calls
 * {@linkcode Message.derive} and shares what did not change. Nothing is copied until it is asked for.
 */
export class Message {
  readonly segment: Segment;
  readonly index: number;
  /** Whether the payload is no longer what the segment's bytes decode to. */
  readonly payloadChanged: boolean;
  /**
   * Tells outputs of one message apart: empty, or joined by dots the position among its siblings, and the node it came
   * from where its paths met again.
   */
  readonly branch: string;
  /** Whether the message was replayed from the spool or the dead letters. */
  readonly isReplay: boolean;
  #payload: unknown;
  #payloadText: string | undefined;
  #meta: Meta | undefined;

  constructor(
    segment: Segment,
    index: number,
    payload: unknown,
    isReplay = false,
    payloadChanged = false,
    branch = "",
    meta: Meta | undefined = undefined,
  ) {
    this.segment = segment;
    this.index = index;
    this.#payload = payload;
    this.#payloadText = undefined;
    this.isReplay = isReplay;
    this.payloadChanged = payloadChanged;
    this.branch = branch;
    this.#meta = meta;
  }

  /** The decoded payload: JSON-like data, integers beyond 2^53 as bigint; text or bytes for the raw codec. */
  get payload(): unknown {
    return this.#payload === UNREAD ? this.#read() : this.#payload;
  }

  /** The payload as JSON text that says it exactly, where such a text is at hand. */
  get payloadText(): string | undefined {
    return this.#payloadText;
  }

  /** Spool position. */
  get seq(): number {
    return this.segment.first + this.index;
  }

  /** The metadata, put together when first asked for. */
  get meta(): Meta {
    return this.#meta ??= this.#assemble();
  }

  /** The metadata if somebody has asked for it or changed it; undefined while it is still the segment's alone. */
  get metaIfHeld(): Meta | undefined {
    return this.#meta;
  }

  /** The identity, without putting the metadata together. */
  get id(): string {
    const own = this.#meta?.["message_id"];
    return typeof own === "string" ? own : segmentMessageId(this.segment, this.index);
  }

  /** The bytes the message arrived as: a view, not a copy; valid until every branch of the message has ended. */
  get raw(): Uint8Array<ArrayBuffer> {
    return segmentBytes(this.segment, this.index);
  }

  /** Whether the message stands for a deletion, and nobody has given it a payload since; see {@linkcode TOMBSTONE_META}. */
  get isTombstone(): boolean {
    const isNull = this.#payload === UNREAD ? this.#payloadText === "null" : this.#payload === null;
    return isNull && this.meta[TOMBSTONE_META] === true;
  }

  /** The codec {@linkcode Message.raw} is in. */
  get codec(): string {
    return this.segment.codec;
  }

  /** A message with the change applied and everything else shared. */
  derive(change: MessageChange): Message {
    const { payloadText } = change;
    const payloadGiven = payloadText !== undefined || ("payload" in change && change.payload !== this.payload);
    const derived = new Message(
      this.segment,
      this.index,
      payloadText !== undefined ? UNREAD : payloadGiven ? change.payload : this.#payload,
      this.isReplay,
      this.payloadChanged || payloadGiven,
      change.branch === undefined
        ? this.branch
        : this.branch === ""
        ? change.branch
        : `${this.branch}.${change.branch}`,
      change.meta ?? this.#meta,
    );
    derived.#payloadText = payloadText ?? (payloadGiven ? undefined : this.#payloadText);
    return derived;
  }

  #read(): unknown {
    return this.#payload = JSON.parse(this.#payloadText ?? "null");
  }

  #assemble(): Meta {
    const meta = segmentMeta(this.segment, this.index);
    if (!this.isReplay) return meta;
    return { ...meta, is_replay: true, original_message_id: meta["message_id"] ?? null };
  }
}
