/** Owns the batch of records (message format 2), as it lies in the log and travels in both directions. */

import { compress, type Compression, COMPRESSIONS } from "./compression.ts";
import { crc32c } from "./crc32c.ts";
import { WireReader } from "./wire_reader.ts";
import { varintSize, WireWriter } from "./wire_writer.ts";

/** Bytes of a batch before those that its length counts. */
const OUTER_BYTES = 12;
/** Where the magic number stands. */
const MAGIC_AT = 16;
const MAGIC = 2;
/** Where the checksum stands, and where what it covers begins. */
const CHECKSUM_AT = 17;
const COVERED_AT = 21;
const COUNT_AT = 57;
const RECORDS_AT = 61;

const CODEC_MASK = 0x07;
const LOG_APPEND_TIME_BIT = 0x08;
const TRANSACTIONAL_BIT = 0x10;
const CONTROL_BIT = 0x20;

/** One header of a record. */
export interface RecordHeader {
  readonly name: string;
  readonly value: Uint8Array | null;
}

/** A record to be written. */
export interface OutRecord {
  readonly key: Uint8Array | null;
  /** Null: a deletion. */
  readonly value: Uint8Array | null;
  readonly headers: readonly RecordHeader[];
  /** Milliseconds since the Unix epoch. */
  readonly timestampMs: number;
}

/** Who writes a batch, for brokers that tell repetitions. All are -1 where they are not to. */
export interface ProducerStamp {
  readonly producerId: number;
  readonly epoch: number;
  /** Number of the first record in its partition. */
  readonly sequence: number;
}

/** A batch as it was read; its records are still packed. */
export interface InBatch {
  readonly baseOffset: number;
  /** Offset of the last record there ever was; compaction may have taken it. */
  readonly lastOffset: number;
  readonly baseTimestampMs: number;
  /** The time of all records, where the broker stamps them; else undefined. */
  readonly appendTimestampMs: number | undefined;
  readonly producerId: number;
  readonly isTransactional: boolean;
  /** Holds marks of transactions instead of messages. */
  readonly isControl: boolean;
  readonly codec: number;
  readonly count: number;
  readonly packed: Uint8Array;
}

/** A batch that is damaged, or older than what is understood. The message says why, to follow a colon. */
export class RecordBatchError extends Error {
  override readonly name = "RecordBatchError";
}

/**
 * The batches that lie one behind the other; the last may be cut off, as brokers send it, and is then left out.
 * @throws {RecordBatchError}
 */
export function* readBatches(bytes: Uint8Array): Generator<InBatch> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + RECORDS_AT <= bytes.length;) {
    const end = at + OUTER_BYTES + view.getInt32(at + 8);
    if (end > bytes.length) return;
    const magic = view.getInt8(at + MAGIC_AT);
    if (magic !== MAGIC) {
      throw new RecordBatchError(
        `it is in message format ${magic}, older than Kafka 0.11: only format ${MAGIC} is understood`,
      );
    }
    if (end < at + RECORDS_AT) throw new RecordBatchError("it is damaged: it is shorter than its own head");
    if (crc32c(bytes.subarray(at + COVERED_AT, end)) !== view.getUint32(at + CHECKSUM_AT)) {
      throw new RecordBatchError("it is damaged: its checksum does not fit");
    }
    yield readHead(new WireReader(bytes.subarray(at, end)));
    at = end;
  }
}

function readHead(reader: WireReader): InBatch {
  const baseOffset = reader.int64();
  reader.at = COVERED_AT;
  const attributes = reader.int16();
  const lastOffset = baseOffset + reader.int32();
  const baseTimestampMs = reader.int64();
  const maxTimestampMs = reader.int64();
  const producerId = reader.int64();
  reader.at = COUNT_AT;
  const count = reader.int32();
  return {
    baseOffset,
    lastOffset,
    baseTimestampMs,
    appendTimestampMs: (attributes & LOG_APPEND_TIME_BIT) === 0 ? undefined : maxTimestampMs,
    producerId,
    isTransactional: (attributes & TRANSACTIONAL_BIT) !== 0,
    isControl: (attributes & CONTROL_BIT) !== 0,
    codec: attributes & CODEC_MASK,
    count,
    packed: reader.bytes.subarray(RECORDS_AT),
  };
}

/** Most bytes that a record takes in a batch. */
export function recordBytesMax({ key, value, headers }: OutRecord): number {
  const own = 40 + (key?.length ?? 0) + (value?.length ?? 0);
  return headers.reduce((sum, { name, value: text }) => sum + 10 + 3 * name.length + (text?.length ?? 0), own);
}

/** Makes a batch of at least one record. */
export async function writeBatch(
  records: readonly OutRecord[],
  compression: Compression,
  stamp: ProducerStamp,
): Promise<Uint8Array<ArrayBuffer>> {
  const baseMs = records[0]?.timestampMs ?? 0;
  const maxMs = records.reduce((latest, { timestampMs }) => Math.max(latest, timestampMs), baseMs);
  const body = new WireWriter(records.reduce((sum, record) => sum + recordBytesMax(record), 0));
  for (const [index, record] of records.entries()) writeRecord(body, record, record.timestampMs - baseMs, index);
  const packed = await compress(body.bytes, compression);
  const batch = new WireWriter(RECORDS_AT + packed.length);
  batch.int64(0)
    .int32(RECORDS_AT - OUTER_BYTES + packed.length)
    .int32(-1)
    .int8(MAGIC)
    .int32(0)
    .int16(COMPRESSIONS.indexOf(compression))
    .int32(records.length - 1)
    .int64(baseMs)
    .int64(maxMs)
    .int64(stamp.producerId)
    .int16(stamp.epoch)
    .int32(stamp.sequence)
    .int32(records.length)
    .raw(packed);
  batch.patchUint32(CHECKSUM_AT, crc32c(batch.bytes.subarray(COVERED_AT)));
  return batch.bytes;
}

const encoder = new TextEncoder();

function writeRecord(to: WireWriter, record: OutRecord, timestampDelta: number, offsetDelta: number): void {
  const { key, value, headers } = record;
  const names = headers.map(({ name }) => encoder.encode(name));
  let size = 1 + varintSize(timestampDelta) + varintSize(offsetDelta) + sizeOf(key) + sizeOf(value) +
    varintSize(headers.length);
  for (const [i, header] of headers.entries()) size += sizeOf(names[i] ?? null) + sizeOf(header.value);
  to.varint(size).int8(0).varint(timestampDelta).varint(offsetDelta).varbytes(key).varbytes(value);
  to.varint(headers.length);
  for (const [i, header] of headers.entries()) to.varbytes(names[i] ?? null).varbytes(header.value);
}

function sizeOf(bytes: Uint8Array | null): number {
  return bytes === null ? 1 : varintSize(bytes.length) + bytes.length;
}
