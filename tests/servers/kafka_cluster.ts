/** Owns a real Kafka cluster in tests: one node or three, each a process, with Kafka's own clients at hand. */

import assert from "node:assert/strict";
import { archiveFlags, type ArchiveUse } from "./kafka/class_archive.ts";
import { KAFKA_LISTENERS, type KafkaListener, type KafkaNodePlan, nodeProperties } from "./kafka/kafka_node_config.ts";
import {
  decodeRecord,
  type EncodedRecord,
  encodeMessage,
  type KafkaCommit,
  type KafkaCompression,
  type KafkaMessage,
  type KafkaPartition,
  type KafkaRecord,
} from "./kafka/kafka_record.ts";
import { javaFlags, javaProgram, KafkaTools } from "./kafka/kafka_tools.ts";
import { ServerFolder, type TlsFiles } from "./server_folder.ts";
import { acceptsConnections, freePorts, ServerProcess, until } from "./server_process.ts";

/** Sixteen bytes in base64, as Kafka wants a cluster to be named. */
const CLUSTER_ID = "ZXZlbnRib2F0LXNlcnZlcg";
const HEAP_MEGABYTES = 128;

/** How a cluster is started. */
export interface KafkaOptions {
  /** Three replicate every topic thrice and want two in sync; one unless told. */
  readonly nodes?: 1 | 3;
  /** Users of the SASL listeners, name to password, for PLAIN and SCRAM alike; `alice` with `alice-secret` unless told. */
  readonly users?: Readonly<Record<string, string>>;
  /** Whether a client of the TLS listeners must show a certificate that the tests' authority signed. */
  readonly clientCertificates?: boolean;
  /** The host that the brokers tell their clients; 127.0.0.1 unless told. */
  readonly advertisedHost?: string;
  /** Properties of every node, over the tests' own. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Whether the classes that Kafka loads are kept for later starts, as the install has them; loaded unless told. */
  readonly classes?: ArchiveUse;
}

/** How a topic is made. */
export interface KafkaTopicOptions {
  /** 1 unless told. */
  readonly partitions?: number;
  /** As many as there are nodes unless told. */
  readonly replicas?: number;
  /** Such as `{ "cleanup.policy": "compact", "min.insync.replicas": "1" }`. */
  readonly config?: Readonly<Record<string, string>>;
}

/** How messages are written by Kafka's own producer. */
export interface KafkaProduceOptions {
  /** None unless told. */
  readonly compression?: KafkaCompression;
  /** Writes them in one transaction, which ends as told. */
  readonly transaction?: { readonly id: string; readonly abort?: boolean };
}

/** A cluster, gone when its scope ends. */
export class KafkaCluster implements AsyncDisposable {
  /** The processes, node 1 first: each can be stopped, killed, paused and started again. */
  readonly nodes: readonly ServerProcess[];
  /** PEM files for clients: the authority, and a certificate that a cluster with `clientCertificates` takes. */
  readonly tls: TlsFiles;
  readonly #plans: readonly KafkaNodePlan[];
  readonly #advertisedHost: string;
  readonly #tools: KafkaTools;
  readonly #owned: AsyncDisposableStack;

  private constructor(parts: KafkaParts, owned: AsyncDisposableStack) {
    this.nodes = parts.nodes;
    this.tls = parts.tls;
    this.#plans = parts.plans;
    this.#advertisedHost = parts.advertisedHost;
    this.#tools = parts.tools;
    this.#owned = owned;
  }

