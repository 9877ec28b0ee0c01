import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { Data } from "../../../base/mod.ts";
import { EventboatError } from "../../../diagnostics/mod.ts";
import { CollectingEmit, type TestContext, testContext, type TestContextOptions } from "../../../plugin/mod.ts";
import { RawPeer } from "../../../../tests/suites/raw_peer.ts";
import { TEST_AUTHORITY, TEST_CERTIFICATE, TEST_KEY } from "../../../../tests/suites/test_certificate.ts";
import { httpServerSource } from "./mod.ts";

/** A source that runs on a port of its own until its scope ends. */
class RunningServer implements AsyncDisposable {
  readonly collected = new CollectingEmit();
  readonly context: TestContext;
  readonly port: number;
  readonly #stop: AbortController;
  readonly #ended: Promise<void>;

  private constructor(
    context: TestContext,
    collected: CollectingEmit,
    port: number,
    stop: AbortController,
    ended: Promise<void>,
  ) {
    this.context = context;
    this.collected = collected;
    this.port = port;
    this.#stop = stop;
    this.#ended = ended;
  }

  static async start(block: { [key: string]: Data } = {}, options: TestContextOptions = {}): Promise<RunningServer> {
    const parsed = httpServerSource.definition.parse({ listen: "127.0.0.1:0", ...block });
    assert.ok(parsed.ok);
    const context = testContext(options);
    const source = httpServerSource.create(parsed.value, context);
    await source.init(undefined);
    const collected = new CollectingEmit();
    const stop = new AbortController();
    const ended = source.run(collected.emit, stop.signal);
    await Promise.race([ended, context.log.untilLines(1)]);
    return new RunningServer(context, collected, Number(context.log.lines[0]?.fields["port"]), stop, ended);
  }

  url(path = "/"): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Sends a request, reads its answer to the end and gives the status. */
  async status(body: BodyInit | null, init: RequestInit = {}, path = "/"): Promise<number> {
    return (await this.response(body, init, path)).status;
  }

  async response(body: BodyInit | null, init: RequestInit = {}, path = "/"): Promise<Response> {
    const response = await fetch(this.url(path), { method: "POST", body, ...init });
    return new Response(await response.text(), { status: response.status, headers: response.headers });
  }

  stop(): void {
    this.#stop.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.#ended;
  }
}

/** A body sent in pieces without a length. */
function chunked(pieces: number, piece: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let left = pieces;
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(piece);
      else controller.close();
    },
  });
}

Deno.test("http_server: a request is answered 202 once its message is durable, and not before", async () => {
  await using server = await RunningServer.start();
  server.collected.hold();
  let answered = false;
  const status = server.status('{"a":1}').finally(() => answered = true);
  await server.collected.untilHeld(1);
  assert.ok(!answered);
  server.collected.release();
  assert.equal(await status, 202);
  assert.deepEqual(server.collected.texts, ['{"a":1}']);
});

Deno.test("http_server: says of a message where it came from, and passes its trace on", async () => {
  await using server = await RunningServer.start({ path: "/in" });
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  await server.status("1", { headers: { "content-type": "application/json", traceparent } }, "/in?x=1");
  assert.deepEqual(server.collected.messages[0]?.meta, {
    http_path: "/in",
    http_method: "POST",
    content_type: "application/json",
    remote_address: "127.0.0.1",
    traceparent,
  });
});

Deno.test("http_server: other paths, methods and tokens are answered 404, 405 with Allow, 401", async () => {
  await using server = await RunningServer.start({ path: "/in", token: "secret", methods: ["PUT"] });
  const headers = { authorization: "Bearer secret" };
  assert.equal(await server.status("1", { headers }, "/"), 404);
  assert.equal(await server.status("1", { headers }, "/in/"), 404);
  const wrongMethod = await server.response("1", { headers }, "/in");
  assert.equal(wrongMethod.status, 405);
  assert.equal(wrongMethod.headers.get("allow"), "PUT");
  for (const authorization of ["", "Bearer secre", "Bearer secret2", "Basic secret", "secret"]) {
    const response = await server.response("1", { method: "PUT", headers: { authorization } }, "/in");
    assert.equal(response.status, 401);
    assert.equal(response.headers.get("www-authenticate"), "Bearer");
  }
  assert.equal(await server.status("1", { method: "PUT", headers }, "/in"), 202);
  assert.deepEqual(server.collected.texts, ["1"]);
});

