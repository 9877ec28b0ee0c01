/** Owns one end of a TCP connection in tests, for what well-behaved clients and servers never do. */

import type { RawConnection } from "./raw_connection.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const READ_BYTES_MAX = 64 * 1024;

const CONTENT_LENGTH_REGEXP = /^content-length: *(\d+)/im;
const CHUNKED_REGEXP = /^transfer-encoding: *chunked/im;
const HEAD_END = "\r\n\r\n";
const CHUNKS_END = "0\r\n\r\n";

/** A connection that sends and reads as it is told. */
export class RawPeer implements Disposable {
  readonly #connection: RawConnection;
  /** What came behind a request that was read. */
  #rest = "";
  #closed = false;

  /** Takes over a connection, which it closes in the end. */
  constructor(connection: RawConnection) {
    this.#connection = connection;
  }

  /** Connects to a port of 127.0.0.1. */
  static async connect(port: number): Promise<RawPeer> {
    return new RawPeer(await Deno.connect({ hostname: "127.0.0.1", port }));
  }

  /** Whether this end was closed. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Sends text or bytes. */
  async send(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string" ? encoder.encode(data) : data;
    for (let sent = 0; sent < bytes.length;) sent += await this.#connection.write(bytes.subarray(sent));
  }

  /** Reads until the text has come, or the other end closes; gives all that came. */
  async read(until: string): Promise<string> {
    return await this.#readUntil((text) => text.includes(until));
  }

  /** Reads until the other end closes, throwing away what comes. */
  async untilClosed(): Promise<void> {
    const buffer = new Uint8Array(READ_BYTES_MAX);
    while (await this.#connection.read(buffer) !== null);
  }

  /**
   * Reads one HTTP request, head and body as they came, each byte above 127 of the body as what UTF-8 makes of it; an
   * empty text when the other end closes first.
   */
  async readRequest(): Promise<string> {
    const text = await this.#readUntil(isWholeRequest);
    const end = isWholeRequest(text) ? endOfRequest(text) : text.length;
    this.#rest = text.slice(end);
    return text.slice(0, end);
  }

  /** Says that nothing more will be sent, and goes on reading. */
  async halfClose(): Promise<void> {
    await this.#connection.closeWrite();
  }

  /** Resets the connection: what the other end has not read yet is lost, and it is told so. Not of Deno's, nor TLS. */
  reset(): void {
    if (this.#connection.reset === undefined) throw new TypeError("this connection cannot be reset");
    this.#closed = true;
    this.#connection.reset();
  }

  /** Closes the connection in good order. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#connection.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #readUntil(isEnough: (text: string) => boolean): Promise<string> {
    const buffer = new Uint8Array(READ_BYTES_MAX);
    let text = this.#rest;
    this.#rest = "";
    while (!isEnough(text)) {
      const count = await this.#connection.read(buffer);
      if (count === null) break;
      text += decoder.decode(buffer.subarray(0, count));
    }
    return text;
  }
}

function isWholeRequest(text: string): boolean {
  const headEnd = text.indexOf(HEAD_END);
  return headEnd !== -1 && text.length >= endOfRequest(text) &&
    (!isChunked(text) || text.includes(CHUNKS_END, headEnd));
}

/** Where the request ends whose head is all there. Lengths are those of ASCII: what tests send to such a server. */
function endOfRequest(text: string): number {
  const bodyStart = text.indexOf(HEAD_END) + HEAD_END.length;
  if (isChunked(text)) return text.indexOf(CHUNKS_END, bodyStart - HEAD_END.length) + CHUNKS_END.length;
  return bodyStart + Number(CONTENT_LENGTH_REGEXP.exec(text.slice(0, bodyStart))?.[1] ?? 0);
}

function isChunked(text: string): boolean {
  return CHUNKED_REGEXP.test(text.slice(0, text.indexOf(HEAD_END)));
}
