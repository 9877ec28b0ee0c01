/** Owns a TCP connection's way through a test, so that it can be cut, stalled and closed while both ends are well. */

/** How many bytes are taken from one end at a time. */
const PIECE_BYTES = 16 * 1024;

/** One client's connection and the one made for it. */
interface Route {
  readonly client: Deno.TcpConn;
  readonly server: Deno.TcpConn;
}

/**
 * A port of its own that leads to a server's, until its scope ends. Clients are told this port instead of the server's;
 * of a Kafka cluster only the first contact goes through it, since brokers tell their own addresses.
 */
export class WeakLink implements AsyncDisposable {
  readonly #targetPort: number;
  readonly #routes = new Set<Route>();
  readonly #port: number;
  #listener: Deno.TcpListener | undefined;
  #accepting: Promise<void>;
  /** Held while nothing passes. */
  #stall: PromiseWithResolvers<void> | undefined;
  #answerBytesLeft = Infinity;
  /** Connections taken so far. */
  connections = 0;

  /** Listens, and leads to that port of 127.0.0.1. */
  constructor(targetPort: number) {
    this.#targetPort = targetPort;
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.#port = listener.addr.port;
    this.#listener = listener;
    this.#accepting = this.#accept(listener);
  }

  /** Where clients connect to. */
  get port(): number {
    return this.#port;
  }

  /** Closes every connection that is open now, on both sides. New ones are taken. */
  cut(): void {
    this.#answerBytesLeft = Infinity;
    for (const route of [...this.#routes]) this.#close(route);
  }

  /** Lets this many bytes more come from the server, then cuts: in the middle of an answer, wherever that is. */
  cutAfter(answerBytes: number): void {
    this.#answerBytesLeft = answerBytes;
  }

  /** Cuts, and refuses connections from now on. */
  async refuse(): Promise<void> {
    this.#listener?.close();
    this.#listener = undefined;
    this.cut();
    this.resume();
    await this.#accepting;
  }

  /** Takes connections again, on the same port. */
  accept(): void {
    if (this.#listener !== undefined) return;
    const listener = Deno.listen({ hostname: "127.0.0.1", port: this.#port });
    this.#listener = listener;
    this.#accepting = this.#accept(listener);
  }

  /** Lets nothing pass from now on, in either direction, while connections stay open: a peer that fell silent. */
  stall(): void {
    this.#stall ??= Promise.withResolvers();
  }

  /** Lets everything pass again, what was held back first. */
  resume(): void {
    this.#stall?.resolve();
    this.#stall = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.refuse();
  }

  async #accept(listener: Deno.TcpListener): Promise<void> {
    const served: Promise<void>[] = [];
    for await (const client of listener) {
      this.connections++;
      served.push(this.#serve(client));
    }
    await Promise.all(served);
  }

  async #serve(client: Deno.TcpConn): Promise<void> {
    let route: Route;
    try {
      route = { client, server: await Deno.connect({ hostname: "127.0.0.1", port: this.#targetPort }) };
    } catch (caught) {
      client.close();
      // A server that is down refuses; its client sees a connection that closes at once.
      if (caught instanceof Deno.errors.ConnectionRefused) return;
      throw caught;
    }
    this.#routes.add(route);
    // The listener may have closed while the other side was being connected.
    if (this.#listener === undefined) return this.#close(route);
    await Promise.all([this.#carry(route, client, route.server), this.#carry(route, route.server, client)]);
    this.#close(route);
  }

  /** Carries bytes one way until one end closes, or the route is cut. */
  async #carry(route: Route, from: Deno.TcpConn, to: Deno.TcpConn): Promise<void> {
    const buffer = new Uint8Array(PIECE_BYTES);
    try {
      for (;;) {
        const count = await from.read(buffer);
        while (this.#stall !== undefined) await this.#stall.promise;
        if (count === null) return await to.closeWrite();
        const allowed = from === route.server ? Math.min(count, this.#answerBytesLeft) : count;
        if (from === route.server) this.#answerBytesLeft -= allowed;
        for (let sent = 0; sent < allowed;) sent += await to.write(buffer.subarray(sent, allowed));
        if (this.#answerBytesLeft === 0) this.cut();
      }
    } catch {
      // One end has closed or was cut: the other must see it too, and nobody else minds.
      this.#close(route);
    }
  }

  #close(route: Route): void {
    if (!this.#routes.delete(route)) return;
    route.client.close();
    route.server.close();
  }
}