Deno.test("http_server: a refusal is answered 503 with Retry-After, and the next request is taken", async () => {
  await using server = await RunningServer.start();
  server.collected.refuse();
  const response = await server.response("1");
  assert.equal(response.status, 503);
  assert.equal(response.headers.get("retry-after"), "1");
  server.collected.release();
  assert.equal(await server.status("2"), 202);
  assert.deepEqual(server.collected.texts, ["2"]);
});

Deno.test("http_server: while the pipeline holds back a request is answered 503 with Retry-After after its time", async () => {
  await using server = await RunningServer.start({ max_wait_ms: 700 });
  server.collected.hold();
  const answer = server.response("1");
  await server.collected.untilHeld(1);
  await server.context.clock.advance(700);
  const { status, headers } = await answer;
  assert.deepEqual([status, headers.get("retry-after")], [503, "1"]);
  server.collected.release();
  assert.equal(await server.status("2"), 202);
});

Deno.test("http_server: a batch that can never be taken is answered 413", async () => {
  await using server = await RunningServer.start();
  server.collected.refuse(new EventboatError("batch_too_large", "more than max_in_flight"));
  assert.equal(await server.status("1"), 413);
});

Deno.test("http_server: a body over the limit is answered 413, declared or chunked", async () => {
  await using server = await RunningServer.start({ max_body_bytes: 1000 });
  const kilobyte = new Uint8Array(1000).fill(0x61);
  assert.equal(await server.status(kilobyte), 202);
  assert.equal(await server.status(new Uint8Array(1001)), 413);
  assert.equal(await server.status(chunked(1, kilobyte)), 202);
  assert.equal(await server.status(chunked(2, kilobyte)), 413);
  assert.deepEqual(server.collected.messages.map(({ bytes }) => bytes.length), [1000, 1000]);
});

Deno.test("http_server: content codings are undone, also one upon another", async () => {
  await using server = await RunningServer.start();
  const text = "hello ".repeat(100);
  for (
    const [coding, body] of [
      ["gzip", gzipSync(text)],
      ["deflate", deflateSync(text)],
      ["zstd", zstdCompressSync(text)],
      ["gzip", Buffer.concat([gzipSync(text.slice(0, 100)), gzipSync(text.slice(100))])],
      ["zstd", Buffer.concat([zstdCompressSync(text.slice(0, 100)), zstdCompressSync(text.slice(100))])],
      ["GZIP, zstd", zstdCompressSync(gzipSync(text))],
      ["identity", new TextEncoder().encode(text)],
    ] as const
  ) {
    assert.equal(await server.status(new Uint8Array(body), { headers: { "content-encoding": coding } }), 202);
    assert.equal(server.collected.texts.at(-1), text);
  }
});

Deno.test("http_server: a small body that decodes to a huge one is answered 413 and never held", async () => {
  await using server = await RunningServer.start();
  const zeros = new Uint8Array(200 * 1024 * 1024);
  const bombs = [["gzip", gzipSync(zeros)], ["zstd", zstdCompressSync(zeros)], [
    "deflate",
    deflateSync(zeros),
  ]] as const;
  const nested = ["zstd, gzip", gzipSync(zstdCompressSync(zeros))] as const;
  const beforeBytes = Deno.memoryUsage().rss;
  for (const [coding, body] of [...bombs, nested]) {
    const bytes = new Uint8Array(body);
    assert.equal(await server.status(bytes, { headers: { "content-encoding": coding } }), 413);
    assert.equal(await server.status(chunked(1, bytes), { headers: { "content-encoding": coding } }), 413);
  }
  assert.ok(Deno.memoryUsage().rss - beforeBytes < 150 * 1024 * 1024);
  assert.equal(server.collected.messages.length, 0);
});

