import assert from "node:assert/strict";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import type { Data } from "../../../base/mod.ts";
import {
  PartialWriteError,
  type Sink,
  type SinkBatch,
  SinkError,
  testBatch,
  type TestContext,
  testContext,
} from "../../../plugin/mod.ts";
import { HttpPeer } from "../../../../tests/suites/http_peer.ts";
import { httpSink } from "./mod.ts";

const never = new AbortController().signal;

type Block = { readonly [key: string]: Data };

/** A sink that posts to a peer, closed with its scope. */
class Bench implements AsyncDisposable {
  readonly peer = new HttpPeer();
  readonly context: TestContext = testContext();
  readonly sink: Sink;

  constructor(block: Block = {}) {
    const parsed = httpSink.definition.parse({ url: this.peer.url("/in"), ...block });
    assert.ok(parsed.ok);
    this.sink = httpSink.create(parsed.value, this.context);
  }

  async write(batch: SinkBatch): Promise<void> {
    await this.sink.write(batch, never);
  }

  /** The error a write ends with. */
  async failure(batch: SinkBatch = testBatch(["1"])): Promise<SinkError> {
    try {
      await this.write(batch);
    } catch (caught) {
      assert.ok(caught instanceof SinkError);
      return caught;
    }
    return assert.fail("the write succeeded");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sink.close();
    await this.peer[Symbol.asyncDispose]();
  }
}

function issuesOf(block: Block): readonly (string | number)[][] {
  const parsed = httpSink.definition.parse({ url: "http://127.0.0.1/", ...block });
  assert.ok(parsed.ok);
  return (httpSink.check?.(parsed.value, testContext()) ?? []).map(({ path }) => [...path]);
}

Deno.test("http sink: posts each message, with the headers of its block", async () => {
  await using bench = new Bench({ method: "PUT", headers: { "X-Team": "blue", "content-type": "text/plain" } });
  await bench.write(testBatch(['{"a":1}', '{"a":2}']));
  assert.deepEqual(bench.peer.seen.map(({ method, path, body }) => [method, path, body]), [
    ["PUT", "/in", '{"a":1}'],
    ["PUT", "/in", '{"a":2}'],
  ]);
  assert.equal(bench.peer.seen[0]?.headers.get("x-team"), "blue");
  assert.equal(bench.peer.seen[0]?.headers.get("content-type"), "text/plain");
});

for (
  const [body, type, expected] of [
    ["ndjson", "application/x-ndjson", '{"a":1}\n{"a":2}\n'],
    ["json_array", "application/json", '[{"a":1},{"a":2}]'],
  ] as const
) {
  Deno.test(`http sink: body ${body} sends a batch as one request`, async () => {
    await using bench = new Bench({ body });
    await bench.write(testBatch(['{"a":1}', '{"a":2}']));
    assert.deepEqual(bench.peer.seen.map((request) => request.body), [expected]);
    assert.equal(bench.peer.seen[0]?.headers.get("content-type"), type);
  });
}

Deno.test("http sink: a request that holds one message wants batches of one, others want more", () => {
  const maxBatch = (body: string) => {
    const parsed = httpSink.definition.parse({ url: "http://a/", body });
    assert.ok(parsed.ok);
    return httpSink.maxBatch(parsed.value);
  };
  assert.equal(maxBatch("message"), 1);
  assert.ok(maxBatch("ndjson") > 1);
});

Deno.test("http sink: compresses bodies and says how", async () => {
  for (const [compression, decompress] of [["gzip", gunzipSync], ["zstd", zstdDecompressSync]] as const) {
    await using bench = new Bench({ compression });
    await bench.write(testBatch(["hello"]));
    assert.equal(bench.peer.seen[0]?.headers.get("content-encoding"), compression);
    assert.equal(decompress(bench.peer.seen[0]?.bytes ?? "").toString(), "hello");
  }
});

Deno.test("http sink: passes on the message's id and its trace, where that is a trace", async () => {
  await using bench = new Bench({ idempotency_header: "Idempotency-Key" });
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  await bench.write(
    testBatch(["1", "2"], [{ message_id: "m1", traceparent }, { message_id: "m2", traceparent: "x\r\ny" }]),
  );
  const [first, second] = bench.peer.seen;
  assert.equal(first?.headers.get("idempotency-key"), "m1");
  assert.equal(first?.headers.get("traceparent"), traceparent);
  assert.equal(second?.headers.get("traceparent"), null);
});

for (const status of [200, 201, 202, 204]) {
  Deno.test(`http sink: ${status} is success`, async () => {
    await using bench = new Bench();
    bench.peer.answer = () => new Response(null, { status });
    await bench.write(testBatch(["1"]));
  });
}

for (
  const [status, retryable] of [
    [408, true],
    [425, true],
    [429, true],
    [500, true],
    [503, true],
    [599, true],
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [413, false],
    [422, false],
  ] as const
) {
  Deno.test(`http sink: ${status} is a failure that ${retryable ? "may be retried" : "no retry helps"}`, async () => {
    await using bench = new Bench();
    bench.peer.answer = () => new Response("because", { status });
    assert.equal((await bench.failure()).retryable, retryable);
  });
}

for (const status of [301, 302, 303, 307, 308]) {
  Deno.test(`http sink: a redirect ${status} is not followed and no retry helps`, async () => {
    await using bench = new Bench();
    bench.peer.answer = ({ path }) =>
      path === "/in" ? new Response(null, { status, headers: { location: "/other" } }) : new Response();
    assert.equal((await bench.failure()).retryable, false);
    assert.equal(bench.peer.seen.length, 1);
  });
}

