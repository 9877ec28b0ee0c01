import assert from "node:assert/strict";
import { type Sink, SinkError, testBatch, testContext } from "../../../plugin/mod.ts";
import { HttpPeer } from "../../../../tests/suites/http_peer.ts";
import { httpSink } from "./mod.ts";

const never = new AbortController().signal;

function sinkTo(url: string): Sink {
  const parsed = httpSink.definition.parse({ url });
  assert.ok(parsed.ok);
  return httpSink.create(parsed.value, testContext());
}

/** Writes one message as the engine would: again at once, as often as that may help. */
async function writeWithRetries(sink: Sink, text: string, retriesMax: number): Promise<void> {
  for (let retries = 0;; retries++) {
    try {
      return await sink.write(testBatch([text]), never);
    } catch (caught) {
      assert.ok(caught instanceof SinkError && caught.retryable);
      assert.ok(retries < retriesMax, caught.message);
    }
  }
}

/** Answers requests by hand: gives the bodies it answered, closes each connection as told. */
async function serveRaw(
  listener: Deno.TcpListener,
  requestsMax: number,
  handle: (connection: Deno.TcpConn, request: string) => Promise<void>,
): Promise<void> {
  for (let requests = 0; requests < requestsMax; requests++) {
    using connection = await listener.accept();
    const buffer = new Uint8Array(64 * 1024);
    let request = "";
    while (!request.includes("\r\n\r\n")) {
      const count = await connection.read(buffer);
      if (count === null) break;
      request += new TextDecoder().decode(buffer.subarray(0, count));
    }
    await handle(connection, request);
  }
}

Deno.test("http sink: a server that closes each connection after its answer gets every message", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let answered = 0;
  const serving = serveRaw(listener, 10, async (connection) => {
    answered++;
    await connection.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  });
  const sink = sinkTo(`http://127.0.0.1:${listener.addr.port}/`);
  for (let i = 0; i < 10; i++) await writeWithRetries(sink, String(i), 5);
  await serving;
  await sink.close();
  assert.equal(answered, 10);
});

Deno.test("http sink: a server that closes without an answer, or answers nonsense, may be tried again", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const answers = ["", "HTTP/1.1 200", "nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"];
  const serving = serveRaw(listener, answers.length, async (connection) => {
    await connection.write(new TextEncoder().encode(answers.shift() ?? ""));
  });
  const sink = sinkTo(`http://127.0.0.1:${listener.addr.port}/`);
  while (answers.length > 0) {
    await assert.rejects(
      async () => await sink.write(testBatch(["1"]), never),
      (error) => error instanceof SinkError && error.retryable,
    );
  }
  await serving;
  await sink.close();
});

Deno.test("http sink: a server that is down may be tried again, and gets the message when it is up", async () => {
  const peer = new HttpPeer();
  const { port } = peer;
  await peer[Symbol.asyncDispose]();
  const sink = sinkTo(`http://127.0.0.1:${port}/`);
  await assert.rejects(
    async () => await sink.write(testBatch(["1"]), never),
    (error) => error instanceof SinkError && error.retryable,
  );
  await using up = new HttpPeer(undefined, port);
  await writeWithRetries(sink, "1", 5);
  assert.deepEqual(up.seen.map(({ body }) => body), ["1"]);
  await sink.close();
});

Deno.test("http sink: what failed is told without the query, which may hold a secret", async () => {
  const peer = new HttpPeer();
  const { port } = peer;
  await peer[Symbol.asyncDispose]();
  const sink = sinkTo(`http://127.0.0.1:${port}/?token=secret`);
  await assert.rejects(
    async () => await sink.write(testBatch(["1"]), never),
    (error) => error instanceof SinkError && !error.message.includes("secret"),
  );
  // The address stands once, and none of the platform's layers.
  await assert.rejects(
    async () => await sink.write(testBatch(["1"]), never),
    (error) =>
      error instanceof SinkError && error.message.split(`:${port}`).length === 2 && !/url|error \d/.test(error.message),
  );
  await sink.close();
});
