/**
 * Owns what is used of the library kafkajs: its connections with TLS and SASL, its picture of the cluster and its
 * requests of the group protocol. Records are read and written here: the library's own consumer loses partitions to
 * back-pressure and cannot drain them before it gives them away, and its own producer loses messages when leaders move.
 *
 * These parts are inside the package, which is why its version is pinned; this file is their whole border.
 */

import { Buffer } from "node:buffer";
import type { Socket } from "node:net";

/** A request of the protocol, as a connection takes it. */
export interface KafkajsRequest<Answer> {
  readonly request: {
    readonly apiKey: number;
    readonly apiVersion: number;
    readonly apiName: string;
    encode(): Promise<KafkajsEncoder>;
    /** Default true. */
    expectResponse?(): boolean;
  };
  readonly response: { decode(bytes: Buffer): Promise<Answer>; parse(answer: Answer): Promise<Answer> };
  readonly requestTimeout?: number;
  readonly logResponseError?: boolean;
}

/** What a request is encoded into. */
export interface KafkajsEncoder {
  writeBuffer(bytes: Buffer): KafkajsEncoder;
}

/** Offsets by topic, as requests of the group protocol say them. */
export interface KafkajsTopicOffsets {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
}

/** Partitions by topic. */
export interface KafkajsTopicPartitions {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number; readonly timestamp?: number }[];
}

/** A node of the cluster. */
export interface KafkajsBroker {
  readonly nodeId: number;
  /** Which versions of each request it takes, by the request's number; null until it is connected. */
  readonly versions: { readonly [apiKey: number]: { readonly maxVersion: number } | undefined } | null;
  readonly connectionPool: {
    readonly host: string;
    readonly port: number;
    send<Answer>(request: KafkajsRequest<Answer>): Promise<Answer>;
  };
  isConnected(): boolean;
  joinGroup(request: {
    readonly groupId: string;
    readonly sessionTimeout: number;
    readonly rebalanceTimeout: number;
    readonly memberId: string;
    readonly groupProtocols: readonly { readonly name: string; readonly metadata: Buffer }[];
  }): Promise<{
    readonly generationId: number;
    readonly leaderId: string;
    readonly memberId: string;
    readonly members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[];
  }>;
  syncGroup(request: {
    readonly groupId: string;
    readonly generationId: number;
    readonly memberId: string;
    readonly groupAssignment: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[];
  }): Promise<{ readonly memberAssignment: Buffer }>;
  heartbeat(request: {
    readonly groupId: string;
    readonly groupGenerationId: number;
    readonly memberId: string;
  }): Promise<unknown>;
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>;
  offsetFetch(request: { readonly groupId: string; readonly topics: readonly KafkajsTopicPartitions[] }): Promise<{
    readonly responses: readonly KafkajsTopicOffsets[];
  }>;
  offsetCommit(request: {
    readonly groupId: string;
    readonly groupGenerationId: number;
    readonly memberId: string;
    readonly topics: readonly KafkajsTopicOffsets[];
  }): Promise<unknown>;
  listOffsets(request: {
    readonly isolationLevel: number;
    readonly topics: readonly KafkajsTopicPartitions[];
  }): Promise<{ readonly responses: readonly KafkajsTopicOffsets[] }>;
  initProducerId(request: { readonly transactionTimeout: number }): Promise<{
    readonly producerId: string | number;
    readonly producerEpoch: number;
  }>;
}

/** What is known of a partition. */
export interface KafkajsPartition {
  readonly partitionId: number;
  /** Node that leads it; -1 where there is none. */
  readonly leader: number;
}

/** The library's picture of a cluster, and its connections. */
export interface KafkajsCluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  isConnected(): boolean;
  refreshMetadata(): Promise<void>;
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
  findTopicPartitionMetadata(topic: string): readonly KafkajsPartition[];
  findBroker(node: { readonly nodeId: number }): Promise<KafkajsBroker>;
  findControllerBroker(): Promise<KafkajsBroker>;
  findGroupCoordinator(group: { readonly groupId: string }): Promise<KafkajsBroker>;
  removeBroker(address: { readonly host: string; readonly port: number }): void;
}

