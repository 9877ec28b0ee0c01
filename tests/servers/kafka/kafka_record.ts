/** Owns how tests write and see the messages of a real Kafka topic. */

import { Buffer } from "node:buffer";

/** A message as Kafka's own consumer read it. */
export interface KafkaRecord {
  readonly partition: number;
  readonly offset: number;
  readonly timestampMs: number;
  /** `CreateTime` or `LogAppendTime`. */
  readonly timestampType: string;
  readonly key: Uint8Array | null;
  /** Null is a tombstone. */
  readonly value: Uint8Array | null;
  /** In their order; a name may come more than once. */
  readonly headers: readonly (readonly [name: string, value: Uint8Array | null])[];
}

/** A message to be written by Kafka's own producer. Texts stand for their UTF-8 bytes. */
export interface KafkaMessage {
  readonly key?: string | Uint8Array | null;
  readonly value: string | Uint8Array | null;
  readonly headers?: readonly (readonly [name: string, value: string | Uint8Array | null])[];
  readonly partition?: number;
  readonly timestampMs?: number;
}

/** How Kafka's own producer compresses. */
export type KafkaCompression = "none" | "gzip" | "snappy" | "lz4" | "zstd";

/** One partition of a topic, as the brokers see it now. */
export interface KafkaPartition {
  readonly partition: number;
  /** The node that leads it; -1 when none does. */
  readonly leader: number;
  readonly replicas: readonly number[];
  readonly inSync: readonly number[];
}

/** What a group has committed for a partition: the offset it would go on at. */
export interface KafkaCommit {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** A record, with its bytes as base64, as the tools write it. */
export interface EncodedRecord extends Omit<KafkaRecord, "key" | "value" | "headers"> {
  readonly key: string | null;
  readonly value: string | null;
  readonly headers: readonly (readonly [name: string, value: string | null])[];
}

/** A record from what the tools wrote. */
export function decodeRecord(encoded: EncodedRecord): KafkaRecord {
  return {
    ...encoded,
    key: decodeBytes(encoded.key),
    value: decodeBytes(encoded.value),
    headers: encoded.headers.map(([name, value]) => [name, decodeBytes(value)]),
  };
}

/** A message as the tools read it. */
export function encodeMessage(message: KafkaMessage): Record<string, unknown> {
  return {
    ...message,
    key: encodeBytes(message.key ?? null),
    value: encodeBytes(message.value),
    headers: (message.headers ?? []).map(([name, value]) => [name, encodeBytes(value)]),
  };
}

function decodeBytes(base64: string | null): Uint8Array | null {
  return base64 === null ? null : new Uint8Array(Buffer.from(base64, "base64"));
}

function encodeBytes(bytes: string | Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes).toString("base64");
}