Deno.test("http_server: a coding that is unknown is answered 415, a body not in its coding or cut off 400", async () => {
  await using server = await RunningServer.start();
  const withCoding = (coding: string, body: Uint8Array) =>
    server.status(new Uint8Array(body), { headers: { "content-encoding": coding } });
  assert.equal(await withCoding("br", Uint8Array.of(1)), 415);
  assert.equal(await withCoding("gzip, gzip, gzip", Uint8Array.of(1)), 415);
  assert.equal(await withCoding("constructor", Uint8Array.of(1)), 415);
  assert.equal(await withCoding("gzip", Uint8Array.of(1, 2, 3)), 400);
  const text = "some text that is long enough to be cut";
  assert.equal(await withCoding("gzip", gzipSync(text).subarray(0, 20)), 400);
  assert.equal(await withCoding("zstd", zstdCompressSync(text).subarray(0, 20)), 400);
  assert.equal(server.collected.messages.length, 0);
});

Deno.test("http_server: ndjson gives a message a line, and nothing for blank ones", async () => {
  await using server = await RunningServer.start({ batch: "ndjson" });
  assert.equal(await server.status('{"a":1}\r\n\n  \n{"a":2}\n{"a":3}'), 202);
  assert.deepEqual(server.collected.texts, ['{"a":1}', '{"a":2}', '{"a":3}']);
  assert.equal(await server.status("\n"), 202);
  assert.equal(server.collected.messages.length, 3);
});

Deno.test("http_server: json_array gives a message an element, each as it was written", async () => {
  await using server = await RunningServer.start({ batch: "json_array" });
  assert.equal(await server.status(' [ {"a":[1,{"b":"],"}]} , 9007199254740993,"x\\"," ,[],null ] '), 202);
  assert.deepEqual(server.collected.texts, ['{"a":[1,{"b":"],"}]}', "9007199254740993", '"x\\","', "[]", "null"]);
  assert.equal(await server.status("[]"), 202);
  for (const body of ["", "{}", "[1", "[1,]", "1"]) assert.equal(await server.status(body), 400);
  assert.equal(server.collected.messages.length, 5);
});

Deno.test("http_server: a batch larger than an emission goes in parts, and is accepted when all of them are", async () => {
  await using server = await RunningServer.start({ batch: "ndjson" }, { batchMessagesMax: 10 });
  const lines = Array.from({ length: 25 }, (_, i) => String(i));
  assert.equal(await server.status(lines.join("\n")), 202);
  assert.deepEqual(server.collected.texts, lines);
  assert.ok(server.collected.emissions.every(({ ends }) => ends.length <= 10));
});

Deno.test("http_server: answers with the status and headers of its block", async () => {
  await using server = await RunningServer.start({ response: { status: 200, headers: { "x-taken": "yes" } } });
  const response = await server.response("1");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("x-taken"), "yes");
});

Deno.test("http_server: a body that does not come in time is answered 408", async () => {
  await using server = await RunningServer.start();
  for (const head of ["Content-Length: 10\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"]) {
    using peer = await RawPeer.connect(server.port);
    await peer.send(`POST / HTTP/1.1\r\nHost: a\r\n${head}`);
    await server.context.clock.untilSleeping();
    await server.context.clock.advance(31_000);
    assert.match(await peer.read("\r\n"), /^HTTP\/1.1 408 /);
  }
});

Deno.test("http_server: a client that goes away in the middle of its body leaves no message", async () => {
  await using server = await RunningServer.start();
  {
    using peer = await RawPeer.connect(server.port);
    await peer.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
  }
  assert.equal(await server.status("whole"), 202);
  assert.deepEqual(server.collected.texts, ["whole"]);
});

