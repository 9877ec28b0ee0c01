/** Owns the sockets of one cluster's connections: made only where the isolate may, and gone when the cluster is closed. */

import type { Socket } from "node:net";
import { EventboatError } from "../../../diagnostics/mod.ts";
import type { KafkajsSocketFactory } from "./kafkajs_parts.ts";

const KEEP_ALIVE_MS = 60_000;

/** The platform's sockets. */
interface Platform {
  readonly net: typeof import("node:net");
  readonly tls: typeof import("node:tls");
}

/** Makes sockets, and keeps them until they are closed. */
export class KafkaSockets {
  readonly #node: string;
  readonly #platform: Platform;
  readonly #open = new Set<Socket>();
  /** Stand-ins for addresses that the library cannot read, as it has them. */
  readonly #aliases = new Map<string, string>();
  #refused: EventboatError | undefined;
  #closed = false;

  private constructor(node: string, platform: Platform) {
    this.#node = node;
    this.#platform = platform;
  }

  /** Loads what sockets are made of: it takes longer than all else at the start of a pipeline that needs none. */
  static async open(node: string): Promise<KafkaSockets> {
    const [net, tls] = await Promise.all([import("node:net"), import("node:tls")]);
    return new KafkaSockets(node, { net, tls });
  }

  /** Why a connection was not allowed, once one was not: no later attempt will be. */
  get refused(): EventboatError | undefined {
    return this.#refused;
  }

  /** A broker's address as the library can read it: it cuts at the first colon. */
  alias(broker: string): string {
    if (!broker.startsWith("[")) return broker;
    const end = broker.indexOf("]");
    const alias = `ipv6-${this.#aliases.size}`;
    this.#aliases.set(alias, broker.slice(1, end));
    return `${alias}${broker.slice(end + 1)}`;
  }

  /** Makes a socket. @throws {EventboatError} `permission` */
  readonly make: KafkajsSocketFactory = ({ host: given, port, ssl, onConnect }) => {
    const host = this.#aliases.get(given) ?? given;
    if (this.#closed) throw new EventboatError("shutdown", "the connections to the cluster are closed");
    this.#allowed(host, port);
    const { net, tls } = this.#platform;
    const socket = ssl === null ? net.connect({ host, port }, onConnect) : tls.connect(
      { host, port, ...(net.isIP(host) === 0 ? { servername: host } : {}), ...ssl },
      onConnect,
    );
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    return socket;
  };

  /** Cuts all connections, whatever waits on them, and resolves when they are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    const gone = [...this.#open].map((socket) => new Promise<void>((resolve) => socket.once("close", () => resolve())));
    // With an error, so that requests which wait for an answer are told.
    for (const socket of this.#open) socket.destroy(new Error("the connection was closed here"));
    await Promise.all(gone);
  }

  #allowed(host: string, port: number): void {
    const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    if (Deno.permissions.querySync({ name: "net", host: address }).state === "granted") return;
    this.#refused = new EventboatError(
      "permission",
      `cannot connect to ${address}: a broker advertises this address, and the pipeline may not reach it`,
      { node: this.#node, hint: `Add ${address} to \`advertised\`, or to \`brokers\`.` },
    );
    throw this.#refused;
  }
}
