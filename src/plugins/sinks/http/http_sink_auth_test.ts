import assert from "node:assert/strict";
import type { Data } from "../../../base/mod.ts";
import { type Sink, SinkError, testBatch, type TestContext, testContext } from "../../../plugin/mod.ts";
import { HttpPeer } from "../../../../tests/suites/http_peer.ts";
import { httpSink } from "./mod.ts";

const never = new AbortController().signal;

/** A sink, its receiver and a token server in one peer: `/token` gives tokens, `/in` takes messages. */
class Bench implements AsyncDisposable {
  readonly peer = new HttpPeer();
  readonly context: TestContext = testContext();
  readonly sink: Sink;
  issued = 0;
  lifeSeconds: number | undefined = 60;
  inAnswer: (authorization: string | null) => Response = () => new Response();
  tokenAnswer: () => Response = () =>
    Response.json({ access_token: `token${++this.issued}`, token_type: "bearer", expires_in: this.lifeSeconds });

  constructor(auth: { readonly [key: string]: Data }) {
    const oauth2 = auth["oauth2"];
    const block = oauth2 === undefined
      ? auth
      : { oauth2: { token_url: this.peer.url("/token"), client_id: "id", client_secret: "s:é", ...Object(oauth2) } };
    const parsed = httpSink.definition.parse({ url: this.peer.url("/in"), auth: block });
    assert.ok(parsed.ok);
    this.sink = httpSink.create(parsed.value, this.context);
    this.peer.answer = ({ path, headers }) =>
      path === "/token" ? this.tokenAnswer() : this.inAnswer(headers.get("authorization"));
  }

  async write(): Promise<void> {
    await this.sink.write(testBatch(["1"]), never);
  }

  async failure(): Promise<SinkError> {
    try {
      await this.write();
    } catch (caught) {
      assert.ok(caught instanceof SinkError);
      return caught;
    }
    return assert.fail("the write succeeded");
  }

  /** The Authorization headers the receiver saw. */
  get authorizations(): (string | null)[] {
    return this.peer.seen.filter(({ path }) => path === "/in").map(({ headers }) => headers.get("authorization"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sink.close();
    await this.peer[Symbol.asyncDispose]();
  }
}

Deno.test("http auth: basic and bearer are sent with each request", async () => {
  await using basic = new Bench({ basic: { username: "user", password: "pä:ss" } });
  await basic.write();
  assert.deepEqual(basic.authorizations, [`Basic ${new TextEncoder().encode("user:pä:ss").toBase64()}`]);
  await using bearer = new Bench({ bearer: { token: "t0" } });
  await bearer.write();
  assert.deepEqual(bearer.authorizations, ["Bearer t0"]);
});

Deno.test("http auth: an OAuth token is fetched once, used while it lives, and renewed before it expires", async () => {
  await using bench = new Bench({ oauth2: { scopes: ["a", "b"], audience: "api" } });
  await bench.write();
  await bench.write();
  await bench.context.clock.advance(55_000);
  await bench.write();
  assert.deepEqual(bench.authorizations, ["Bearer token1", "Bearer token1", "Bearer token2"]);
  const request = bench.peer.seen.find(({ path }) => path === "/token");
  assert.deepEqual([...new URLSearchParams(request?.body)], [
    ["grant_type", "client_credentials"],
    ["scope", "a b"],
    ["audience", "api"],
  ]);
  assert.equal(request?.headers.get("authorization"), `Basic ${btoa("id:s%3A%C3%A9")}`);
});

Deno.test("http auth: the client's credentials go in the form where the server wants them there", async () => {
  await using bench = new Bench({ oauth2: { client_auth: "body" } });
  await bench.write();
  const form = new URLSearchParams(bench.peer.seen.find(({ path }) => path === "/token")?.body);
  assert.equal(form.get("client_secret"), "s:é");
});

Deno.test("http auth: a token that expired during a long backoff is fetched anew for the attempt", async () => {
  await using bench = new Bench({ oauth2: {} });
  bench.lifeSeconds = 2;
  bench.inAnswer = () => new Response(null, { status: 503, headers: { "retry-after": "5" } });
  const { retryAfterMs } = await bench.failure();
  assert.equal(retryAfterMs, 5000);
  await bench.context.clock.advance(retryAfterMs);
  bench.inAnswer = () => new Response();
  await bench.write();
  assert.deepEqual(bench.authorizations, ["Bearer token1", "Bearer token2"]);
});

Deno.test("http auth: a token refused before its time is thrown away and the attempt may be repeated", async () => {
  await using bench = new Bench({ oauth2: {} });
  await bench.write();
  bench.inAnswer = (authorization) => new Response(null, { status: authorization === "Bearer token1" ? 401 : 200 });
  assert.equal((await bench.failure()).retryable, true);
  await bench.write();
  assert.deepEqual(bench.authorizations, ["Bearer token1", "Bearer token1", "Bearer token2"]);
});

Deno.test("http auth: a fresh token that is refused too is a failure that no retry helps", async () => {
  await using bench = new Bench({ oauth2: {} });
  bench.inAnswer = () => new Response(null, { status: 401 });
  assert.equal((await bench.failure()).retryable, false);
});

Deno.test("http auth: whatever keeps a token away, the messages are not at fault and wait", async () => {
  await using bench = new Bench({ oauth2: {} });
  const answers = [
    new Response(null, { status: 500 }),
    new Response('{"error":"invalid_client"}', { status: 401 }),
    new Response("no JSON"),
    Response.json({}),
    Response.json(null),
    new Response(null, { status: 302, headers: { location: "/in" } }),
  ];
  for (const answer of answers) {
    bench.tokenAnswer = () => answer;
    assert.equal((await bench.failure()).retryable, true);
  }
  assert.deepEqual(bench.authorizations, []);
});