Deno.test("http_server: a stop answers what has not come whole with 503, lets what is under way become durable, and ends the rest", async () => {
  await using server = await RunningServer.start({}, { batchMessagesMax: 1 });
  using half = await RawPeer.connect(server.port);
  await half.send("POST / HTT");
  using slow = await RawPeer.connect(server.port);
  await slow.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
  await server.context.clock.untilSleeping();
  server.collected.hold();
  const underWay = server.status("0");
  await server.collected.untilHeld(1);
  server.stop();
  assert.match(await slow.read("\r\n"), /^HTTP\/1.1 503 /);
  server.collected.release();
  assert.equal(await underWay, 202);
  assert.deepEqual(server.collected.texts, ["0"]);
});

Deno.test("http_server: serves HTTPS with the certificate of its block", async () => {
  const directory = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${directory}/cert.pem`, TEST_CERTIFICATE);
    Deno.writeTextFileSync(`${directory}/key.pem`, TEST_KEY);
    await using server = await RunningServer.start({ tls: { cert_file: "cert.pem", key_file: "key.pem" } }, {
      directory,
    });
    using client = Deno.createHttpClient({ caCerts: [TEST_AUTHORITY] });
    const response = await fetch(`https://localhost:${server.port}/`, { method: "POST", body: "1", client });
    assert.equal(response.status, 202);
    await response.body?.cancel();
    assert.deepEqual(server.collected.texts, ["1"]);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});

Deno.test("http_server: an address in use is a failed source", async () => {
  await using server = await RunningServer.start();
  await assert.rejects(
    RunningServer.start({ listen: `127.0.0.1:${server.port}` }),
    (error) => error instanceof EventboatError && error.code === "source_failed",
  );
});

Deno.test("http_server: needs its address, and its certificate's files", () => {
  const parsed = httpServerSource.definition.parse({
    listen: "[::1]:8443",
    tls: { cert_file: "c.pem", key_file: "/k.pem" },
  });
  assert.ok(parsed.ok);
  assert.deepEqual(httpServerSource.needs?.(parsed.value, testContext({ directory: "/srv" })), {
    net: ["[::1]:8443"],
    read: ["/srv/c.pem", "/k.pem"],
  });
});

Deno.test("http_server: refuses what is no address, path or status", () => {
  for (
    const wrong of [
      { listen: "8080" },
      { listen: "a:b" },
      { path: "in" },
      { path: "/in?x" },
      { response: { status: 500 } },
      { response: { headers: { "bad name": "x" } } },
      { response: { headers: { good: "bad\r\nvalue" } } },
      { methods: [] },
      { max_body_bytes: 0 },
    ]
  ) {
    assert.ok(!httpServerSource.definition.parse({ listen: "127.0.0.1:0", ...wrong }).ok);
  }
  const parsed = httpServerSource.definition.parse({ listen: "127.0.0.1:70000" });
  assert.ok(parsed.ok);
  const [issue, ...others] = httpServerSource.check?.(parsed.value, testContext()) ?? [];
  assert.deepEqual([issue?.path, others], [["listen"], []]);
  assert.match(issue?.message ?? "", /^listen .*65535, found "127\.0\.0\.1:70000"$/);
});

Deno.test("http_server: an address that is in use, and a certificate that is not there, are named", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  const failureOf = async (block: { [key: string]: Data }) => {
    const parsed = httpServerSource.definition.parse(block);
    assert.ok(parsed.ok);
    const source = httpServerSource.create(parsed.value, testContext({ directory: "/gone" }));
    return await Promise.resolve(source.run(new CollectingEmit().emit, new AbortController().signal)).catch((error) =>
      error
    );
  };
  const inUse = await failureOf({ listen: `127.0.0.1:${port}` });
  assert.ok(inUse instanceof EventboatError);
  assert.equal(inUse.code, "source_failed");
  assert.equal(inUse.message, `cannot listen on 127.0.0.1:${port}: another process listens there`);
  assert.notEqual(inUse.hint, undefined);
  const noPem = await failureOf({ listen: "127.0.0.1:0", tls: { cert_file: "c.pem", key_file: "k.pem" } });
  assert.equal(noPem.message, "cannot read /gone/c.pem: there is no such file or folder");
});
