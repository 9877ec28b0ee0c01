/** Owns reading records: those of a partition's batches that are messages, as emissions that fit the engine. */

import { type Emission, type Meta, type MetaValue, SEGMENT_BYTES_MAX, TOMBSTONE_META } from "../../../message/mod.ts";
import type { MetaKey } from "../../../plugin/mod.ts";
import { decompress } from "../../shared/kafka/compression.ts";
import { metaOfBytes } from "../../shared/kafka/meta_bytes.ts";
import { type InBatch, readBatches } from "../../shared/kafka/record_batch.ts";
import { WireReader } from "../../shared/kafka/wire_reader.ts";
import type { FetchedPartition } from "./fetch_request.ts";

/** A W3C trace context travels in a header of this name. */
const TRACE_HEADER = "traceparent";
/** Key of a control record that says that its transaction was aborted. */
const ABORT_MARK = 0;

/** Every key of `meta` that the source sets. */
export const KAFKA_META: readonly MetaKey[] = [
  { key: "kafka_topic", type: "string", description: "The topic." },
  { key: "kafka_partition", type: "integer", description: "The partition's number." },
  { key: "kafka_offset", type: "integer", description: "The message's offset in its partition." },
  {
    key: "kafka_key",
    type: "string",
    description: "The message's key; `{base64: ...}` where it is no UTF-8, absent where there is none.",
  },
  {
    key: "kafka_timestamp",
    type: "integer",
    description: "The message's time in milliseconds since the Unix epoch, as its producer or the topic sets it.",
  },
  {
    key: "kafka_headers",
    type: "object",
    description: "The message's headers: text, `{base64: ...}` where a value is no UTF-8, a list where a name comes " +
      "more than once. Absent where there are none.",
  },
  {
    key: TOMBSTONE_META,
    type: "boolean",
    description: "`true` for a message without a value, which deletes its key: the payload is null. Absent for others.",
  },
  {
    key: TRACE_HEADER,
    type: "string",
    description: "The header `traceparent`, which the sinks `http` and `kafka` pass on; absent where there is none.",
  },
];

/** Messages of one partition, ready to be emitted but for their number. */
export interface ReadMessages {
  readonly emission: Omit<Emission, "firstSrcSeq">;
  readonly offsets: Float64Array<ArrayBuffer>;
  /** The offset to read next. */
  readonly next: number;
}

/** Records without a message in them: only the offset to read next. */
export interface ReadNothing {
  readonly emission: undefined;
  readonly next: number;
}

/**
 * Reads what a broker sent of a partition, from `from` on. Batches are unpacked one at a time, as they are asked for.
 * @throws {RecordBatchError | CompressionError | WireError}
 */
export function* readRecords(
  fetched: FetchedPartition,
  from: number,
  messagesMax: number,
): Generator<ReadMessages | ReadNothing> {
  const aborted = new AbortedProducers(fetched);
  const pack = new MessagePack({ kafka_topic: fetched.topic, kafka_partition: fetched.partition });
  let next = from;
  for (const batch of readBatches(fetched.records)) {
    if (batch.lastOffset < from) continue;
    const reader = new WireReader(decompress(batch.packed, batch.codec));
    if (batch.isControl) aborted.mark(batch, reader);
    else if (!aborted.hides(batch)) yield* readBatch(batch, reader, pack, { from, messagesMax });
    next = batch.lastOffset + 1;
  }
  if (pack.count > 0) yield pack.take(next);
  else if (next > from) yield { emission: undefined, next };
}

/** Reads a batch's records into the pack, and gives it away whenever it is full. */
function* readBatch(
  batch: InBatch,
  reader: WireReader,
  pack: MessagePack,
  { from, messagesMax }: { readonly from: number; readonly messagesMax: number },
): Generator<ReadMessages> {
  for (let left = batch.count; left > 0; left--) {
    const end = reader.varint() + reader.at;
    reader.skip(1);
    const timestampDelta = reader.varint();
    const offset = batch.baseOffset + reader.varint();
    if (offset >= from) {
      pack.add(reader, offset, batch.appendTimestampMs ?? batch.baseTimestampMs + timestampDelta);
      if (pack.isFull(messagesMax)) yield pack.take(offset + 1);
    }
    reader.at = end;
  }
}

/** Collects messages out of unpacked batches. */
class MessagePack {
  readonly #shared: Meta;
  /** Where each value lies: the unpacked batch, and the place in it. */
  #sources: Uint8Array[] = [];
  #starts: number[] = [];
  #lengths: number[] = [];
  #offsets: number[] = [];
  #timestamps: number[] = [];
  #sparse: Record<string, (MetaValue | undefined)[]> = {};
  #bytes = 0;

