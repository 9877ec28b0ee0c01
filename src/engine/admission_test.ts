import assert from "node:assert/strict";
import type { EventboatError } from "../diagnostics/mod.ts";
import { type Emission, pack, single } from "../message/mod.ts";
import type { Emit } from "../plugin/mod.ts";
import { type Fault, FaultyBackend, hostStore, MemoryBackend, MemoryDisk } from "../store/mod.ts";
import { planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource, stopped } from "../../tests/suites/plugin_fixtures.ts";
import { until } from "../../tests/suites/until.ts";
import { Engine, type EngineOptions, type Outcome } from "./mod.ts";

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const batchOf = (first: number, count: number): Emission =>
  pack(Array.from({ length: count }, (_, i) => ({ bytes: bytes(first + i) })), first);
const turns = async (count = 20) => {
  for (let i = 0; i < count; i++) await Promise.resolve();
};
/** How a promise ended: the error's code, or "accepted". */
const verdict = (emitted: Promise<void>) =>
  emitted.then(() => "accepted", (caught: EventboatError) => caught.code ?? caught.constructor.name);

interface Trial {
  readonly emit: Emit;
  readonly engine: Engine;
  readonly sink: CollectingSink;
  readonly source: ListSource;
  /** Ends the source's run, as exhausted. */
  readonly finish: () => void;
  readonly stop: () => void;
}

interface TrialOptions extends Partial<EngineOptions> {
  readonly maxInFlight?: number;
  readonly faults?: readonly Fault[];
  readonly disk?: MemoryDisk;
  readonly sink?: CollectingSink;
}

/** Runs a pipeline whose source's `emit` is the test's. */
async function trial(options: TrialOptions, use: (trial: Trial) => Promise<void>): Promise<Outcome> {
  const { maxInFlight = 100, faults = [], disk = new MemoryDisk(), sink = new CollectingSink() } = options;
  const store = await hostStore(new FaultyBackend(new MemoryBackend(disk), faults));
  const source = new ListSource([]);
  const given = Promise.withResolvers<Emit>();
  const finished = Promise.withResolvers<void>();
  source.run = async (emit, signal) => {
    given.resolve(emit);
    await Promise.race([finished.promise, stopped(signal)]);
  };
  const plan = planFixture({
    maxInFlight,
    drainTimeoutMs: 200,
    nodes: { in: { source }, out: { sink, from: ["in"] } },
  });
  const stop = new AbortController();
  const engine = new Engine(plan, store, { backoffBaseMs: 1, checkpointIdleMs: 1, ...options });
  const running = engine.run(stop.signal);
  try {
    const emit = await given.promise;
    await use({ emit, engine, sink, source, finish: finished.resolve, stop: () => stop.abort() });
  } finally {
    finished.resolve();
    stop.abort();
  }
  const outcome = await running;
  await store.close();
  return outcome;
}

/** A sink whose writes wait until the test opens it. */
function heldSink() {
  const opened = Promise.withResolvers<void>();
  const sink = new CollectingSink((_, signal) => Promise.race([opened.promise, stopped(signal)]));
  return { sink, open: opened.resolve };
}

Deno.test("Admission: a batch that needs several segments is refused as a whole", async () => {
  const disk = new MemoryDisk();
  await trial({ segmentMessagesMax: 10, disk, faults: [{ operation: "append", nth: 1, kind: "full" }] }, async (t) => {
    assert.equal(await verdict(t.emit(batchOf(1, 30))), "refused");
    assert.equal(disk.segments.length, 0);
    assert.equal(await verdict(t.emit(batchOf(1, 30))), "accepted");
    t.finish();
    await until(() => t.sink.values.length === 30);
  });
});

Deno.test("Admission: no part of a batch is durable when a later part is refused", async () => {
  const disk = new MemoryDisk();
  const options = { segmentMessagesMax: 10, writeBatch: { maxRows: 10, maxWaitMs: 2 } };
  await trial({ ...options, disk, faults: [{ operation: "append", nth: 2, kind: "full" }] }, async (t) => {
    const verdicts = [await verdict(t.emit(batchOf(1, 30))), await verdict(t.emit(batchOf(31, 30)))];
    assert.deepEqual(verdicts, ["accepted", "refused"]);
    assert.equal(disk.segments.reduce((sum, { count }) => sum + count, 0), 30);
  });
});

