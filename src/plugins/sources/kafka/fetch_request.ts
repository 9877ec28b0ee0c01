/** Owns the request for records: what is asked of a broker, and what it answers, the records still packed. */

import type { OwnRequest } from "../../shared/kafka/kafka_cluster.ts";
import type { KafkajsBroker } from "../../shared/kafka/kafkajs_parts.ts";
import type { WireReader } from "../../shared/kafka/wire_reader.ts";
import { WireWriter } from "../../shared/kafka/wire_writer.ts";

const FETCH_KEY = 1;
/** Of all brokers since 0.11, and of those since 2.3, which send records packed with zstd only to the newer. */
const FETCH_VERSIONS = { old: 4, new: 11 };
/** We are no replica. */
const NO_REPLICA = -1;
const NO_SESSION = { id: 0, epoch: -1 };
const UNKNOWN_EPOCH = -1;
const UNKNOWN_OFFSET = -1;
const READ_COMMITTED = 1;

/** Where to read on in a partition. */
export interface FetchPosition {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** How much is asked for. */
export interface FetchLimits {
  /** How long the broker waits while there is nothing. */
  readonly waitMs: number;
  /** Most bytes of the answer; a first batch that is larger comes all the same. */
  readonly bytesMax: number;
  /** Most bytes of a partition. */
  readonly partitionBytesMax: number;
}

/** Where an aborted transaction of a producer begins. */
export interface AbortedTransaction {
  readonly producerId: number;
  readonly firstOffset: number;
}

/** What a broker has for a partition. */
export interface FetchedPartition {
  readonly topic: string;
  readonly partition: number;
  /** The protocol's number of what went wrong; 0 where nothing did. */
  readonly errorCode: number;
  readonly aborted: readonly AbortedTransaction[];
  /** Batches of records, the last perhaps cut off. */
  readonly records: Uint8Array;
}

/** Makes the request in the newest version that both sides know. */
export function fetchRequest(
  broker: KafkajsBroker,
  positions: readonly FetchPosition[],
  limits: FetchLimits,
): OwnRequest<FetchedPartition[]> {
  const isNew = (broker.versions?.[FETCH_KEY]?.maxVersion ?? 0) >= FETCH_VERSIONS.new;
  return {
    key: FETCH_KEY,
    version: isNew ? FETCH_VERSIONS.new : FETCH_VERSIONS.old,
    name: "Fetch",
    bytes: encode(positions, limits, isNew),
    read: (reader) => decode(reader, isNew),
  };
}

function encode(positions: readonly FetchPosition[], limits: FetchLimits, isNew: boolean): Uint8Array {
  const writer = new WireWriter();
  writer.int32(NO_REPLICA).int32(limits.waitMs).int32(1).int32(limits.bytesMax).int8(READ_COMMITTED);
  if (isNew) writer.int32(NO_SESSION.id).int32(NO_SESSION.epoch);
  const byTopic = Map.groupBy(positions, ({ topic }) => topic);
  writer.array([...byTopic], ([topic, ofTopic]) => {
    writer.text(topic).array(ofTopic, ({ partition, offset }) => {
      writer.int32(partition);
      if (isNew) writer.int32(UNKNOWN_EPOCH);
      writer.int64(offset);
      if (isNew) writer.int64(UNKNOWN_OFFSET);
      writer.int32(limits.partitionBytesMax);
    });
  });
  // Nothing to forget, and no rack.
  if (isNew) writer.int32(0).text("");
  return writer.bytes;
}

function decode(reader: WireReader, isNew: boolean): FetchedPartition[] {
  reader.skip(4);
  const errorCode = isNew ? reader.int16() : 0;
  if (isNew) reader.skip(4);
  const partitions = reader.array((each) => {
    const topic = each.text() ?? "";
    return each.array((one) => decodePartition(one, topic, isNew));
  }).flat();
  return errorCode === 0 ? partitions : partitions.map((partition) => ({ ...partition, errorCode }));
}

function decodePartition(reader: WireReader, topic: string, isNew: boolean): FetchedPartition {
  const partition = reader.int32();
  const errorCode = reader.int16();
  // The high watermark, the last stable offset and, in the newer version, where the log begins.
  reader.skip(isNew ? 24 : 16);
  const aborted = reader.array((each) => ({ producerId: each.int64(), firstOffset: each.int64() }));
  if (isNew) reader.skip(4);
  const length = reader.int32();
  // An answer may be cut off at its end.
  const records = reader.view(Math.max(0, Math.min(length, reader.left)));
  return { topic, partition, errorCode, aborted, records };
}
