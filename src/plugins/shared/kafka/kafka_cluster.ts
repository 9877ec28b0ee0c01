/** Owns one plugin's connections to a cluster, and its picture of it. */

import { resolve } from "node:path";
import { slept } from "../../../base/mod.ts";
import { EventboatError, reasonOf } from "../../../diagnostics/mod.ts";
import type { PluginContext } from "../../../plugin/mod.ts";
import type { Logger } from "../../../telemetry/mod.ts";
import type { ConnectionConfig } from "./connection_fields.ts";
import { type KafkaLogin, kafkaLogin } from "./kafka_login.ts";
import { KafkaSockets } from "./kafka_sockets.ts";
import { type KafkaTrouble, kafkaTrouble, lastingError, UNKNOWN_TOPIC } from "./kafka_trouble.ts";
import {
  asBuffer,
  type KafkajsBroker,
  type KafkajsCluster,
  type KafkajsEncoder,
  type KafkajsLogger,
  type KafkajsParts,
  type KafkajsRequest,
  type KafkajsTls,
  loadKafkajs,
} from "./kafkajs_parts.ts";
import { WireReader } from "./wire_reader.ts";

const CLIENT_ID = "eventboat";
const CONNECTION_TIMEOUT_MS = 10_000;
const AUTHENTICATION_TIMEOUT_MS = 10_000;
/** A login that ends is renewed this long before. */
const REAUTHENTICATION_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How long a topic that nobody knows is waited for: one that was made just now is not known everywhere. */
const UNKNOWN_TOPIC_ATTEMPTS_MAX = 6;
const RETRY_WAIT_MS = { first: 100, most: 2_000 };
/** Trouble that is over sooner is not worth a line: leaders move, and topics that were just made are not known at once. */
const OUTAGE_TOLD_AFTER_MS = 500;
/** How often an outage that goes on is told. */
const OUTAGE_TOLD_EVERY_MS = 30_000;

/** How a {@linkcode KafkaCluster} is opened. */
export interface ClusterOptions {
  readonly config: ConnectionConfig;
  readonly context: Pick<PluginContext, "clock" | "directory" | "log" | "node">;
  /** Topics to know of. */
  readonly topics: readonly string[];
  /** Whether a topic that does not exist is made, where the brokers let clients do that. */
  readonly makesTopics: boolean;
  /** Code of the error for what lasts. */
  readonly failure: "source_failed" | "sink_failed";
}

/** A request of our own: bytes in the protocol's format, and how its answer is read. */
export interface OwnRequest<Answer> {
  readonly key: number;
  readonly version: number;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Undefined: the broker does not answer. */
  readonly read: ((reader: WireReader) => Answer) | undefined;
}

/** What a cluster consists of. */
interface Held {
  readonly parts: KafkajsParts;
  readonly cluster: KafkajsCluster;
  readonly sockets: KafkaSockets;
  readonly login: KafkaLogin;
}

/** A cluster, until it is closed. */
export class KafkaCluster {
  readonly #parts: KafkajsParts;
  readonly #cluster: KafkajsCluster;
  readonly #sockets: KafkaSockets;
  readonly #options: ClusterOptions;
  readonly #login: KafkaLogin;
  readonly #outage: OutageLog;

  private constructor({ parts, cluster, sockets, login }: Held, options: ClusterOptions) {
    this.#parts = parts;
    this.#cluster = cluster;
    this.#sockets = sockets;
    this.#login = login;
    this.#options = options;
    this.#outage = new OutageLog(options.context);
  }

  /** Makes one; nothing is connected yet. @throws {EventboatError} a file of its TLS cannot be read */
  static async open(options: ClusterOptions): Promise<KafkaCluster> {
    const { config, context, makesTopics } = options;
    const ssl = config.tls === undefined ? null : await readTls(config.tls, context);
    const parts = await loadKafkajs();
    const sockets = await KafkaSockets.open(context.node);
    const login = kafkaLogin(config.sasl, context.clock);
    const cluster = new parts.Cluster({
      logger: bridged(context.log, context.node),
      socketFactory: sockets.make,
      brokers: config.brokers.map((broker) => sockets.alias(broker)),
      ssl,
      sasl: login.sasl,
      clientId: CLIENT_ID,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      authenticationTimeout: AUTHENTICATION_TIMEOUT_MS,
      reauthenticationThreshold: REAUTHENTICATION_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      enforceRequestTimeout: true,
      metadataMaxAge: 0,
      // Every wait between attempts is ours: the library's own cannot be ended.
      retry: { retries: 0 },
      allowAutoTopicCreation: makesTopics,
    });
    return new KafkaCluster({ parts, cluster, sockets, login }, options);
  }