Deno.test("Admission: the bytes of a batch that was cut are all given back", async () => {
  await trial({ segmentMessagesMax: 2, inFlightBytesMax: 20 }, async (t) => {
    const line = new TextEncoder().encode("1\n2\n3\n4\n\n\n\n\n");
    await t.emit({ bytes: line, ends: Uint32Array.of(1, 3, 5, 7), gap: 1, firstSrcSeq: 1 });
    await until(() => t.engine.counts().inFlight === 0);
    const large = t.emit(single({ bytes: bytes("x".repeat(100)) }, 5));
    await until(() => t.sink.values.length === 5);
    await large;
  });
});

Deno.test("Admission: the watermark never passes a batch that was turned away at a stop", async () => {
  const { sink, open } = heldSink();
  const disk = new MemoryDisk();
  await trial({ maxInFlight: 10, sink, disk }, async (t) => {
    await t.emit(batchOf(1, 8));
    const large = verdict(t.emit(batchOf(9, 5)));
    const small = verdict(t.emit(batchOf(14, 1)));
    t.stop();
    open();
    assert.equal(await large, "shutdown");
    await small;
  });
  const state = disk.states.get("in");
  assert.equal(state && new TextDecoder().decode(state), "8");
});

Deno.test("Admission: the watermark never passes a batch that was too large", async () => {
  const disk = new MemoryDisk();
  await trial({ maxInFlight: 10, disk }, async (t) => {
    assert.equal(await verdict(t.emit(batchOf(1, 11))), "batch_too_large");
    await t.emit(batchOf(12, 5));
    await until(() => t.sink.values.length === 5);
  });
  assert.equal(disk.states.get("in"), undefined);
});

Deno.test("Admission: batches become durable in the order of the calls, whoever had to wait", async () => {
  // The late call comes in each of the microtasks around the moment at which there is room for the one that waits.
  for (let delay = 0; delay < 12; delay++) {
    const sink = new CollectingSink();
    await trial({ maxInFlight: 6, sink }, async (t) => {
      const late = Promise.withResolvers<void>();
      sink.onWrite = () => {
        sink.onWrite = () => {};
        turns(delay).then(() => t.emit(batchOf(9, 1))).then(late.resolve, late.reject);
      };
      const early = [t.emit(batchOf(1, 4)), t.emit(batchOf(5, 4))];
      await Promise.all([...early, late.promise]);
      await until(() => sink.values.length === 9);
    });
    assert.deepEqual(sink.values, [1, 2, 3, 4, 5, 6, 7, 8, 9], `late by ${delay}`);
  }
});

Deno.test("Admission: a batch that waits for room behind one that is refused is refused with it", async () => {
  const disk = new MemoryDisk();
  await trial({ maxInFlight: 10, disk, faults: [{ operation: "append", nth: 1, kind: "full" }] }, async (t) => {
    const verdicts = [t.emit(batchOf(1, 8)), t.emit(batchOf(9, 5)), t.emit(batchOf(14, 1))].map(verdict);
    assert.deepEqual(await Promise.all(verdicts), ["refused", "refused", "refused"]);
    assert.equal(t.engine.counts().inFlight, 0);
    await t.emit(batchOf(1, 8));
    await until(() => t.sink.values.length === 8);
  });
  assert.equal(new TextDecoder().decode(disk.states.get("in")), "8");
});

for (
  const [what, malformed] of Object.entries<Partial<Record<keyof Emission, unknown>>>({
    "ends that go back": { ends: Uint32Array.of(3, 1) },
    "an end beyond the bytes": { ends: Uint32Array.of(1, 9) },
    "a message that begins behind its end": { ends: Uint32Array.of(1, 1), gap: 1 },
    "ends that are no Uint32Array": { ends: [1, 3] },
    "bytes that are text": { bytes: "123" },
    "a gap of 2": { gap: 2 },
    "no srcSeq": { firstSrcSeq: undefined },
    "srcSeq 0": { firstSrcSeq: 0 },
    "a column that is no list": { columns: { key: 7 } },
    "a column with a cycle": { columns: { key: [cyclic()] } },
    "meta with a cycle": { meta: { key: cyclic() } },
    "meta that is text": { meta: "text" },
  })
) {
  Deno.test(`Admission: a batch with ${what} is turned away, and takes nothing`, async () => {
    await trial({}, async (t) => {
      const batch = { ...batchOf(1, 2), ...malformed } as Emission;
      await assert.rejects(t.emit(batch), { code: "source_failed", node: "in" });
      assert.equal(t.engine.counts().inFlight, 0);
      await t.emit(batchOf(1, 2));
      t.finish();
      await until(() => t.sink.values.length === 2);
    });
  });
}

