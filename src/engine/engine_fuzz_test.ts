/** Random pipelines over random troubles, life after life: whatever happens, nothing that was accepted is lost. */

import assert from "node:assert/strict";
import { EventboatError } from "../diagnostics/mod.ts";
import { type Emission, type Message, pack } from "../message/mod.ts";
import { type Emit, PartialWriteError, type Sink, type SinkBatch, SinkError, type Source } from "../plugin/mod.ts";
import { TransformError, type TransformResult } from "../plugin/mod.ts";
import { type Fault, FaultyBackend, hostStore, MemoryBackend, MemoryDisk } from "../store/mod.ts";
import { type NodeFixture, planFixture } from "../../tests/suites/plan_fixture.ts";
import { stopped, transformOf } from "../../tests/suites/plugin_fixtures.ts";
import { Engine, type Outcome } from "./mod.ts";

/** Seeds tried by default; `FUZZ_SEEDS=from,count` tries others. */
const [SEED_FROM, SEEDS] = (Deno.env.get("FUZZ_SEEDS") ?? "1,20").split(",").map(Number) as [number, number];
const VALUES = 60;
const LIVES_MAX = 6;

type Random = (below: number) => number;

function randomFrom(seed: number): Random {
  let state = seed * 2654435761 >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const valueOf = (message: Message) => (message.payload as { n: number }).n;
const soon = (random: Random) => new Promise<void>((resolve) => void setTimeout(resolve, random(3)));

/** Emits its values in batches of any size, several under way; its state is how many are committed. */
class EagerSource implements Source {
  readonly #random: Random;
  #start = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  init(state: Uint8Array | undefined): void {
    this.#start = state === undefined ? 0 : Number(decoder.decode(state));
  }

  async run(emit: Emit, signal: AbortSignal): Promise<void> {
    let next = this.#start;
    while (next < VALUES && !signal.aborted) {
      const flights: Promise<unknown>[] = [];
      const from = next;
      for (let i = this.#random(4); i >= 0 && next < VALUES; i--) {
        const count = Math.min(1 + this.#random(8), VALUES - next);
        flights.push(emit(this.#batch(next, count)));
        next += count;
      }
      const ends = await Promise.allSettled(flights);
      const failed = ends.findIndex(({ status }) => status === "rejected");
      if (failed < 0) continue;
      const reason = (ends[failed] as PromiseRejectedResult).reason;
      assert.ok(reason instanceof EventboatError, String(reason));
      if (reason.code !== "refused") return;
      // As a patient source does: once more, from the first that was refused. Duplicates do no harm.
      next = from;
      await soon(this.#random);
    }
  }

  #batch(from: number, count: number): Emission {
    const messages = Array.from(
      { length: count },
      (_, i) => ({ bytes: encoder.encode(JSON.stringify({ n: from + i })) }),
    );
    return pack(messages, from - this.#start + 1);
  }

  commit(through: number): Uint8Array {
    return encoder.encode(String(this.#start + through));
  }

  close(): void {}
}

/** What became of the values at one sink, over all lives. */
class Arrivals {
  readonly values = new Set<number>();
  /** Per key, what arrived in this life. */
  #keys = new Map<number, number>();

  newLife(): void {
    this.#keys = new Map();
  }

  add(message: Message, ordered: boolean): void {
    const n = valueOf(message);
    this.values.add(n);
    if (!ordered) return;
    const last = this.#keys.get(n % 3) ?? -1;
    assert.ok(message.seq >= last, `key ${n % 3}: ${message.seq} arrived after ${last}`);
    this.#keys.set(n % 3, message.seq);
  }
}

interface Trouble {
  readonly random: Random;
  /** Whether plugins misbehave; the last life is calm. */
  readonly isCalm: boolean;
}

function sinkOf(arrivals: Arrivals, ordered: boolean, { random, isCalm }: Trouble): Sink {
  const arrive = (batch: SinkBatch, failed: ReadonlySet<number>) => {
    for (let i = 0; i < batch.size; i++) if (!failed.has(i)) arrivals.add(batch.message(i), ordered);
  };
  return {
    async write(batch, signal) {
      if (random(2) === 0) await soon(random);
      const luck = isCalm ? 99 : random(20);
      if (luck === 0) throw new SinkError("refused", { retryable: false });
      if (luck < 3) throw new SinkError("away");
      if (luck === 3 && !ordered) await stopped(signal); // Too late, or never.
      if (luck === 4) {
        // From here on, so that a key's later messages fail with its earlier one.
        const from = random(batch.size);
        const failed = new Set(Array.from({ length: batch.size - from }, (_, i) => from + i));
        arrive(batch, failed);
        throw new PartialWriteError("some", [...failed].map((index) => ({ index, error: new SinkError("partly") })));
      }
      arrive(batch, new Set());
    },
    close() {},
  };
}

function applyWith({ random, isCalm }: Trouble): (message: Message) => TransformResult | Promise<TransformResult> {
  const apply = (message: Message): TransformResult => {
    const luck = isCalm ? 99 : random(30);
    if (luck === 0) throw new TransformError("runtime", "no luck");
    if (luck === 1) throw new TransformError("runtime", "hopeless", { retryable: false });
    const copies = valueOf(message) % 4;
    if (copies < 2) return message;
    return Array.from({ length: copies }, (_, copy) => message.derive({ payload: { n: valueOf(message), copy } }));
  };
  return (message) => random(5) === 0 ? soon(random).then(() => apply(message)) : apply(message);
}

/** One pipeline of a seed: the same shape in every life. */
function nodesOf(seed: number, arrivals: ReadonlyMap<string, Arrivals>, trouble: Trouble) {
  const shape = randomFrom(seed);
  const edge = (from: string) => ({ from, retries: shape(3), timeoutMs: 5, bufferEvents: 1 + shape(20) });
  const nodes: Record<string, NodeFixture> = { in: { source: new EagerSource(trouble.random) } };
  nodes["t"] = { transform: transformOf(applyWith(trouble)), from: [edge("in")], workers: 1 + shape(2) };
  const isJoined = shape(2) === 0;
  if (isJoined) nodes["u"] = { transform: transformOf(applyWith(trouble)), from: [edge("in"), edge("t")] };
  const ordered = nodes["t"].workers === 1 && !isJoined;
  for (const [name, arrived] of arrivals) {
    const isOrdered = name === "a" && ordered;
    nodes[name] = {
      sink: sinkOf(arrived, isOrdered, trouble),
      from: [edge(isJoined && name === "b" ? "u" : "t")],
      maxBatch: 1 + shape(12),
      ...(shape(2) === 0 ? { batch: { size: 1 + shape(12), timeoutMs: shape(4) } } : {}),
      ...(isOrdered ? { orderKey: ({ payload }) => String((payload as { n: number }).n % 3) } : {}),
    };
  }
  return { nodes, maxInFlight: 8 + shape(20), segmentMessagesMax: 1 + shape(9), inFlightBytesMax: 40 + shape(400) };
}

/** Faults of any call, and of each kind of write, so that the rare ones are met too. */
function faultsOf(random: Random): readonly Fault[] {
  const kinds = ["refused", "full", "unknown_lost", "unknown_kept"] as const;
  const kind = () => kinds[random(random(3) === 0 ? 4 : 2)] ?? "full";
  const operations = ["append", "marks", "writeDeadLetters"] as const;
  const some: Fault[] = operations.filter(() => random(3) === 0).map((operation) => ({
    operation,
    nth: 1 + random(6),
    times: 1 + random(2),
    kind: kind(),
  }));
  return random(3) === 0 ? [...some, { nth: 1 + random(40), kind: kind() }] : some;
}

/** Runs one life; every third that is not calm is killed in the middle. */
async function live(seed: number, life: number, disk: MemoryDisk, arrivals: ReadonlyMap<string, Arrivals>) {
  const random = randomFrom(seed * 1000 + life);
  const isCalm = life === LIVES_MAX - 1;
  const { nodes, maxInFlight, segmentMessagesMax, inFlightBytesMax } = nodesOf(seed, arrivals, { random, isCalm });
  for (const arrived of arrivals.values()) arrived.newLife();
  const memory = new MemoryBackend(disk);
  const store = await hostStore(new FaultyBackend(memory, isCalm ? [] : faultsOf(random)));
  const stop = new AbortController();
  const plan = planFixture({ nodes, maxInFlight, drainTimeoutMs: 20 });
  const options = { segmentMessagesMax, inFlightBytesMax, backoffBaseMs: 1, deadLetterRetryMs: 1, checkpointIdleMs: 2 };
  const engine = new Engine(plan, store, { durability: "power", spoolRetention: 7, ...options });
  const running = engine.run(stop.signal);
  const endsMs = random(60);
  const timer = isCalm ? undefined : setTimeout(() => {
    if (random(2) === 0) return stop.abort();
    // A kill, as the disk sees it: nothing is written any more.
    memory.commit = memory.writeDeadLetters = memory.trim = () => {
      throw new EventboatError("store_unknown", "killed");
    };
    store.connectionLost(new EventboatError("isolate_died", "killed"));
  }, endsMs);
  const stuck = setTimeout(() => {
    throw new Error(`seed ${seed}, life ${life} is stuck: ${JSON.stringify(engine.counts())}`);
  }, 20_000);
  const outcome: Outcome = await running;
  clearTimeout(timer);
  clearTimeout(stuck);
  await store.close().catch(() => {}); // One that was killed cannot be closed.
  return outcome;
}

for (let seed = SEED_FROM; seed < SEED_FROM + SEEDS; seed++) {
  Deno.test(`Engine: loses nothing in random lives, seed ${seed}`, async () => {
    const disk = new MemoryDisk();
    const arrivals = new Map([["a", new Arrivals()], ["b", new Arrivals()]]);
    let outcome: Outcome | undefined;
    for (let life = 0; life < LIVES_MAX; life++) {
      outcome = await live(seed, life, disk, arrivals);
      const state = disk.states.get("in");
      const committed = state === undefined ? 0 : Number(decoder.decode(state));
      assertEnded(disk, arrivals, committed);
    }
    assert.match(outcome?.status ?? "", /^(completed|partial)$/, JSON.stringify(outcome));
    assert.equal(outcome?.counts.inFlight, 0);
    assert.equal(Number(decoder.decode(disk.states.get("in"))), VALUES);
    assert.equal(outcome?.counts.checkpoint, outcome?.counts.frontier);
    assertEnded(disk, arrivals, VALUES);
  });
}

/** Every value that the source was told is committed has arrived at each sink, or is a dead letter on its way there. */
function assertEnded(disk: MemoryDisk, arrivals: ReadonlyMap<string, Arrivals>, committed: number): void {
  const letters = new Map<string, Set<number>>();
  for (const { node, bytes } of disk.letters.values()) {
    const values = letters.get(node) ?? new Set();
    letters.set(node, values.add(JSON.parse(decoder.decode(bytes)).n));
  }
  for (const [sink, { values }] of arrivals) {
    for (let n = 0; n < committed; n++) {
      const isDead = [sink, "t", "u"].some((node) => letters.get(node)?.has(n));
      assert.ok(values.has(n) || isDead, `value ${n} is committed and never reached ${sink}`);
    }
  }
}
