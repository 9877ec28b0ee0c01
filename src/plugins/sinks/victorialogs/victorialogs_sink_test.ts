import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import type { Data } from "../../../base/mod.ts";
import {
  PartialWriteError,
  type Sink,
  type SinkBatch,
  SinkError,
  testBatch,
  testContext,
} from "../../../plugin/mod.ts";
import { serverTest } from "../../../../tests/servers/installed.ts";
import { VictoriaLogsServer } from "../../../../tests/servers/victorialogs_server.ts";
import { TEST_AUTHORITY } from "../../../../tests/suites/test_certificate.ts";
import { HttpPeer } from "../../../../tests/suites/http_peer.ts";
import { victoriaLogsSink } from "./mod.ts";

const never = new AbortController().signal;

type Block = { readonly [key: string]: Data };

const FIELDS = { stream_fields: ["pod", "app"], time_field: "ts", msg_field: "message" };

function sinkOf(block: Block): Sink {
  const parsed = victoriaLogsSink.definition.parse({ ...FIELDS, ...block });
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return victoriaLogsSink.create(parsed.value, testContext());
}

/** Writes a batch to a peer and gives the error, if there is one. */
async function write(peer: HttpPeer, batch: SinkBatch, block: Block = {}): Promise<SinkError | undefined> {
  const sink = sinkOf({ url: peer.url(), ...block });
  try {
    await sink.write(batch, never);
    return undefined;
  } catch (caught) {
    assert.ok(caught instanceof SinkError);
    return caught;
  } finally {
    await sink.close();
  }
}

Deno.test("victorialogs sink: one request a batch, as lines of the type the server wants", async () => {
  await using peer = new HttpPeer();
  await write(peer, testBatch(['{"message":"a"}', '{"message":"b"}']));
  const [request, ...more] = peer.seen;
  assert.equal(more.length, 0);
  assert.equal(request?.method, "POST");
  assert.equal(request?.path, "/insert/jsonline?_stream_fields=pod%2Capp&_time_field=ts&_msg_field=message");
  assert.equal(request?.headers.get("content-type"), "application/stream+json");
  assert.equal(request?.headers.get("accountid"), null);
  assert.equal(request?.headers.get("content-encoding"), null);
  assert.equal(request?.body, '{"message":"a"}\n{"message":"b"}\n');
});

Deno.test("victorialogs sink: adds its path to the URL's and keeps the URL's query", async () => {
  await using peer = new HttpPeer();
  await write(peer, testBatch(["{}"]), {
    url: peer.url("/logs/?ignore_fields=x"),
    extra_fields: { a: "1", b: "2 =3" },
  });
  const { pathname, searchParams } = new URL(peer.seen[0]?.path ?? "", "http://a");
  assert.equal(pathname, "/logs/insert/jsonline");
  assert.equal(searchParams.get("ignore_fields"), "x");
  assert.equal(searchParams.get("extra_fields"), "a=1,b=2 =3");
});

Deno.test("victorialogs sink: names the tenant where one is set, and compresses", async () => {
  await using peer = new HttpPeer();
  await write(peer, testBatch(["{}"]), { account_id: 7, gzip: true });
  await write(peer, testBatch(["{}"]), { project_id: 9, auth: { bearer: { token: "t" } } });
  const tenants = peer.seen.map(({ headers }) => `${headers.get("accountid")}:${headers.get("projectid")}`);
  assert.deepEqual(tenants, ["7:0", "0:9"]);
  assert.equal(peer.seen[0]?.headers.get("content-encoding"), "gzip");
  assert.equal(gunzipSync(peer.seen[0]?.bytes ?? "").toString(), "{}\n");
  assert.equal(peer.seen[1]?.headers.get("authorization"), "Bearer t");
});

Deno.test("victorialogs sink: lines that the server would drop fail alone and are not sent", async () => {
  await using peer = new HttpPeer();
  const failure = await write(peer, testBatch(['{"n":1}', "[2]", '{"ts":"soon"}', '{"n":4}', "text"]));
  assert.ok(failure instanceof PartialWriteError);
  assert.deepEqual(
    failure.failures.map(({ index, error }) => [index, error.retryable]),
    [[1, false], [2, false], [4, false]],
  );
  assert.deepEqual(peer.seen.map(({ body }) => body), ['{"n":1}\n{"n":4}\n']);
});

