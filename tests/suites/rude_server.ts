/** Owns an HTTP server for tests of clients that breaks the rules on command: {@linkcode HttpPeer} keeps them. */

import { createServer, type Server } from "node:net";
import { type RawConnection, SocketConnection } from "./raw_connection.ts";
import { RawPeer } from "./raw_peer.ts";
import { TEST_CERTIFICATE, TEST_KEY } from "./test_certificate.ts";

/**
 * What is done to one request on a connection. The next request of the connection gets the next one, until it is closed;
 * `signal` says that the test is over.
 */
export type Rudeness = (peer: RawPeer, signal: AbortSignal) => Promise<void>;

/** Why a connection may break without anybody minding: that is what this server is for. */
const BROKEN_CONNECTION_ERRORS = [
  Deno.errors.BadResource,
  Deno.errors.BrokenPipe,
  Deno.errors.ConnectionAborted,
  Deno.errors.ConnectionReset,
  Deno.errors.Interrupted,
  Deno.errors.InvalidData,
  Deno.errors.UnexpectedEof,
];

/** The same of `node:net`. */
const BROKEN_CONNECTION_CODES: readonly string[] = [
  "ECANCELED",
  "ECONNABORTED",
  "ECONNRESET",
  "EPIPE",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_PREMATURE_CLOSE",
  "ERR_STREAM_WRITE_AFTER_END",
];

/** How a server listens. */
export interface RudeServerOptions {
  /** Whether it speaks TLS, with the tests' certificate. Such a connection cannot be reset. */
  readonly tls?: boolean;
  /** The platform chooses unless told. */
  readonly port?: number;
}

/** A server on a port of its own until its scope ends. */
export class RudeServer implements AsyncDisposable {
  /** What is done to the next request. */
  behave: Rudeness;
  /** Connections it has taken so far. */
  connections = 0;
  /** Where it listens. */
  readonly port: number;
  readonly #scheme: string;
  readonly #close: () => Promise<void>;
  readonly #over = new AbortController();
  readonly #peers = new Set<RawPeer>();
  readonly #served: Promise<void>[] = [];
  #failure: unknown;

  private constructor(behave: Rudeness, scheme: string, listening: Listening) {
    this.behave = behave;
    this.#scheme = scheme;
    this.port = listening.port;
    this.#close = listening.close;
    listening.take((connection) => {
      this.connections++;
      this.#served.push(this.#serve(connection));
    });
  }

  /** Starts one. `behave` is what is done to requests; {@linkcode RudeServer.behave} may be set later. */
  static async start(behave: Rudeness, options: RudeServerOptions = {}): Promise<RudeServer> {
    const { tls = false, port = 0 } = options;
    return tls
      ? new RudeServer(behave, "https", listenTls(port))
      : new RudeServer(behave, "http", await listenPlain(port));
  }

  /** A URL of it. */
  url(path = "/"): string {
    return `${this.#scheme}://127.0.0.1:${this.port}${path}`;
  }

  /** Closes every connection that is open now. */
  closeConnections(): void {
    for (const peer of this.#peers) peer.close();
  }

  /** Rejects with what a rudeness threw, a broken connection aside. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    const closed = this.#close();
    this.closeConnections();
    await closed;
    await Promise.all(this.#served);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #serve(connection: RawConnection): Promise<void> {
    using peer = new RawPeer(connection);
    this.#peers.add(peer);
    try {
      while (!this.#over.signal.aborted && !peer.closed) await this.behave(peer, this.#over.signal);
    } catch (caught) {
      if (!isBrokenConnection(caught)) this.#failure ??= caught;
    } finally {
      this.#peers.delete(peer);
    }
  }
}

/** A port that is listened on, and what to do with connections to it. */
interface Listening {
  readonly port: number;
  readonly take: (taken: (connection: RawConnection) => void) => void;
  /** Settles when no connection is taken any more and all are closed. */
  readonly close: () => Promise<void>;
}

async function listenPlain(port: number): Promise<Listening> {
  const server: Server = createServer({ allowHalfOpen: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("a TCP server has an address");
  return {
    port: address.port,
    take: (taken) => server.on("connection", (socket) => taken(new SocketConnection(socket))),
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

function listenTls(port: number): Listening {
  const listener = Deno.listenTls({ hostname: "127.0.0.1", port, cert: TEST_CERTIFICATE, key: TEST_KEY });
  let accepting: Promise<void> = Promise.resolve();
  return {
    port: listener.addr.port,
    take: (taken) => {
      accepting = (async () => {
        for await (const connection of listener) taken(connection);
      })();
    },
    close: async () => {
      listener.close();
      await accepting;
    },
  };
}

function isBrokenConnection(caught: unknown): boolean {
  if (BROKEN_CONNECTION_ERRORS.some((kind) => caught instanceof kind)) return true;
  return caught instanceof Error && "code" in caught && BROKEN_CONNECTION_CODES.includes(String(caught.code));
}