  /** Makes an empty cluster and starts it: about five seconds for one node, ten for three. */
  static async start(options: KafkaOptions = {}): Promise<KafkaCluster> {
    const { users = { alice: "alice-secret" }, advertisedHost = "127.0.0.1", classes = "load" } = options;
    await using made = new AsyncDisposableStack();
    const folder = made.use(await ServerFolder.make("kafka"));
    const tls = folder.writeTlsFiles();
    const plans = planNodes(options.nodes ?? 1, folder.path);
    const shared = {
      nodes: plans,
      advertisedHost,
      keystore: tls.keystore,
      clientAuthority: options.clientCertificates === true ? tls.authority : undefined,
      users,
      properties: options.properties ?? {},
    };
    const configs = plans.map((plan) => folder.write(`node-${plan.id}.properties`, nodeProperties(shared, plan)));
    const tools = made.use(new KafkaTools(classes));
    const scram = Object.entries(users).flatMap(([name, password]) => {
      return ["SCRAM-SHA-256", "SCRAM-SHA-512"].map((mechanism) => `${mechanism}=[name=${name},password=${password}]`);
    });
    await tools.ask("format", { cluster: CLUSTER_ID, configs, scram });
    const nodes = plans.map((plan, index) => made.use(nodeProcess(plan, configs[index] ?? "", classes)));
    for (const node of nodes) node.spawn();
    await Promise.all(nodes.map((node) => node.untilReady()));
    const cluster = new KafkaCluster({ nodes, tls, plans, advertisedHost, tools }, made.move());
    await tools.ask("connect", { bootstrap: plans.map((plan) => `127.0.0.1:${plan.ports.PLAINTEXT}`).join() });
    await cluster.untilNodes(nodes.length).catch(async (caught) => {
      await cluster[Symbol.asyncDispose]();
      throw caught;
    });
    return cluster;
  }

  /** One node's process; the first is 1. */
  node(id: number): ServerProcess {
    const node = this.nodes[id - 1];
    assert.ok(node !== undefined, `the cluster has nodes 1 to ${this.nodes.length}, not ${id}`);
    return node;
  }

  /** Where clients begin, `host:port` of every node. */
  brokers(listener: KafkaListener = "PLAINTEXT"): string[] {
    return this.#plans.map(({ ports }) => `${this.#advertisedHost}:${ports[listener]}`);
  }

