/** Owns the other end of a TCP connection in tests, for what well-behaved clients and servers never do. */

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** A connection that sends and reads text as it is told. */
export class RawPeer implements Disposable {
  readonly #connection: Deno.TcpConn;

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  /** Connects to a port of 127.0.0.1. */
  static async connect(port: number): Promise<RawPeer> {
    return new RawPeer(await Deno.connect({ hostname: "127.0.0.1", port }));
  }

  /** Sends text. */
  async send(text: string): Promise<void> {
    const bytes = encoder.encode(text);
    for (let sent = 0; sent < bytes.length;) sent += await this.#connection.write(bytes.subarray(sent));
  }

  /** Reads until the text has come, or the other end closes; gives all that came. */
  async read(until: string): Promise<string> {
    const buffer = new Uint8Array(64 * 1024);
    let text = "";
    while (!text.includes(until)) {
      const count = await this.#connection.read(buffer);
      if (count === null) break;
      text += decoder.decode(buffer.subarray(0, count));
    }
    return text;
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}
