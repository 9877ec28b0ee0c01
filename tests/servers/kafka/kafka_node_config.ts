/** Owns the configuration of one node of a real Kafka cluster in tests, as its properties file holds it. */

/** A listener that clients may take. */
export type KafkaListener = "PLAINTEXT" | "SSL" | "SASL_PLAINTEXT" | "SASL_SSL";

/** All of them: every node has each, on a port of its own. */
export const KAFKA_LISTENERS: readonly KafkaListener[] = ["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"];

/** How a client of a SASL listener may log in. A bearer of OAUTHBEARER is any JWT with algorithm `none`, `sub` and `exp`. */
export const SASL_MECHANISMS: readonly string[] = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"];

/** One of the cluster's nodes, broker and controller in one. */
export interface KafkaNodePlan {
  /** From 1. */
  readonly id: number;
  readonly dataFolder: string;
  readonly controllerPort: number;
  readonly ports: Readonly<Record<KafkaListener, number>>;
}

/** What all nodes of a cluster share. */
export interface KafkaClusterPlan {
  readonly nodes: readonly KafkaNodePlan[];
  /** The host that the brokers tell their clients. */
  readonly advertisedHost: string;
  /** PEM file with key and certificate. */
  readonly keystore: string;
  /** PEM file of whom to trust where clients must show a certificate; undefined where they need none. */
  readonly clientAuthority: string | undefined;
  /** Name to password. */
  readonly users: Readonly<Record<string, string>>;
  /** Over everything else. */
  readonly properties: Readonly<Record<string, string>>;
}

/** A node's properties file. */
export function nodeProperties(cluster: KafkaClusterPlan, node: KafkaNodePlan): string {
  const properties = {
    ...identity(cluster, node),
    ...security(cluster),
    ...replication(cluster.nodes.length),
    ...sizes(),
    ...cluster.properties,
  };
  return Object.entries(properties).map(([key, value]) => `${key}=${value}\n`).join("");
}

function identity(cluster: KafkaClusterPlan, node: KafkaNodePlan): Record<string, string> {
  const listeners = KAFKA_LISTENERS.map((name) => `${name}://127.0.0.1:${node.ports[name]}`);
  const advertised = KAFKA_LISTENERS.map((name) => `${name}://${cluster.advertisedHost}:${node.ports[name]}`);
  return {
    "process.roles": "broker,controller",
    "node.id": `${node.id}`,
    "log.dirs": node.dataFolder,
    "controller.quorum.voters": cluster.nodes.map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`)
      .join(),
    "controller.listener.names": "CONTROLLER",
    "inter.broker.listener.name": "PLAINTEXT",
    listeners: [...listeners, `CONTROLLER://127.0.0.1:${node.controllerPort}`].join(),
    "advertised.listeners": advertised.join(),
    "listener.security.protocol.map": ["CONTROLLER:PLAINTEXT", ...KAFKA_LISTENERS.map((name) => `${name}:${name}`)]
      .join(),
  };
}

function security({ keystore, clientAuthority, users }: KafkaClusterPlan): Record<string, string> {
  const known = Object.entries(users).map(([name, password]) => ` user_${name}="${password}"`).join("");
  const properties: Record<string, string> = {
    "ssl.keystore.type": "PEM",
    "ssl.keystore.location": keystore,
    "sasl.enabled.mechanisms": SASL_MECHANISMS.join(),
  };
  if (clientAuthority !== undefined) {
    properties["ssl.client.auth"] = "required";
    properties["ssl.truststore.type"] = "PEM";
    properties["ssl.truststore.location"] = clientAuthority;
  }
  for (const listener of ["sasl_plaintext", "sasl_ssl"]) {
    for (const mechanism of SASL_MECHANISMS) {
      properties[`listener.name.${listener}.${mechanism.toLowerCase()}.sasl.jaas.config`] = loginModule(
        mechanism,
        known,
      );
    }
  }
  return properties;
}

function loginModule(mechanism: string, known: string): string {
  const security = "org.apache.kafka.common.security";
  if (mechanism === "PLAIN") return `${security}.plain.PlainLoginModule required${known};`;
  if (mechanism === "OAUTHBEARER") return `${security}.oauthbearer.OAuthBearerLoginModule required;`;
  return `${security}.scram.ScramLoginModule required;`;
}

function replication(nodeCount: number): Record<string, string> {
  const replicas = `${Math.min(nodeCount, 3)}`;
  const inSync = `${Math.min(nodeCount, 2)}`;
  return {
    "default.replication.factor": replicas,
    "min.insync.replicas": inSync,
    "offsets.topic.replication.factor": replicas,
    "transaction.state.log.replication.factor": replicas,
    "transaction.state.log.min.isr": inSync,
    "share.coordinator.state.topic.replication.factor": replicas,
    "share.coordinator.state.topic.min.isr": inSync,
    // A killed broker is missed sooner than the default's 9 s.
    "broker.session.timeout.ms": "4000",
    "broker.heartbeat.interval.ms": "500",
  };
}

/** Small enough to stand three times on one small machine; and no topic comes to be because a name was mistyped. */
function sizes(): Record<string, string> {
  return {
    "auto.create.topics.enable": "false",
    "group.initial.rebalance.delay.ms": "0",
    "offsets.topic.num.partitions": "4",
    "transaction.state.log.num.partitions": "4",
    "share.coordinator.state.topic.num.partitions": "4",
    // Without it the cleaner alone wants more memory than the whole broker has.
    "log.cleaner.dedupe.buffer.size": "4194304",
    "num.network.threads": "2",
    "num.io.threads": "4",
  };
}