  /** Waits until that many nodes take part. */
  async untilNodes(count: number): Promise<void> {
    await until(
      `${count} nodes take part`,
      async () => (await this.#tools.ask<NodesAnswer>("nodes"))[0]?.nodes.length === count,
    );
  }

  /** Makes a topic, and waits until every partition has its leader. */
  async createTopic(topic: string, options: KafkaTopicOptions = {}): Promise<void> {
    const { partitions = 1, replicas = this.nodes.length, config = {} } = options;
    await this.#tools.ask("createTopic", { topic, partitions, replicas, config });
    await this.untilInSync(topic, partitions);
  }

  /** Removes a topic. */
  async deleteTopic(topic: string): Promise<void> {
    await this.#tools.ask("deleteTopic", { topic });
  }

  /** A topic's partitions with their leaders and replicas, as they are now. */
  async partitions(topic: string): Promise<KafkaPartition[]> {
    return await this.#tools.ask<KafkaPartition>("partitions", { topic });
  }

  /** Waits until every partition has a leader and all its replicas are in sync. */
  async untilInSync(topic: string, count?: number): Promise<void> {
    await until(`all replicas of ${topic} are in sync`, async () => {
      const partitions = await this.partitions(topic);
      if (partitions.length !== (count ?? partitions.length)) return false;
      return partitions.every(({ leader, replicas, inSync }) => leader !== -1 && replicas.length === inSync.length);
    });
  }

  /** Waits until every partition has a leader, and this node leads none: what a killed node's take over costs. */
  async untilLedWithout(topic: string, node: number): Promise<void> {
    await until(`${topic} is led without node ${node}`, async () => {
      return (await this.partitions(topic)).every(({ leader }) => leader !== -1 && leader !== node);
    });
  }

  /** Makes a node the leader of a partition, which must be in sync there. */
  async moveLeader(topic: string, partition: number, node: number): Promise<void> {
    await this.#tools.ask("moveLeader", { topic, partition, node });
    await until(`node ${node} leads partition ${partition} of ${topic}`, async () => {
      return (await this.partitions(topic)).some((found) => found.partition === partition && found.leader === node);
    });
  }

  /** Adds a user of the SCRAM mechanisms, or gives one another password. Users of PLAIN are those of the start. */
  async addUser(name: string, password: string): Promise<void> {
    await this.#tools.ask("addUser", { name, password });
  }

  /** What a topic holds at the moment of the call, as Kafka's own consumer reads it; in order within each partition. */
  async *records(topic: string, isolation: KafkaIsolation = "read_committed"): AsyncGenerator<KafkaRecord> {
    for await (const record of this.#tools.stream<EncodedRecord>("read", { topic, isolation })) {
      yield decodeRecord(record);
    }
  }

  /** All of {@linkcode KafkaCluster.records}. */
  async read(topic: string, isolation: KafkaIsolation = "read_committed"): Promise<KafkaRecord[]> {
    return await Array.fromAsync(this.records(topic, isolation));
  }

  /** Writes messages by Kafka's own producer, one after the other. */
  async produce(topic: string, messages: readonly KafkaMessage[], options: KafkaProduceOptions = {}): Promise<void> {
    const { compression = "none", transaction } = options;
    const end = transaction === undefined ? {} : { transaction: transaction.id, abort: transaction.abort === true };
    await this.#tools.ask("produce", { topic, records: messages.map(encodeMessage), compression, ...end });
  }

  /** Writes many messages `{"n":<number>,"pad":"xxx"}` without keys, n modulo the partitions, as fast as it goes. */
  async fill(topic: string, count: number, options: KafkaFillOptions = {}): Promise<void> {
    const { from = 0, padding = 0, compression = "none" } = options;
    await this.#tools.ask("fill", { topic, count, from, padding, compression });
  }

  /** What a group has committed. */
  async committed(group: string): Promise<KafkaCommit[]> {
    return await this.#tools.ask<KafkaCommit>("committed", { group });
  }

  /** Lets a client of Kafka's own log in with properties as it knows them, and ask for the nodes. Rejects when it may not. */
  async login(properties: Readonly<Record<string, string>>): Promise<readonly number[]> {
    return (await this.#tools.ask<NodesAnswer>("login", { properties }))[0]?.nodes ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}

/** Whether messages of transactions that were not committed are seen. */
export type KafkaIsolation = "read_committed" | "read_uncommitted";

/** How many messages are made. */
export interface KafkaFillOptions {
  /** The first number; 0 unless told. */
  readonly from?: number;
  /** How many characters each is padded with; 0 unless told. */
  readonly padding?: number;
  /** None unless told. */
  readonly compression?: KafkaCompression;
}

interface NodesAnswer {
  readonly nodes: readonly number[];
}

interface KafkaParts {
  readonly nodes: readonly ServerProcess[];
  readonly tls: TlsFiles;
  readonly plans: readonly KafkaNodePlan[];
  readonly advertisedHost: string;
  readonly tools: KafkaTools;
}

function planNodes(count: number, folder: string): KafkaNodePlan[] {
  const portsOfNode = KAFKA_LISTENERS.length + 1;
  const ports = freePorts(count * portsOfNode);
  return Array.from({ length: count }, (_, index) => {
    const [controllerPort = 0, plain = 0, ssl = 0, sasl = 0, saslSsl = 0] = ports.slice(index * portsOfNode);
    return {
      id: index + 1,
      dataFolder: `${folder}/node-${index + 1}`,
      controllerPort,
      ports: { PLAINTEXT: plain, SSL: ssl, SASL_PLAINTEXT: sasl, SASL_SSL: saslSsl },
    };
  });
}

function nodeProcess(plan: KafkaNodePlan, config: string, classes: ArchiveUse): ServerProcess {
  return new ServerProcess({
    name: `kafka node ${plan.id}`,
    command: javaProgram(),
    args: [
      ...javaFlags(HEAP_MEGABYTES),
      ...archiveFlags("node", classes),
      "-Dlog4j2.level=WARN",
      "kafka.Kafka",
      config,
    ],
    isReady: () => acceptsConnections(plan.ports.PLAINTEXT),
  });
}
