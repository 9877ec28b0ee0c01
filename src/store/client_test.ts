import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { HeldClock } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { StoreClient, StoreClientOptions } from "./client.ts";
import type { AppendResult } from "./contract.ts";
import { ScriptedServer } from "./scripted_server.ts";
import { heavySegment, testLetter, testSegment } from "./test_segments.ts";

const REFUSED = new EventboatError("store_write", "refused by the test");
const UNKNOWN = new EventboatError("store_unknown", "unknown by the test");

/** Runs a body on a client and ends both ends of its port. */
function test(
  behaviour: string,
  fn: (client: StoreClient, server: ScriptedServer, clock: HeldClock) => Promise<void>,
  options: StoreClientOptions = {},
): void {
  Deno.test({
    name: `StoreClient: ${behaviour}`,
    sanitizeOps: true,
    sanitizeResources: true,
    fn: async () => {
      const clock = new HeldClock();
      const { client, server } = await ScriptedServer.connect({ clock, ...options });
      await fn(client, server, clock);
      client.connectionLost(new EventboatError("isolate_died", "the test is over"));
      await client.close();
      server.die();
    },
  });
}

async function kinds(appends: readonly Promise<AppendResult>[]): Promise<string[]> {
  const results = await Promise.all(appends);
  return results.map((result) => result.kind === "durable" ? "durable" : `${result.kind} ${result.error.code}`);
}

