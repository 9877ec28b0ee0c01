import assert from "node:assert/strict";
import { type Sink, SinkError, testBatch, type TestContext, testContext } from "../../../plugin/mod.ts";
import { type Rudeness, RudeServer } from "../../../../tests/suites/rude_server.ts";
import {
  answering,
  brokenChunks,
  dripping,
  endlessBody,
  endlessHead,
  gzipBomb,
  halfClosing,
  hangingUp,
  inTurn,
  nonsense,
  resetting,
  silent,
  truncated,
} from "../../../../tests/suites/rudenesses.ts";
import { httpSink } from "./mod.ts";

const never = new AbortController().signal;
const TIMEOUT_MS = 1000;
const MEGABYTE = 1024 * 1024;

function sinkTo(url: string, context: TestContext): Sink {
  const parsed = httpSink.definition.parse({ url, timeout_ms: TIMEOUT_MS });
  assert.ok(parsed.ok);
  return httpSink.create(parsed.value, context);
}

/** What a write to a server that behaves so ends with; its time passes as soon as the server has the request. */
async function failureOf(server: RudeServer, behave: Rudeness, passTime: boolean): Promise<SinkError | undefined> {
  const context = testContext();
  const asked = Promise.withResolvers<void>();
  server.behave = inTurn(async (peer, signal) => {
    asked.resolve();
    await behave(peer, signal);
  }, answering());
  const sink = sinkTo(server.url(), context);
  try {
    const failure = sinkFailure(sink);
    if (passTime) {
      await asked.promise;
      await context.clock.advance(TIMEOUT_MS);
    }
    const error = await failure;
    // Whatever was done to it, the next write goes through.
    if (error !== undefined) assert.equal(await sinkFailure(sink), undefined);
    return error;
  } finally {
    await sink.close();
  }
}

async function sinkFailure(sink: Sink): Promise<SinkError | undefined> {
  try {
    await sink.write(testBatch(["1"]), never);
    return undefined;
  } catch (caught) {
    assert.ok(caught instanceof SinkError);
    return caught;
  }
}

for (
  const [title, behave] of [
    ["hangs up", hangingUp()],
    ["resets the connection", resetting()],
    ["resets it in the middle of its answer", resetting("HTTP/1.1 200 OK\r\nContent-Le")],
    ["resets it in the middle of the body", resetting("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")],
    ["answers something that is no HTTP", nonsense()],
    ["closes before the body is whole", truncated(100, "half")],
    ["ends its chunks too early", brokenChunks("half")],
    ["sends a head that never ends", endlessHead()],
  ] as const
) {
  Deno.test(`http sink: a server that ${title} is tried again, over another connection`, async () => {
    await using server = await RudeServer.start(behave);
    assert.equal((await failureOf(server, behave, false))?.retryable, true);
    assert.ok(server.connections >= 2);
  });
}

for (
  const [title, behave] of [
    ["never answers", silent()],
    ["promises more and only closes its half", halfClosing(100, "half")],
    ["sends its answer a byte a second", dripping(1000)],
  ] as const
) {
  Deno.test(`http sink: a server that ${title} is given up after timeout_ms and tried again`, async () => {
    await using server = await RudeServer.start(behave);
    assert.equal((await failureOf(server, behave, true))?.retryable, true);
  });
}

for (
  const [title, behave] of [
    ["that never ends", endlessBody()],
    ["that unpacks to 20 MB", gzipBomb(20 * MEGABYTE)],
  ] as const
) {
  Deno.test(`http sink: of an answer ${title} the beginning is read, and the message has arrived`, async () => {
    await using server = await RudeServer.start(behave);
    assert.equal(await failureOf(server, behave, false), undefined);
  });
}