/** Where the library's own log lines go. */
export interface KafkajsLogger {
  namespace(name: string): KafkajsLogger;
  error(message: string, extra?: object): void;
  warn(message: string, extra?: object): void;
  info(message: string, extra?: object): void;
  debug(message: string, extra?: object): void;
}

/** TLS as `node:tls` takes it. */
export interface KafkajsTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
}

/** How a client proves who it is, as the library takes it. */
export interface KafkajsSasl {
  readonly mechanism: string;
  readonly username?: string;
  readonly password?: string;
  /** Speaks the mechanism in place of the library. */
  authenticationProvider?(connection: {
    saslAuthenticate<Answer>(exchange: {
      readonly request: { encode(): Promise<Buffer> };
      readonly response: { decode(bytes: Buffer): Promise<Answer>; parse(answer: Answer): Promise<Answer> };
    }): Promise<Answer>;
  }): { authenticate(): Promise<void> };
}

/** Makes the socket of a connection; `onConnect` is called when it stands, its TLS too. */
export type KafkajsSocketFactory = (options: {
  readonly host: string;
  readonly port: number;
  readonly ssl: KafkajsTls | null;
  readonly onConnect: () => void;
}) => Socket;

/** What a cluster is made of. */
export interface KafkajsClusterOptions {
  readonly logger: KafkajsLogger;
  readonly socketFactory: KafkajsSocketFactory;
  readonly brokers: readonly string[];
  readonly ssl: KafkajsTls | null;
  readonly sasl: KafkajsSasl | null;
  readonly clientId: string;
  readonly connectionTimeout: number;
  readonly authenticationTimeout: number;
  readonly reauthenticationThreshold: number;
  readonly requestTimeout: number;
  readonly enforceRequestTimeout: boolean;
  readonly metadataMaxAge: number;
  readonly retry: { readonly retries: number };
  readonly allowAutoTopicCreation: boolean;
}

/** The parts, loaded. */
export interface KafkajsParts {
  readonly Cluster: new (options: KafkajsClusterOptions) => KafkajsCluster;
  readonly Encoder: new (capacity?: number) => KafkajsEncoder;
}

/** Environment variables that the library reads; it fails where it may not. */
export const KAFKAJS_ENVIRONMENT: readonly string[] = [
  "NODE_ENV",
  "KAFKAJS_DEBUG_PROTOCOL_BUFFERS",
  "KAFKAJS_DEBUG_EXTENDED_PROTOCOL_BUFFERS",
];

/** Loads the library, which takes a while: only pipelines that speak to Kafka should wait for it. */
export async function loadKafkajs(): Promise<KafkajsParts> {
  const [cluster, encoder, queue] = await Promise.all([
    import("kafkajs/src/cluster/index.js"),
    import("kafkajs/src/protocol/encoder.js"),
    import("kafkajs/src/network/requestQueue/index.js"),
  ]);
  spareTimers(queue.default.prototype);
  // The package has no types for its inside; the interfaces above are what is used of it.
  return { Cluster: cluster.default, Encoder: encoder.default };
}

/** What of the library's queue of a connection is looked at here. */
interface KafkajsRequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

/**
 * Keeps the queue from setting a timer of a negative time after every answer, of which the platform complains: with
 * nothing pending there is nothing to look at.
 */
function spareTimers(queue: KafkajsRequestQueue): void {
  const schedule = queue.scheduleCheckPendingRequests;
  if (schedule.name === "scheduleWherePending") return;
  queue.scheduleCheckPendingRequests = function scheduleWherePending(this: KafkajsRequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}

/** Bytes as the library's encoder takes them, not copied. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
