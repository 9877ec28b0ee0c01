import assert from "node:assert/strict";
import { HeldClock } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import { STORE_DEADLINE_MS, StoreClient } from "./client.ts";
import type { AppendResult } from "./contract.ts";
import { ScriptedServer } from "./scripted_server.ts";
import { heavySegment, testLetter, testSegment } from "./test_segments.ts";

const DIED = new EventboatError("isolate_died", "the store's isolate ended");

type Body = (client: StoreClient, server: ScriptedServer, clock: HeldClock) => Promise<void>;

/** Runs a body on a client, which the body or the end of the test closes. */
function test(behaviour: string, fn: Body): void {
  Deno.test({
    name: `StoreClient: ${behaviour}`,
    sanitizeOps: true,
    sanitizeResources: true,
    fn: async () => {
      const clock = new HeldClock();
      const { client, server } = await ScriptedServer.connect({ clock });
      await fn(client, server, clock);
      client.connectionLost(DIED);
      // A body that closes its client looks at how that ended by itself.
      await codes([client.close()]);
      server.die();
    },
  });
}

async function kinds(appends: readonly Promise<AppendResult>[]): Promise<string[]> {
  const results = await Promise.all(appends);
  return results.map((result) => result.kind === "durable" ? "durable" : `${result.kind} ${result.error.code}`);
}

/** The codes that calls end with. */
async function codes(calls: readonly Promise<unknown>[]): Promise<string[]> {
  return await Promise.all(calls.map((call) => call.then(() => "done", (caught) => EventboatError.from(caught).code)));
}

/** One call of every kind that is no append. */
function everyCall(client: StoreClient): Promise<unknown>[] {
  return [
    client.setCheckpoint(77),
    client.setSourceState("a", 77, Uint8Array.of(1)),
    client.writeDeadLetters([testLetter(1)]),
    client.readSegments(0, 1),
    client.trim(1),
    client.sweepDeadLetters(1, 1),
    client.readDeadLetters({ limit: 1 }),
    client.deleteDeadLetters([1]),
    client.stats(),
  ];
}

test(
  "a call without an answer ends at its deadline: an append as unknown, every other one as a timeout",
  async (client, server, clock) => {
    const append = client.append(testSegment(10));
    const ends = codes(everyCall(client));
    await server.received(8);
    await clock.advance(STORE_DEADLINE_MS - 1);
    await clock.advance(2);
    assert.deepEqual(await kinds([append]), ["unknown store_unknown"]);
    assert.deepEqual(new Set(await ends), new Set(["timeout"]));
  },
);

test("an answer that comes after the deadline changes nothing", async (client, server, clock) => {
  const late = codes([client.trim(1)]);
  await server.received(1);
  await clock.advance(STORE_DEADLINE_MS + 1);
  assert.deepEqual(await late, ["timeout"]);
  server.settle(0);
  const stats = client.trim(2);
  await server.received(2);
  server.settle(1);
  await stats;
});

test(
  "a lost connection: what is under way is unknown, what waits is refused, every other call fails",
  async (client, server) => {
    const appends = [heavySegment(10, 2000, 4000), heavySegment(2010, 2000, 4000), testSegment(4010)].map((one) =>
      client.append(one)
    );
    const ends = codes(everyCall(client));
    await server.received(2);
    client.connectionLost(DIED);
    assert.equal((await client.lost).code, "isolate_died");
    assert.deepEqual(await kinds(appends), ["unknown store_unknown", "unknown store_unknown", "refused store_unknown"]);
    assert.deepEqual(new Set(await ends), new Set(["isolate_died"]));
    assert.deepEqual(await kinds([client.append(testSegment(4011))]), ["refused store_unknown"]);
    assert.deepEqual(new Set(await codes(everyCall(client))), new Set(["isolate_died"]));
    await client.close();
  },
);

test("an idle connection that is lost refuses what comes after", async (client) => {
  client.connectionLost(DIED);
  assert.deepEqual(await kinds([client.append(testSegment(10))]), ["refused isolate_died"]);
});

test("closing wakes who waits and lets what is under way have its true answer", async (client, server) => {
  const appends = [heavySegment(10, 2000, 4000), testSegment(2010)].map((one) => client.append(one));
  const checkpoint = codes([client.setCheckpoint(7)]);
  await server.received(1);
  const closed = client.close();
  assert.deepEqual(await checkpoint, ["store_closed"]);
  await server.received(2);
  server.settle(0);
  server.settle(1);
  await closed;
  assert.deepEqual(await kinds(appends), ["durable", "refused store_closed"]);
  assert.deepEqual(await kinds([client.append(testSegment(2011))]), ["refused store_closed"]);
  assert.deepEqual(new Set(await codes(everyCall(client))), new Set(["store_closed"]));
  await client.close();
});

test("a close that the lost connection overtakes ends, and what was under way is unknown", async (client, server) => {
  const append = client.append(testSegment(10));
  await server.received(1);
  const closed = client.close();
  client.connectionLost(DIED);
  await closed;
  assert.deepEqual(await kinds([append]), ["unknown store_unknown"]);
});

test("a close that is never answered ends at its deadline", async (client, server, clock) => {
  const append = client.append(testSegment(10));
  await server.received(1);
  const closed = codes([client.close()]);
  await server.received(2);
  await clock.advance(STORE_DEADLINE_MS + 1);
  assert.deepEqual(await closed, ["timeout"]);
  assert.deepEqual(await kinds([append]), ["unknown store_unknown"]);
});

test("a store that cannot be opened rejects the connecting with its reason", async () => {
  const { port1, port2 } = new MessageChannel();
  const server = new ScriptedServer(port2);
  server.answer({ kind: "not_opened", error: { code: "store_version", message: "too new" } });
  await assert.rejects(StoreClient.connect(port1), { code: "store_version" });
  server.die();
});

test("connecting ends at its deadline or when its signal aborts", async (_client, _server, clock) => {
  for (const end of ["deadline", "abort"]) {
    const { port1, port2 } = new MessageChannel();
    const abort = new AbortController();
    const connecting = codes([StoreClient.connect(port1, { clock }, abort.signal)]);
    if (end === "abort") abort.abort();
    else await clock.advance(STORE_DEADLINE_MS + 1);
    assert.deepEqual(await connecting, [end === "abort" ? "shutdown" : "timeout"]);
    port2.close();
  }
});
