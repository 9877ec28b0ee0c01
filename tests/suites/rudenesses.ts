/** Owns the ways to treat an HTTP client badly, for {@linkcode RudeServer}. */

import type { RawPeer } from "./raw_peer.ts";
import type { Rudeness } from "./rude_server.ts";

/** A whole answer, as it must be: to be good again after having been rude. */
export function answering(status = 200, headers: Readonly<Record<string, string>> = {}, body = ""): Rudeness {
  return whenAsked(async (peer) => await peer.send(answerHead(status, headers, body.length) + body));
}

/** Reads requests and never answers. */
export function silent(): Rudeness {
  return whenAsked(async (peer) => await peer.untilClosed());
}

/** Closes the connection in good order instead of an answer. */
export function hangingUp(): Rudeness {
  return whenAsked((peer) => {
    peer.close();
    return Promise.resolve();
  });
}

/** Resets the connection before an answer, or after the first part of one. Not over TLS. */
export function resetting(partOfAnswer = ""): Rudeness {
  return whenAsked(async (peer) => {
    await peer.send(partOfAnswer);
    peer.reset();
  });
}

/** Promises a body of this length, sends less, and closes. */
export function truncated(promisedBytes: number, body: string): Rudeness {
  return whenAsked(async (peer) => {
    await peer.send(answerHead(200, {}, promisedBytes) + body);
    peer.close();
  });
}

/** Promises a body of this length, sends less, says that no more will come, and keeps the connection. */
export function halfClosing(promisedBytes: number, body: string): Rudeness {
  return whenAsked(async (peer) => {
    await peer.send(answerHead(200, {}, promisedBytes) + body);
    await peer.halfClose();
    await peer.untilClosed();
  });
}

/** Sends something that is no HTTP. */
export function nonsense(text = "\u0001\u0002 this is not HTTP\r\n\r\n"): Rudeness {
  return whenAsked(async (peer) => {
    await peer.send(text);
    peer.close();
  });
}

/** Sends a whole answer with these pauses between its bytes. */
export function dripping(pauseMs: number, status = 200, body = "slow"): Rudeness {
  return whenAsked(async (peer, signal) => {
    for (const letter of answerHead(status, {}, body.length) + body) {
      await peer.send(letter);
      if (!await pause(pauseMs, signal)) return;
    }
  });
}

/** Sends a head that never ends. */
export function endlessHead(): Rudeness {
  return whenAsked(async (peer, signal) => {
    await peer.send("HTTP/1.1 200 OK\r\n");
    for (let n = 0; !signal.aborted; n++) await peer.send(`x-${n}: ${"y".repeat(1000)}\r\n`);
  });
}

/** Sends a body in chunks that never ends. */
export function endlessBody(chunk = "z".repeat(16 * 1024)): Rudeness {
  return whenAsked(async (peer, signal) => {
    await peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    while (!signal.aborted) await peer.send(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  });
}

/** Sends chunks, the last of which is not as long as it says. */
export function brokenChunks(body: string): Rudeness {
  return whenAsked(async (peer) => {
    await peer.send(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${(body.length + 1).toString(16)}\r\n${body}`,
    );
    peer.close();
  });
}

/** A small body that a client unpacks to this many zeros. */
export function gzipBomb(unpackedBytes: number): Rudeness {
  return whenAsked(async (peer) => {
    const zeros = new Blob(Array.from({ length: Math.ceil(unpackedBytes / ZEROS.length) }, () => ZEROS));
    const packed = await new Response(zeros.stream().pipeThrough(new CompressionStream("gzip"))).bytes();
    await peer.send(answerHead(200, { "content-encoding": "gzip" }, packed.length));
    await peer.send(packed);
  });
}

/** Each request gets the next of these; the last goes on for good. */
export function inTurn(...behaviours: readonly [Rudeness, ...Rudeness[]]): Rudeness {
  let next = 0;
  return async (peer, signal) => {
    const behave = behaviours[Math.min(next++, behaviours.length - 1)] ?? behaviours[0];
    await behave(peer, signal);
  };
}

const ZEROS = new Uint8Array(64 * 1024);

/** Reads a request first, and does nothing where the client has gone. */
function whenAsked(behave: (peer: RawPeer, signal: AbortSignal) => Promise<void>): Rudeness {
  return async (peer, signal) => {
    if (await peer.readRequest() === "") peer.close();
    else await behave(peer, signal);
  };
}

function answerHead(status: number, headers: Readonly<Record<string, string>>, bodyBytes: number): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status} Status\r\n${lines}Content-Length: ${bodyBytes}\r\n\r\n`;
}

/** Whether the time passed before the test was over. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const stop = () => resolve();
  signal.addEventListener("abort", stop);
  await promise;
  signal.removeEventListener("abort", stop);
  clearTimeout(timer);
  return !signal.aborted;
}
