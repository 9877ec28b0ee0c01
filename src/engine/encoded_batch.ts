/** Owns a batch of encoded messages, as a sink is given it. */

import { type Message, segmentStart } from "../message/mod.ts";
import type { PlanCodec, PlanEdge } from "../plan/mod.ts";
import { CodecError, encodeMessage, joinedLines, type SinkBatch } from "../plugin/mod.ts";

const NEWLINE = 10;
const encoder = new TextEncoder();

/**
 * A message that waits in a sink, with the edge it came over. Made by a constructor on purpose: the engine of the
 * language learns of object literals that outlive a collection or two, and makes the next ones among the old objects,
 * where each keeps its message and payload long after they are done with.
 */
export class SinkItem {
  readonly message: Message;
  readonly edge: PlanEdge | undefined;

  constructor(message: Message, edge: PlanEdge | undefined) {
    this.message = message;
    this.edge = edge;
  }
}

/** A message that could not be encoded. */
export interface EncodeFailure {
  readonly item: SinkItem;
  readonly error: CodecError;
}

/** What encoding gives: the batch of what could be encoded, and what could not. */
export interface Encoding {
  readonly batch: EncodedBatch;
  readonly failures: readonly EncodeFailure[];
}

/** Encoded messages in order. Text stays text until somebody asks for bytes. */
export class EncodedBatch implements SinkBatch {
  readonly items: readonly SinkItem[];
  /** Element i is the text of message i, its bytes, or undefined for the bytes it arrived as. */
  readonly #encoded: readonly (string | Uint8Array<ArrayBuffer> | undefined)[];
  readonly head: Uint8Array<ArrayBuffer> | undefined;

  constructor(
    items: readonly SinkItem[],
    encoded: readonly (string | Uint8Array<ArrayBuffer> | undefined)[],
    head?: Uint8Array<ArrayBuffer>,
  ) {
    this.items = items;
    this.#encoded = encoded;
    this.head = head;
  }

  get size(): number {
    return this.items.length;
  }

  message(index: number): Message {
    const item = this.items[index];
    if (item === undefined) throw new RangeError(`cannot give message ${index}: the batch holds ${this.size}`);
    return item.message;
  }

  bytes(index: number): Uint8Array<ArrayBuffer> {
    const encoded = this.#encoded[index];
    if (encoded === undefined) return this.message(index).raw;
    return typeof encoded === "string" ? encoder.encode(encoded) : encoded;
  }

  lines(): Uint8Array<ArrayBuffer> {
    if (this.size === 0) return new Uint8Array(0);
    if (this.#encoded.every((one) => typeof one === "string")) return encoder.encode(this.#encoded.join("\n") + "\n");
    return this.#encoded.every((one) => one === undefined)
      ? this.#rawLines()
      : joinedLines(this.items.map((_, i) => this.bytes(i)));
  }

  /** The messages at these indexes, as a batch of their own. */
  select(indexes: readonly number[]): EncodedBatch {
    return new EncodedBatch(
      indexes.map((index) => this.items[index]!), // The caller gives indexes of this batch.
      indexes.map((index) => this.#encoded[index]),
      this.head,
    );
  }

  /** Nobody changed anything: runs of neighbours whose newlines stand between them already are copied whole. */
  #rawLines(): Uint8Array<ArrayBuffer> {
    let total = 0;
    for (const { message } of this.items) {
      total += (message.segment.ends[message.index] ?? 0) - segmentStart(message.segment, message.index) + 1;
    }
    const lines = new Uint8Array(total);
    let at = 0;
    for (let i = 0; i < this.size;) {
      const first = this.message(i);
      let last = first;
      for (i++; i < this.size && follows(last, this.message(i)); i++) last = this.message(i);
      const run = first.segment.bytes.subarray(segmentStart(first.segment, first.index), last.segment.ends[last.index]);
      lines.set(run, at);
      at += run.length;
      lines[at++] = NEWLINE;
    }
    return lines;
  }
}

/** Whether `next` stands right behind `message` in the same bytes, with a newline between them. */
function follows(message: Message, next: Message): boolean {
  return next.segment === message.segment && next.index === message.index + 1 && message.segment.gap === 1;
}

/** Encodes messages; those that nobody changed and that are in the encoder's codec go out as they came. */
export function encodeAll(items: readonly SinkItem[], encoder: PlanCodec): Encoding {
  const encoded: (string | Uint8Array<ArrayBuffer> | undefined)[] = new Array(items.length);
  const failures: EncodeFailure[] = [];
  const failed = new Set<number>();
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!; // i is within items.
    try {
      encoded[i] = encodeMessage(item.message, encoder);
    } catch (caught) {
      failed.add(i);
      failures.push({
        item,
        error: caught instanceof CodecError
          ? caught
          : new CodecError(caught instanceof Error ? caught.message : String(caught), caught),
      });
    }
  }
  const batch = new EncodedBatch(items, encoded, encoder.codec.head);
  if (failed.size === 0) return { batch, failures };
  const kept = items.map((_, i) => i).filter((i) => !failed.has(i));
  return { batch: batch.select(kept), failures };
}
