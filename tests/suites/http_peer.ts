/** Owns an HTTP server for tests of clients: answers as it is told and keeps what it was sent. */

/** A request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly body: string;
}

/** What to answer a request with; may take its time. */
export type Answerer = (request: SeenRequest) => Response | Promise<Response>;

/** A server on a port of its own until its scope ends. */
export class HttpPeer implements AsyncDisposable {
  readonly seen: SeenRequest[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  /** Answers the next request; 200 unless told. */
  answer: Answerer;

  /**
   * @param answer how requests are answered; {@linkcode HttpPeer.answer} may be set later
   * @param port where to listen; the platform chooses unless told
   */
  constructor(answer: Answerer = () => new Response(), port = 0) {
    this.answer = answer;
    this.#server = Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, async (request) => {
      const bytes = await request.bytes();
      const { pathname, search } = new URL(request.url);
      const seen: SeenRequest = {
        method: request.method,
        path: pathname + search,
        headers: request.headers,
        bytes,
        body: new TextDecoder().decode(bytes),
      };
      this.seen.push(seen);
      return await this.answer(seen);
    });
  }

  /** The port it listens on. */
  get port(): number {
    return this.#server.addr.port;
  }

  /** A URL of it. */
  url(path = "/"): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