Deno.test("victorialogs sink: where every line is bad nothing is sent", async () => {
  await using peer = new HttpPeer();
  const failure = await write(peer, testBatch(["1", "2"]), { max_line_bytes: 10 });
  assert.ok(failure instanceof PartialWriteError && !failure.retryable);
  assert.equal(peer.seen.length, 0);
});

Deno.test("victorialogs sink: an answer other than 2xx is judged as the http sink does", async () => {
  await using peer = new HttpPeer();
  peer.answer = () => new Response("full", { status: 429, headers: { "retry-after": "3" } });
  const failure = await write(peer, testBatch(["{}"]));
  assert.deepEqual([failure?.retryable, failure?.retryAfterMs], [true, 3000]);
  peer.answer = () => new Response("bad", { status: 400 });
  assert.equal((await write(peer, testBatch(["{}"])))?.retryable, false);
});

Deno.test("victorialogs sink: beside a bad line the others go again whatever the answer is", async () => {
  await using peer = new HttpPeer();
  peer.answer = () => new Response("bad", { status: 400 });
  const failure = await write(peer, testBatch(['{"n":1}', "x", '{"n":3}']));
  assert.ok(failure instanceof PartialWriteError);
  const told = failure.failures.map(({ index, error }) => [index, error.retryable]);
  assert.deepEqual(told, [[1, false], [0, true], [2, true]]);
  // One error for both, by which the engine knows that it is the batch's.
  assert.equal(failure.failures[1]?.error, failure.failures[2]?.error);
});

Deno.test("victorialogs sink: a block is refused whose values the server would take for others", () => {
  const url = "http://a/";
  assert.ok(victoriaLogsSink.definition.parse({ url, ...FIELDS }).ok);
  for (
    const block of [
      { url: "a:9428" },
      { stream_fields: [] },
      { stream_fields: ["a,b"] },
      { stream_fields: ["a=b"] },
      { stream_fields: ["a "] },
      { time_field: "" },
      { msg_field: " m" },
      { extra_fields: { a: "b,c=d" } },
      { extra_fields: { "a=": "b" } },
      { extra_fields: { a: "" } },
      { max_line_bytes: 0 },
      { account_id: -1 },
      { headers: {} },
    ]
  ) {
    assert.ok(!victoriaLogsSink.definition.parse({ url, ...FIELDS, ...block }).ok, JSON.stringify(block));
  }
  for (const name of ["url", "stream_fields", "time_field", "msg_field"]) {
    const { [name]: _left, ...rest } = { url, ...FIELDS } as Record<string, Data>;
    assert.ok(!victoriaLogsSink.definition.parse(rest).ok, name);
  }
});

Deno.test("victorialogs sink: needs the host of its URL and no more", () => {
  const needs = (block: Block) => {
    const parsed = victoriaLogsSink.definition.parse({ ...FIELDS, ...block });
    assert.ok(parsed.ok);
    assert.deepEqual(victoriaLogsSink.check?.(parsed.value, testContext()), []);
    return victoriaLogsSink.needs?.(parsed.value, testContext());
  };
  assert.deepEqual(needs({ url: "http://logs.example:9428/x" }), { net: ["logs.example:9428"] });
});

serverTest("victorialogs sink: logs in to a real server, over TLS", ["victorialogs"], async () => {
  const login = { user: "boat", password: "secret" };
  await using server = await VictoriaLogsServer.start({ tls: true, login });
  const ca_file = await Deno.makeTempFile({ prefix: "eventboat-ca-" });
  try {
    await Deno.writeTextFile(ca_file, TEST_AUTHORITY);
    const { user: username, password } = login;
    for (const [basic, stored] of [[{ username, password: "wrong" }, 0], [{ username, password }, 1]] as const) {
      const sink = sinkOf({ url: server.url(""), gzip: true, tls: { ca_file }, auth: { basic } });
      const writing = Promise.resolve(sink.write(testBatch(['{"message":"hello","pod":"p"}']), never));
      if (stored === 0) await assert.rejects(writing, (caught) => caught instanceof SinkError && !caught.retryable);
      else await writing;
      await sink.close();
      assert.equal((await server.query("hello")).length, stored);
    }
  } finally {
    await Deno.remove(ca_file);
  }
});