  /** Connects, as often as it takes. @throws {EventboatError} what waiting does not cure; the signal's reason */
  async connect(signal: AbortSignal): Promise<void> {
    const { topics, context, failure } = this.#options;
    await this.persist("cannot connect to the cluster", async () => {
      await this.#cluster.connect();
      await this.#cluster.addMultipleTargetTopics(topics);
      await this.#cluster.refreshMetadata();
    }, signal);
    for (const topic of topics) {
      if (this.partitionsOf(topic).length > 0) continue;
      throw new EventboatError(failure, `the topic ${topic} has no partitions`, { node: context.node });
    }
  }

  /**
   * Does something as often as it takes, with a wait between attempts, and tells an outage once.
   * @throws {EventboatError} what waiting does not cure; the signal's reason once it aborts
   */
  async persist<T>(what: string, attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
    let unknownTopic = 0;
    for (let waitMs = RETRY_WAIT_MS.first;; waitMs = Math.min(waitMs * 2, RETRY_WAIT_MS.most)) {
      signal.throwIfAborted();
      try {
        const result = await attempt();
        this.#outage.over(what);
        return result;
      } catch (caught) {
        const trouble = this.trouble(caught);
        if (trouble.lasting) throw this.lasting(what, trouble);
        if (trouble.type === UNKNOWN_TOPIC && ++unknownTopic >= UNKNOWN_TOPIC_ATTEMPTS_MAX) {
          throw this.#unknownTopic(trouble);
        }
        this.#outage.tell(what, trouble);
      }
      if (!await slept(this.#options.context.clock, waitMs, signal)) throw signal.reason;
    }
  }

  /** Tells of trouble that is waited out elsewhere. */
  tell(what: string, trouble: KafkaTrouble): void {
    this.#outage.tell(what, trouble);
  }

  /** Says that what was told is over. */
  recovered(what: string): void {
    this.#outage.over(what);
  }

  /** Looks into what was caught from this cluster. */
  trouble(caught: unknown): KafkaTrouble {
    return kafkaTrouble(this.#sockets.refused ?? caught);
  }

  /** The error for trouble that lasts. */
  lasting(what: string, trouble: KafkaTrouble): EventboatError {
    const { context: { node }, failure } = this.#options;
    return lastingError(what, trouble, { node, failure });
  }

  /** Asks anew who leads what. */
  async refresh(): Promise<void> {
    if (!this.#cluster.isConnected()) await this.#cluster.connect();
    await this.#cluster.refreshMetadata();
  }

  /** Numbers of a topic's partitions, in order. */
  partitionsOf(topic: string): number[] {
    return this.#cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId).sort((a, b) => a - b);
  }

  /** The node that leads a partition, as far as is known; undefined where none does. */
  leaderOf(topic: string, partition: number): number | undefined {
    const found = this.#cluster.findTopicPartitionMetadata(topic).find(({ partitionId }) => partitionId === partition);
    return found === undefined || found.leader < 0 ? undefined : found.leader;
  }

  /** A node, connected. */
  async broker(nodeId: number): Promise<KafkajsBroker> {
    return await this.#cluster.findBroker({ nodeId });
  }

  /** The node that answers for a group. */
  async coordinator(groupId: string): Promise<KafkajsBroker> {
    if (!this.#cluster.isConnected()) await this.#cluster.connect();
    return await this.#cluster.findGroupCoordinator({ groupId });
  }

  /** A number for a producer whose repetitions brokers are to tell. */
  async newProducer(): Promise<{ readonly producerId: number; readonly epoch: number }> {
    const broker = await this.#cluster.findControllerBroker();
    const { producerId, producerEpoch } = await broker.initProducerId({ transactionTimeout: REQUEST_TIMEOUT_MS });
    return { producerId: Number(producerId), epoch: producerEpoch };
  }

  /** Forgets a node whose connection broke, so that it is asked for anew. */
  forget(broker: KafkajsBroker): void {
    const { host, port } = broker.connectionPool;
    if (!broker.isConnected()) this.#cluster.removeBroker({ host, port });
  }

  /** Sends a request of our own. Resolves to undefined where the broker does not answer. */
  async send<Answer>(broker: KafkajsBroker, own: OwnRequest<Answer>, timeoutMs?: number): Promise<Answer | undefined> {
    const { Encoder } = this.#parts;
    const encode = (): Promise<KafkajsEncoder> =>
      Promise.resolve(new Encoder(own.bytes.length).writeBuffer(asBuffer(own.bytes)));
    const request: KafkajsRequest<{ readonly answer: Answer | undefined }> = {
      request: {
        apiKey: own.key,
        apiVersion: own.version,
        apiName: own.name,
        encode,
        expectResponse: () => own.read !== undefined,
      },
      response: {
        decode: (bytes) => Promise.resolve({ answer: own.read?.(new WireReader(bytes)) }),
        parse: (answer) => Promise.resolve(answer),
      },
      logResponseError: false,
      ...(timeoutMs === undefined ? {} : { requestTimeout: timeoutMs }),
    };
    // Nothing comes back where no answer is expected.
    const sent: { readonly answer: Answer | undefined } | undefined = await broker.connectionPool.send(request);
    return sent?.answer;
  }

  /** Cuts all connections. */
  async close(): Promise<void> {
    await this.#sockets.close();
    // What waited for an answer has been told by now; what the library says of that is of no use any more.
    await this.#cluster.disconnect().catch(() => {});
    this.#login[Symbol.dispose]();
  }

  #unknownTopic(trouble: KafkaTrouble): EventboatError {
    const { topics, context, makesTopics, failure } = this.#options;
    const names = topics.length === 1 ? `the topic ${topics[0]}` : `one of the topics ${topics.join(", ")}`;
    return new EventboatError(failure, `the cluster does not know ${names}`, {
      cause: trouble.cause,
      node: context.node,
      hint: makesTopics
        ? "Make the topic: the brokers do not let clients make topics (auto.create.topics.enable)."
        : "Make the topic, or correct its name.",
    });
  }
}

/** Tells an outage that lasts, now and then while it goes on, and when it is over: each kind by itself. */
class OutageLog {
  readonly #context: ClusterOptions["context"];
  readonly #outages = new Map<string, Outage>();

  constructor(context: ClusterOptions["context"]) {
    this.#context = context;
  }

  tell(what: string, trouble: KafkaTrouble): void {
    const { clock, log, node } = this.#context;
    const nowMs = clock.monotonic();
    const outage = this.#outages.get(what);
    if (outage === undefined) {
      this.#outages.set(what, { nextMs: nowMs + OUTAGE_TOLD_AFTER_MS, isTold: false });
    } else if (nowMs >= outage.nextMs) {
      this.#outages.set(what, { nextMs: nowMs + OUTAGE_TOLD_EVERY_MS, isTold: true });
      const { type, message: error, hint } = trouble;
      log.log("warn", `${what}; trying again`, { node, type, error, ...(hint === undefined ? {} : { hint }) });
    }
  }

  over(what: string): void {
    const outage = this.#outages.get(what);
    this.#outages.delete(what);
    if (outage?.isTold === true) this.#context.log.log("info", `over: ${what}`, { node: this.#context.node });
  }
}

/** Trouble that goes on. */
interface Outage {
  /** When it is told next. */
  readonly nextMs: number;
  readonly isTold: boolean;
}

async function readTls(
  tls: NonNullable<ConnectionConfig["tls"]>,
  context: ClusterOptions["context"],
): Promise<KafkajsTls> {
  const [ca, cert, key] = await Promise.all(
    [tls.ca_file, tls.cert_file, tls.key_file].map((file) => readPem(file, context)),
  );
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(tls.server_name === undefined ? {} : { servername: tls.server_name }),
  };
}

async function readPem(file: string | undefined, context: ClusterOptions["context"]): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const path = resolve(context.directory, file);
  try {
    return await Deno.readTextFile(path);
  } catch (caught) {
    const code = caught instanceof Deno.errors.NotCapable ? "permission" : "io";
    throw new EventboatError(code, `cannot read ${path}: ${reasonOf(caught)}`, { cause: caught, node: context.node });
  }
}

/** The library's own lines are for whoever looks closely: what matters is told by us, once. */
function bridged(log: Logger, node: string): KafkajsLogger {
  const line = (message: string) => log.log("debug", `kafka client: ${message}`, { node });
  const logger: KafkajsLogger = { namespace: () => logger, error: line, warn: line, info: line, debug: () => {} };
  return logger;
}