Deno.test("http sink: Retry-After is read as seconds and as a date, and nonsense is ignored", async () => {
  await using bench = new Bench();
  const in90s = new Date(bench.context.clock.now() + 90_000).toUTCString();
  const past = new Date(bench.context.clock.now() - 90_000).toUTCString();
  for (const [header, expectedMs] of [["5", 5000], [in90s, 90_000], [past, 0], ["soon", undefined]] as const) {
    bench.peer.answer = () => new Response(null, { status: 503, headers: { "retry-after": header } });
    assert.equal((await bench.failure()).retryAfterMs, expectedMs);
  }
});

Deno.test("http sink: of several messages only the refused ones fail", async () => {
  await using bench = new Bench();
  bench.peer.answer = ({ body }) => new Response(null, { status: body === "2" ? 401 : 200 });
  const error = await bench.failure(testBatch(["1", "2", "3"]));
  assert.ok(error instanceof PartialWriteError);
  assert.deepEqual(error.failures.map(({ index, error }) => [index, error.retryable]), [[1, false]]);
  assert.equal(bench.peer.seen.length, 3);
});

Deno.test("http sink: trouble that the next message would meet too ends the batch there", async () => {
  await using bench = new Bench();
  bench.peer.answer = ({ body }) => new Response(null, { status: body === "2" ? 503 : 200 });
  const error = await bench.failure(testBatch(["1", "2", "3"]));
  assert.ok(error instanceof PartialWriteError);
  assert.deepEqual(error.failures.map(({ index, error }) => [index, error.retryable]), [[1, true], [2, true]]);
  assert.equal(bench.peer.seen.length, 2);
});

Deno.test("http sink: an answer that does not come in time may be retried", async () => {
  await using bench = new Bench({ timeout_ms: 1000 });
  const held = Promise.withResolvers<Response>();
  bench.peer.answer = () => held.promise;
  const failure = bench.failure();
  await bench.context.clock.untilSleeping();
  await bench.context.clock.advance(1000);
  assert.equal((await failure).retryable, true);
  held.resolve(new Response());
});

Deno.test("http sink: a stop ends the request with the stop's reason", async () => {
  await using bench = new Bench();
  const held = Promise.withResolvers<Response>();
  const stop = new AbortController();
  bench.peer.answer = () => {
    stop.abort(new Error("stopping"));
    return held.promise;
  };
  await assert.rejects(async () => await bench.sink.write(testBatch(["1"]), stop.signal), { message: "stopping" });
  held.resolve(new Response());
});

Deno.test("http sink: a large answer is not read to its end, and the next request is sent", async () => {
  await using bench = new Bench();
  bench.peer.answer = () => new Response(new Uint8Array(10 * 1024 * 1024));
  await bench.write(testBatch(["1", "2"]));
  assert.equal(bench.peer.seen.length, 2);
});

Deno.test("http sink: check tells URLs, headers and combinations that cannot work", () => {
  assert.deepEqual(issuesOf({}), []);
  assert.deepEqual(issuesOf({ url: "http://" }), [["url"]]);
  assert.deepEqual(issuesOf({ url: "http://user:pw@host/" }), [["url"]]);
  assert.deepEqual(issuesOf({ headers: { "Content-Length": "1" } }), [["headers", "Content-Length"]]);
  assert.deepEqual(issuesOf({ body: "ndjson", idempotency_header: "X-Id" }), [["idempotency_header"]]);
  assert.deepEqual(issuesOf({ auth: {} }), [["auth"]]);
  assert.deepEqual(issuesOf({ auth: { bearer: { token: "t" }, basic: { username: "u", password: "p" } } }), [["auth"]]);
  for (
    const block of [{ url: "ftp://a/" }, { headers: { "a b": "c" } }, { headers: { a: "b\nc" } }, { timeout_ms: 0 }]
  ) {
    assert.ok(!httpSink.definition.parse({ url: "http://a/", ...block }).ok);
  }
});

Deno.test("http sink: needs the hosts it talks to, with their ports", () => {
  const needs = (block: Block) => {
    const parsed = httpSink.definition.parse(block);
    assert.ok(parsed.ok);
    return httpSink.needs?.(parsed.value, testContext()).net;
  };
  assert.deepEqual(needs({ url: "https://a.example/x" }), ["a.example:443"]);
  const oauth2 = { token_url: "http://b.example:8080/t", client_id: "i", client_secret: "s" };
  assert.deepEqual(needs({ url: "http://[::1]/x", auth: { oauth2 } }), ["[::1]:80", "b.example:8080"]);
});

Deno.test("http sink: an id that no header can carry fails its own message, at once", async () => {
  await using bench = new Bench({ idempotency_header: "Idempotency-Key" });
  for (const id of ["a\r\nX-Evil: 1", "\u{1f6a3}", "\u0000"]) {
    const failure = await bench.failure(testBatch(["1", "2"], [{ message_id: id }, { message_id: "m2" }]));
    assert.ok(failure instanceof PartialWriteError);
    assert.deepEqual(failure.failures.map(({ index, error }) => [index, error.retryable]), [[0, false]]);
  }
  assert.deepEqual(bench.peer.seen.map(({ headers }) => headers.get("idempotency-key")), ["m2", "m2", "m2"]);
});

Deno.test("http sink: a trace context with something behind it that no header can carry is left out", async () => {
  await using bench = new Bench();
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  for (const behind of ["\r\nX-Evil: 1", "\u20ac", "-what-01.adds"]) {
    await bench.write(testBatch(["1"], [{ traceparent: traceparent + behind }]));
  }
  const sent = bench.peer.seen.map(({ headers }) => headers.get("traceparent"));
  assert.deepEqual(sent, [null, null, `${traceparent}-what-01.adds`]);
});