/** Lets everything happen that needs no answer. */
async function quiet(): Promise<void> {
  for (let i = 0; i < 40; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}

const full = (first: number) => heavySegment(first, 2000, 4000);

test("what is asked in one turn is one group, marks included", async (client, server) => {
  const appends = [10, 11, 12].map((seq) => client.append(testSegment(seq)));
  const marks = [client.setCheckpoint(7), client.setCheckpoint(9), client.setSourceState("a", 2, Uint8Array.of(2))];
  await server.received(1);
  await quiet();
  assert.equal(server.requests.length, 1);
  assert.deepEqual(server.firsts(0), [10, 11, 12]);
  const states = [{ source: "a", state: Uint8Array.of(2) }];
  assert.deepEqual(server.group(0).marks, { lastVoid: 0, checkpoint: 9, states });
  server.settle(0);
  assert.deepEqual(await kinds(appends), ["durable", "durable", "durable"]);
  await Promise.all(marks);
});

test(
  "segments that are appended together are one group, however large, and have one answer",
  async (client, server) => {
    const before = client.append(testSegment(10));
    const together = client.appendAll([full(11), full(2011), full(4011)]);
    const behind = client.append(testSegment(6011));
    await server.received(2);
    await quiet();
    assert.deepEqual([server.firsts(0), server.firsts(1)], [[10], [11, 2011, 4011]]);
    server.settle(0);
    server.settle(1, REFUSED);
    assert.deepEqual(await kinds([before, together, behind]), [
      "durable",
      "refused store_write",
      "refused store_write",
    ]);
    const mark = client.setCheckpoint(9);
    await server.received(3);
    assert.equal(server.group(2).marks.lastVoid, 6011);
    server.settle(2);
    await mark;
  },
);

test("what comes while a group is under way is the next group", async (client, server) => {
  const first = client.append(testSegment(10));
  await server.received(1);
  const later: Promise<AppendResult>[] = [];
  for (const seq of [11, 12, 13]) {
    later.push(client.append(testSegment(seq)));
    await quiet();
  }
  assert.equal(server.requests.length, 1);
  server.settle(0);
  assert.deepEqual(await kinds([first]), ["durable"]);
  await server.received(2);
  assert.deepEqual(server.firsts(1), [11, 12, 13]);
  server.settle(1);
  await kinds(later);
});

test("full groups go at once, at most four are under way", async (client, server) => {
  const appends = [10, 2010, 4010, 6010, 8010, 10010].map((first) => client.append(full(first)));
  await server.received(4);
  await quiet();
  assert.equal(server.requests.length, 4);
  server.settle(0);
  await server.received(5);
  for (let i = 1; i < 5; i++) server.settle(i);
  await server.received(6);
  server.settle(5);
  assert.deepEqual(new Set(await kinds(appends)), new Set(["durable"]));
});

test("a group ends before the segment that does not fit it, by messages or by bytes", async (client, server) => {
  const appends = [
    heavySegment(10, 1500, 3000),
    heavySegment(1510, 1500, 3000),
    heavySegment(3010, 1, 3e6),
    heavySegment(3011, 1, 3e6),
  ]
    .map((segment) => client.append(segment));
  await server.received(2);
  assert.deepEqual([server.firsts(0), server.firsts(1)], [[10], [1510, 3010]]);
  server.settle(0);
  server.settle(1);
  await server.received(3);
  assert.deepEqual(server.firsts(2), [3011]);
  server.settle(2);
  await kinds(appends);
});

test("without a wait each admission goes by itself", async (client, server) => {
  const appends = [10, 11, 12].map((seq) => client.append(testSegment(seq)));
  await server.received(3);
  assert.deepEqual([0, 1, 2].map((i) => server.firsts(i)), [[10], [11], [12]]);
  for (const i of [0, 1, 2]) server.settle(i);
  await kinds(appends);
}, { writeBatch: { maxRows: 2000, maxWaitMs: 0 } });

test("callers just released have some turns to come again", async (client, server) => {
  const producers = [10, 11, 12].map(async (seq, i) => {
    await client.append(testSegment(seq));
    // Each comes back some turns later than the one before.
    for (let turn = 0; turn < i; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
    return client.append(testSegment(seq + 3));
  });
  await server.received(1);
  server.settle(0);
  await server.received(2);
  assert.deepEqual(server.firsts(1), [13, 14, 15]);
  server.settle(1);
  await Promise.all(producers);
});

test("a failure takes along what is under way behind it and what waits, in order", async (client, server) => {
  const order: number[] = [];
  const append = (first: number) => client.append(full(first)).then((result) => (order.push(first), result));
  const appends = [10, 2010, 4010, 6010, 8010].map(append);
  await server.received(4);
  server.settle(0);
  await server.received(5);
  server.settle(1, REFUSED);
  const refused = "refused store_write";
  assert.deepEqual(await kinds(appends), ["durable", refused, refused, refused, refused]);
  assert.deepEqual(order, [10, 2010, 4010, 6010, 8010]);
  // The server refuses the old ones unseen, and the next group is of an epoch that it takes.
  for (const i of [2, 3, 4]) server.settle(i, REFUSED);
  const next = client.append(testSegment(20_000));
  await server.received(6);
  assert.ok(server.group(5).epoch > server.group(4).epoch);
  assert.equal(server.group(5).marks.lastVoid, 10_009);
  server.settle(5);
  assert.deepEqual(await kinds([next]), ["durable"]);
  const checkpoint = client.setCheckpoint(20_000);
  await server.received(7);
  assert.equal(server.group(6).marks.lastVoid, 0);
  server.settle(6);
  await checkpoint;
});

test(
  "a void that could not be written goes with the next transaction, dead letters among them",
  async (client, server) => {
    const refused = client.append(testSegment(10));
    await server.received(1);
    server.settle(0, REFUSED);
    await refused;
    for (const error of [REFUSED, null]) {
      const written = client.writeDeadLetters([testLetter(3)]).catch((caught) => caught.code);
      await server.received(server.requests.length + 1);
      const request = server.requests.at(-1);
      assert.ok(request?.kind === "letters" && request.lastVoid === 10);
      server.settle(server.requests.length - 1, error);
      assert.equal(await written, error?.code);
    }
    const checkpoint = client.setCheckpoint(11);
    await server.received(4);
    assert.equal(server.group(3).marks.lastVoid, 0);
    server.settle(3);
    await checkpoint;
  },
);

test("after an unknown append none is taken any more", async (client, server) => {
  const appends = [full(10), full(2010), testSegment(4010)].map((segment) => client.append(segment));
  await server.received(2);
  server.settle(0, UNKNOWN);
  assert.deepEqual(await kinds(appends), ["unknown store_unknown", "unknown store_unknown", "refused store_unknown"]);
  assert.deepEqual(await kinds([client.append(testSegment(4011))]), ["refused store_unknown"]);
});

test("a checkpoint goes alone when nothing is queued, and one that is durable is not sent", async (client, server) => {
  await client.setCheckpoint(5);
  await client.setCheckpoint(2);
  const set = client.setCheckpoint(6);
  await server.received(1);
  assert.deepEqual([server.group(0).segments, server.group(0).marks.checkpoint], [null, 6]);
  server.settle(0);
  await set;
  await client.setCheckpoint(6);
  assert.equal(server.requests.length, 1);
});

test("a mark that another transaction made durable succeeds although its own fails", async (client, server) => {
  // Two groups under way, each with marks: the second one lands, and the first one is answered as failed.
  const appends = [client.append(full(10))];
  const lower = client.setCheckpoint(6);
  const older = client.setSourceState("a", 1, Uint8Array.of(1));
  appends.push(client.append(full(2010)));
  const higher = client.setCheckpoint(8);
  appends.push(client.append(full(4010)));
  await server.received(3);
  assert.deepEqual([1, 2].map((i) => server.group(i).marks.checkpoint), [6, 8]);
  const [, second, third] = [server.group(0), server.group(1), server.group(2)];
  const marksError = REFUSED.toRecord();
  server.settle(0);
  server.answer({ kind: "group", id: third.id, appendError: null, marksError: null });
  await higher;
  server.answer({ kind: "group", id: second.id, appendError: null, marksError });
  await lower;
  await assert.rejects(older, { code: "store_write" });
  await kinds(appends);
});

test("dead letters pass appends that wait, one transaction at a time", async (client, server) => {
  const appends = [client.append(testSegment(10))];
  await server.received(1);
  appends.push(client.append(testSegment(11)));
  const letters = [client.writeDeadLetters([testLetter(1), testLetter(2)])];
  await server.received(2);
  letters.push(client.writeDeadLetters([testLetter(3)]), client.writeDeadLetters([testLetter(4)]));
  await quiet();
  assert.deepEqual(server.requests.map(({ kind }) => kind), ["group", "letters"]);
  server.settle(1);
  await server.received(3);
  const request = server.requests[2];
  assert.ok(request?.kind === "letters");
  assert.deepEqual(request.calls.map((call) => call.map(({ seq }) => seq)), [[3], [4]]);
  server.settle(2);
  await Promise.all(letters);
  server.settle(0);
  await server.received(4);
  server.settle(3);
  await kinds(appends);
});