Deno.test("Admission: what is emitted is no batch at all", async () => {
  await trial({}, async (t) => {
    for (const garbage of [undefined, null, 7, {}]) {
      await assert.rejects(t.emit(garbage as unknown as Emission), { code: "source_failed" });
    }
  });
});

Deno.test("Admission: an empty batch is accepted, also after the end", async () => {
  let late: Emit | undefined;
  await trial({}, async (t) => {
    late = t.emit;
    assert.equal(await verdict(t.emit(batchOf(1, 0))), "accepted");
  });
  assert.equal(await verdict(late!(batchOf(1, 1))), "shutdown"); // The trial has set it.
});

Deno.test("Admission: a batch whose bytes are emitted again while it is in flight arrives whole each time", async () => {
  const text = "x".repeat(20_000);
  const once = single({ bytes: bytes(text) }, 1);
  await trial({ maxInFlight: 2 }, async (t) => {
    const verdicts = [1, 2, 3, 4].map((firstSrcSeq) => verdict(t.emit({ ...once, firstSrcSeq })));
    assert.deepEqual(await Promise.all(verdicts), ["accepted", "accepted", "accepted", "accepted"]);
    await until(() => t.sink.values.length === 4);
    assert.ok(t.sink.values.every((value) => value === text));
  });
});

Deno.test("Admission: bytes that are gone when their turn comes are turned away", async () => {
  const { sink, open } = heldSink();
  await trial({ maxInFlight: 1, sink }, async (t) => {
    await t.emit(batchOf(1, 1));
    const waiting = single({ bytes: bytes("x".repeat(20_000)) }, 2);
    const late = t.emit(waiting);
    waiting.bytes.buffer.transfer(0);
    open();
    await assert.rejects(late, { code: "source_failed" });
  });
});

Deno.test("Admission: messages of no bytes and single messages beyond every limit pass", async () => {
  const disk = new MemoryDisk();
  await trial({ inFlightBytesMax: 1_000, disk }, async (t) => {
    await t.emit(pack([{ bytes: new Uint8Array(0) }, { bytes: bytes(1) }, { bytes: new Uint8Array(0) }], 1));
    await t.emit(single({ bytes: bytes("y".repeat(5 * 1024 * 1024)) }, 4));
    await until(() => t.sink.values.length === 2);
  });
  assert.equal(disk.letters.size, 2);
});

Deno.test("Admission: the engine's stamps stand whatever a source says, its message_id is kept", async () => {
  await trial({ stamps: { run_id: "r1" } }, async (t) => {
    const meta = { source: "liar", ingest_time: "never", run_id: "none", own: 1, message_id: "mine" };
    await t.emit(pack([{ bytes: bytes(1), meta }], 1));
    await t.emit(single({ bytes: bytes(2), meta }, 2));
    await until(() => t.sink.values.length === 2);
    for (const { meta: seen } of t.sink.messages) {
      assert.deepEqual([seen["source"], seen["run_id"], seen["own"], seen["message_id"]], ["in", "r1", 1, "mine"]);
      assert.match(String(seen["ingest_time"]), /^\d{4}-/);
    }
  });
});

Deno.test("Admission: an injection larger than max_in_flight goes in parts", async () => {
  await trial({ maxInFlight: 4 }, async (t) => {
    await t.engine.inject("in", Array.from({ length: 10 }, (_, n) => ({ bytes: bytes(n), codec: "json" })));
    await until(() => t.sink.values.length === 10);
  });
});

Deno.test("Admission: an unknown answer ends the engine as failed and is no acceptance", async () => {
  const outcome = await trial({ faults: [{ operation: "append", nth: 1, kind: "unknown_kept" }] }, async (t) => {
    const emitted = [verdict(t.emit(batchOf(1, 2))), verdict(t.emit(batchOf(3, 2)))];
    assert.deepEqual(await Promise.all(emitted), ["shutdown", "shutdown"]);
    await turns();
  });
  assert.deepEqual([outcome.status, outcome.failure?.code], ["failed", "store_unknown"]);
});

function cyclic(): unknown {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  return cycle;
}
