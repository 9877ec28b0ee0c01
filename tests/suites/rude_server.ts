/** Owns an HTTP server for tests of clients that breaks the rules on command: {@linkcode HttpPeer} keeps them. */

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

/** A server on a port of its own until its scope ends. */
export class RudeServer implements AsyncDisposable {
  /** What is done to the next request. */
  behave: Rudeness;
  /** Connections it has taken so far. */
  connections = 0;
  readonly #listener: Deno.TcpListener | Deno.TlsListener;
  readonly #over = new AbortController();
  readonly #peers = new Set<RawPeer>();
  readonly #scheme: string;
  readonly #accepting: Promise<void>;
  #failure: unknown;

  /**
   * @param behave what is done to requests; {@linkcode RudeServer.behave} may be set later
   * @param options `tls`: whether it speaks TLS, with the tests' certificate; `port`: the platform chooses unless told
   */
  constructor(behave: Rudeness, options: { readonly tls?: boolean; readonly port?: number } = {}) {
    this.behave = behave;
    this.#scheme = options.tls === true ? "https" : "http";
    const address = { hostname: "127.0.0.1", port: options.port ?? 0 };
    this.#listener = options.tls === true
      ? Deno.listenTls({ ...address, cert: TEST_CERTIFICATE, key: TEST_KEY })
      : Deno.listen(address);
    this.#accepting = this.#accept();
  }

  /** The port it listens on. */
  get port(): number {
    return this.#listener.addr.port;
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
    this.#listener.close();
    this.closeConnections();
    await this.#accepting;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #accept(): Promise<void> {
    const served: Promise<void>[] = [];
    try {
      for await (const connection of this.#listener) {
        this.connections++;
        served.push(this.#serve(connection));
      }
    } finally {
      await Promise.all(served);
    }
  }

  async #serve(connection: Deno.TcpConn | Deno.TlsConn): Promise<void> {
    using peer = new RawPeer(connection);
    this.#peers.add(peer);
    try {
      while (!this.#over.signal.aborted && !peer.closed) await this.behave(peer, this.#over.signal);
    } catch (caught) {
      if (!BROKEN_CONNECTION_ERRORS.some((kind) => caught instanceof kind)) this.#failure ??= caught;
    } finally {
      this.#peers.delete(peer);
    }
  }
}
