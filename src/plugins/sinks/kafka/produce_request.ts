/** Owns the request that writes one batch of records to one partition, and its answer. */

import type { OwnRequest } from "../../shared/kafka/kafka_cluster.ts";
import type { KafkajsBroker } from "../../shared/kafka/kafkajs_parts.ts";
import { WireWriter } from "../../shared/kafka/wire_writer.ts";

const PRODUCE_KEY = 0;
/** Of all brokers since 0.11, and of those since 2.1, which take records packed with zstd only in the newer. */
const PRODUCE_VERSIONS = { old: 3, new: 7 };

/** A batch for a partition. */
export interface ProduceOptions {
  readonly topic: string;
  readonly partition: number;
  /** -1: all replicas that are in sync; 1: the leader; 0: nobody, and nothing is answered. */
  readonly acks: -1 | 0 | 1;
  /** How long the broker waits for its replicas. */
  readonly timeoutMs: number;
  readonly batch: Uint8Array;
}

/** Makes the request. Its answer is the protocol's number of what went wrong, 0 where nothing did. */
export function produceRequest(broker: KafkajsBroker, options: ProduceOptions): OwnRequest<number> {
  const { topic, partition, acks, timeoutMs, batch } = options;
  const isNew = (broker.versions?.[PRODUCE_KEY]?.maxVersion ?? 0) >= PRODUCE_VERSIONS.new;
  const writer = new WireWriter(batch.length + topic.length * 3 + 64);
  writer.text(null).int16(acks).int32(timeoutMs);
  writer.int32(1).text(topic).int32(1).int32(partition).int32(batch.length).raw(batch);
  return {
    key: PRODUCE_KEY,
    version: isNew ? PRODUCE_VERSIONS.new : PRODUCE_VERSIONS.old,
    name: "Produce",
    bytes: writer.bytes,
    read: acks === 0 ? undefined : (reader) => {
      const [code] = reader.array((each) => {
        each.text();
        return each.array((one) => {
          one.skip(4);
          const errorCode = one.int16();
          // The offset, the time and, in the newer version, where the log begins: nobody asks.
          one.skip(isNew ? 24 : 16);
          return errorCode;
        });
      }).flat();
      // One partition was asked for: an answer without it says nothing of what became of the records.
      return code ?? UNKNOWN_CODE;
    },
  };
}

const UNKNOWN_CODE = -1;