  constructor(shared: Meta) {
    this.#shared = shared;
  }

  get count(): number {
    return this.#offsets.length;
  }

  isFull(messagesMax: number): boolean {
    return this.count >= messagesMax || this.#bytes >= SEGMENT_BYTES_MAX / 2;
  }

  /** Adds the record whose key the reader stands at. */
  add(reader: WireReader, offset: number, timestampMs: number): void {
    const index = this.count;
    const keyLength = reader.varint();
    if (keyLength >= 0) this.#set("kafka_key", index, metaOfBytes(reader.view(keyLength)));
    const valueLength = reader.varint();
    if (valueLength < 0) this.#set(TOMBSTONE_META, index, true);
    const length = Math.max(0, valueLength);
    this.#sources.push(reader.bytes);
    this.#starts.push(reader.at);
    this.#lengths.push(length);
    reader.skip(length);
    this.#bytes += length;
    this.#offsets.push(offset);
    this.#timestamps.push(timestampMs);
    const headers = reader.varint();
    if (headers > 0) this.#addHeaders(reader, headers, index);
  }

  /** The messages so far, and begins anew. */
  take(next: number): ReadMessages {
    const bytes = new Uint8Array(this.#bytes);
    const ends = new Uint32Array(this.count);
    let at = 0;
    for (let i = 0; i < ends.length; i++) {
      const start = this.#starts[i] ?? 0;
      const length = this.#lengths[i] ?? 0;
      const source = this.#sources[i];
      if (source !== undefined) bytes.set(source.subarray(start, start + length), at);
      ends[i] = at += length;
    }
    const offsets = Float64Array.from(this.#offsets);
    const columns = {
      kafka_offset: Float64Array.from(this.#offsets),
      kafka_timestamp: Float64Array.from(this.#timestamps),
      ...this.#sparse,
    };
    // A column is as long as its last value: the others are absent.
    for (const column of Object.values(this.#sparse)) column.length = ends.length;
    [this.#sources, this.#starts, this.#lengths, this.#offsets, this.#timestamps] = [[], [], [], [], []];
    this.#sparse = {};
    this.#bytes = 0;
    return { emission: { bytes, ends, gap: 0, meta: this.#shared, columns }, offsets, next };
  }

  #set(key: string, index: number, value: MetaValue): void {
    (this.#sparse[key] ??= [])[index] = value;
  }

  #addHeaders(reader: WireReader, count: number, index: number): void {
    const headers: Record<string, MetaValue> = Object.create(null);
    for (let i = 0; i < count; i++) {
      const name = new TextDecoder().decode(reader.view(reader.varint()));
      const length = reader.varint();
      const value = length < 0 ? null : metaOfBytes(reader.view(length));
      const before = headers[name];
      if (!(name in headers)) headers[name] = value;
      else headers[name] = Array.isArray(before) ? [...before, value] : [before ?? null, value];
    }
    const trace = headers[TRACE_HEADER];
    if (typeof trace === "string") this.#set(TRACE_HEADER, index, trace);
    this.#set("kafka_headers", index, { ...headers });
  }
}

/** Whose records are to be left out: transactions that were begun and aborted. */
class AbortedProducers {
  readonly #pending: { readonly producerId: number; readonly firstOffset: number }[];
  readonly #current = new Set<number>();

  constructor({ aborted }: FetchedPartition) {
    this.#pending = [...aborted].sort((a, b) => a.firstOffset - b.firstOffset);
  }

  /** Whether a batch belongs to an aborted transaction. Asked in the order of the log. */
  hides(batch: InBatch): boolean {
    while (this.#pending[0] !== undefined && this.#pending[0].firstOffset <= batch.lastOffset) {
      this.#current.add(this.#pending.shift()?.producerId ?? 0);
    }
    return batch.isTransactional && this.#current.has(batch.producerId);
  }

  /** Reads a control batch: the end of an aborted transaction. */
  mark(batch: InBatch, reader: WireReader): void {
    if (batch.count === 0) return;
    reader.varint();
    reader.skip(1);
    reader.varint();
    reader.varint();
    const keyLength = reader.varint();
    if (keyLength < 4) return;
    reader.skip(2);
    if (reader.int16() === ABORT_MARK) this.#current.delete(batch.producerId);
  }
}
