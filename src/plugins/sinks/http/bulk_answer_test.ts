import assert from "node:assert/strict";
import type { Data } from "../../../base/mod.ts";
import { PartialWriteError, SinkError, testBatch, testContext } from "../../../plugin/mod.ts";
import { HttpPeer } from "../../../../tests/suites/http_peer.ts";
import { httpSink } from "./mod.ts";

const never = new AbortController().signal;

/** Posts three messages to a receiver that gives this answer, and gives what the sink throws. */
async function failureOf(
  answer: Response,
  bulkAnswer: { readonly [key: string]: Data } = {},
): Promise<SinkError | undefined> {
  await using peer = new HttpPeer(() => answer);
  const parsed = httpSink.definition.parse({ url: peer.url(), body: "ndjson", bulk_answer: bulkAnswer });
  assert.ok(parsed.ok);
  const sink = httpSink.create(parsed.value, testContext());
  try {
    await sink.write(testBatch(["1", "2", "3"]), never);
    return undefined;
  } catch (caught) {
    assert.ok(caught instanceof SinkError);
    return caught;
  } finally {
    await sink.close();
  }
}

Deno.test("http bulk_answer: each message is treated by its own status, and the answer's Retry-After holds", async () => {
  const items = [{ status: 201 }, { status: 429 }, { status: 400, why: "no date" }];
  const failure = await failureOf(Response.json({ items }, { headers: { "retry-after": "7" } }));
  assert.ok(failure instanceof PartialWriteError);
  assert.deepEqual(
    failure.failures.map(({ index, error }) => [index, error.retryable, error.retryAfterMs]),
    [[1, true, 7000], [2, false, undefined]],
  );
  assert.match(failure.failures[1]?.error.message ?? "", /400 for this message: .*no date/);
});

Deno.test("http bulk_answer: reads the form of Elasticsearch, with a name a message's action", async () => {
  const items = [
    { index: { status: 201 } },
    { create: { status: 409, error: { type: "version_conflict", reason: "it is there" } } },
    { index: { status: 503, error: { reason: "full" } } },
  ];
  const failure = await failureOf(Response.json({ took: 3, errors: true, items }), {
    status: "*.status",
    error: "*.error.reason",
  });
  assert.ok(failure instanceof PartialWriteError);
  assert.deepEqual(failure.failures.map(({ index, error }) => [index, error.retryable]), [[1, false], [2, true]]);
  assert.match(failure.failures[0]?.error.message ?? "", /"it is there"$/);
});

Deno.test("http bulk_answer: 2xx for all is success, wherever the list stands", async () => {
  assert.equal(
    await failureOf(Response.json({ answer: { of: [{ s: 200 }, { s: 201 }, { s: 204 }] } }), {
      items: "answer.of",
      status: "s",
    }),
    undefined,
  );
});

for (
  const [title, answer] of [
    ["no JSON", () => new Response("<html>")],
    ["nothing", () => new Response(null)],
    ["no list", () => Response.json({ items: 3 })],
    ["a list of another length", () => Response.json({ items: [{ status: 200 }] })],
    ["an element without a status", () => Response.json({ items: [{ status: 200 }, {}, { status: 200 }] })],
    ["two names where any one is asked for", () => Response.json({ items: [{ a: 1, b: 2 }, {}, {}] })],
  ] as const
) {
  Deno.test(`http bulk_answer: an answer of ${title} fails the whole batch, which may go again`, async () => {
    const failure = await failureOf(answer(), title.startsWith("two") ? { status: "*.status" } : {});
    assert.ok(failure !== undefined && !(failure instanceof PartialWriteError));
    assert.equal(failure.retryable, true);
  });
}

Deno.test("http bulk_answer: another answer than 2xx is judged as a whole", async () => {
  const failure = await failureOf(Response.json({ items: [] }, { status: 413 }));
  assert.ok(failure !== undefined && !(failure instanceof PartialWriteError));
  assert.equal(failure.retryable, false);
});

Deno.test("http bulk_answer: answers of thousands of messages are read whole", async () => {
  const status = 200;
  const items = [{ status, padding: "x".repeat(1024 * 1024) }, { status }, { status }];
  assert.equal(await failureOf(Response.json({ items })), undefined);
});

Deno.test("http bulk_answer: check refuses it where a request holds one message", () => {
  const parsed = httpSink.definition.parse({ url: "http://a/", bulk_answer: {} });
  assert.ok(parsed.ok);
  assert.deepEqual(httpSink.check?.(parsed.value, testContext()).map(({ path }) => path), [["bulk_answer"]]);
});
