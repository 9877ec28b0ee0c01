/** Sends requests over connections that stay open, one at a time on each: PORT SECONDS. The first second is not counted. */

import { tell } from "./child_program.ts";
import { inputLine } from "./input_lines.ts";
import { median } from "./measurement.ts";

/** Printed at the end. */
export interface LoadEnded {
  readonly requestsPerSecond: number;
  readonly medianMs: number;
}

const CONNECTIONS = 64;
/** Bodies that take turns. */
const BODIES = 256;
const WARM_UP_MS = 1000;
const ANSWER_BYTES_MAX = 4096;
/** Where the status stands in `HTTP/1.1 202 Accepted`. */
const STATUS_AT = 9;
const ACCEPTED = "202";

/** One load: all its connections, and what they have counted. */
class Load {
  readonly #port: number;
  readonly #countFromMs: number;
  readonly #endMs: number;
  readonly #requests: readonly Uint8Array<ArrayBuffer>[];
  readonly latenciesMs: number[] = [];

  constructor(port: number, seconds: number) {
    this.#port = port;
    this.#countFromMs = performance.now() + WARM_UP_MS;
    this.#endMs = this.#countFromMs + seconds * 1000;
    this.#requests = Array.from({ length: BODIES }, (_, i) => requestBytes(port, inputLine(i)));
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => this.#connection(i)));
  }

  async #connection(first: number): Promise<void> {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port: this.#port });
    connection.setNoDelay(true);
    const answer = new Uint8Array(ANSWER_BYTES_MAX);
    for (let i = first, nowMs = performance.now(); nowMs < this.#endMs; i++) {
      const request = this.#requests[i % BODIES]!; // The remainder is an index of the list.
      let sent = await connection.write(request);
      while (sent < request.length) sent += await connection.write(request.subarray(sent));
      await readAnswer(connection, answer);
      const answeredMs = performance.now();
      if (nowMs >= this.#countFromMs && answeredMs < this.#endMs) this.latenciesMs.push(answeredMs - nowMs);
      nowMs = answeredMs;
    }
  }
}

/** Reads one answer, which has no body. @throws {Error} on any answer but 202 */
async function readAnswer(connection: Deno.Conn, buffer: Uint8Array<ArrayBuffer>): Promise<void> {
  let length = 0;
  do {
    const read = await connection.read(buffer.subarray(length));
    if (read === null) throw new Error("the server closed a connection");
    length += read;
  } while (length < 4 || buffer[length - 1] !== 0x0a || buffer[length - 3] !== 0x0a);
  for (let i = 0; i < ACCEPTED.length; i++) {
    if (buffer[STATUS_AT + i] === ACCEPTED.charCodeAt(i)) continue;
    throw new Error(`not accepted: ${new TextDecoder().decode(buffer.subarray(0, length))}`);
  }
}

function requestBytes(port: number, body: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(
    `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
}

async function main([port = "", seconds = ""]: readonly string[]): Promise<void> {
  const load = new Load(Number(port), Number(seconds));
  await load.run();
  const ended: LoadEnded = {
    requestsPerSecond: Math.round(load.latenciesMs.length / Number(seconds)),
    medianMs: median(load.latenciesMs),
  };
  tell(ended);
}

if (import.meta.main) await main(Deno.args);
