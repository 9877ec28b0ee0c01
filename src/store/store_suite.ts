/** Owns the behaviour that every store has, whatever keeps its data; a backend's test registers it. */

import assert from "node:assert/strict";
import type { StoreBackend } from "./backend.ts";
import { hostStore } from "./hosted_store.ts";
import type { Segment } from "../message/mod.ts";
import type { StoreClient } from "./client.ts";
import { FaultyBackend } from "./faulty_backend.ts";
import type { Fault } from "./faulty_backend.ts";
import { heavySegment, testColumns, testLetter, testSegment } from "./test_segments.ts";

/** A place where stores can be opened one after the other, with what the earlier ones left. */
export interface StorePlace extends Disposable {
  open(): StoreBackend;
}

type Check = (place: Place) => Promise<void>;

/** Registers the suite. `make` gives an empty place for each test. */
export function storeSuite(backend: string, make: () => StorePlace): void {
  for (const [behaviour, check] of Object.entries({ ...APPENDS, ...MARKS, ...LETTERS, ...FAULTS })) {
    Deno.test({
      name: `${backend}: ${behaviour}`,
      sanitizeOps: true,
      sanitizeResources: true,
      fn: async () => {
        using place = make();
        await check(new Place(place));
      },
    });
  }
}

/** Opens stores at a place and runs a body on each. */
class Place {
  readonly #place: StorePlace;

  constructor(place: StorePlace) {
    this.#place = place;
  }

  async store<T>(body: (store: StoreClient) => Promise<T>, faults: readonly Fault[] = []): Promise<T> {
    const store = await hostStore(new FaultyBackend(this.#place.open(), faults));
    try {
      return await body(store);
    } finally {
      await store.close();
    }
  }
}

async function kinds(appends: readonly ReturnType<StoreClient["append"]>[]): Promise<string[]> {
  const results = await Promise.all(appends);
  return results.map((result) => result.kind === "durable" ? "durable" : `${result.kind} ${result.error.code}`);
}

/** What a segment holds, in a form that compares by value, whatever kind of array a column is. */
function content(segment: Segment) {
  const columns = Object.fromEntries(
    Object.entries(segment.columns).map(([key, column]) => [key, Array.from(column)]),
  );
  return { ...segment, columns };
}

const APPENDS: Record<string, Check> = {
  "a new store begins at sequence 1": (place) =>
    place.store((store) => {
      const { checkpoint, lastSeq, nextSeq, sourceStates } = store.start;
      assert.deepEqual({ checkpoint, lastSeq, nextSeq, states: sourceStates.size }, {
        checkpoint: 0,
        lastSeq: 0,
        nextSeq: 1,
        states: 0,
      });
      return Promise.resolve();
    }),
  "a segment comes back as it was, in the same store and in the next": async (place) => {
    const segments = [
      testSegment(1, 7, { columns: testColumns(7), meta: { exact: 2n ** 60n, deep: [{ $bigint: "no tag" }] } }),
      testSegment(8, 1, { injectedAt: "split", gap: 1, codec: "raw", source: "split" }),
      testSegment(20, 2, { bytes: new Uint8Array(0), ends: Uint32Array.of(0, 0) }),
    ];
    const check = async (store: StoreClient) =>
      assert.deepEqual((await store.readSegments(0, 1e9)).map(content), segments.map(content));
    await place.store(async (store) => {
      assert.deepEqual(await kinds(segments.map((one) => store.append(one))), ["durable", "durable", "durable"]);
      await check(store);
    });
    await place.store(async (store) => {
      assert.equal(store.start.lastSeq, 21);
      assert.equal(store.start.nextSeq, 22);
      await check(store);
    });
  },
  "the caller may go on using the segment's buffers": (place) =>
    place.store(async (store) => {
      const segment = testSegment(1, 3);
      const before = content(structuredClone(segment));
      const appended = store.append(segment);
      segment.bytes.fill(0);
      segment.ends.fill(0);
      segment.idBase.fill(0);
      assert.deepEqual(await appended, { kind: "durable" });
      assert.deepEqual((await store.readSegments(0, 1e9)).map(content), [before]);
      assert.equal(segment.bytes.length, 27);
    }),
  "a segment that overlaps what is stored is refused and changes nothing": (place) =>
    place.store(async (store) => {
      assert.deepEqual(await kinds([store.append(testSegment(1, 10))]), ["durable"]);
      for (const [first, count] of [[1, 10], [10, 1], [5, 20]] as const) {
        assert.deepEqual(await kinds([store.append(testSegment(first, count))]), ["refused store_write"]);
      }
      assert.deepEqual(await kinds([store.append(testSegment(11, 1))]), ["durable"]);
      assert.deepEqual((await store.readSegments(0, 1e9)).map((one) => one.first), [1, 11]);
    }),
  "reading begins with the segment that holds the first wanted message and stops at the byte limit": (place) =>
    place.store(async (store) => {
      await kinds([1, 11, 21, 31].map((first) => store.append(heavySegment(first, 10, 1_000))));
      const firsts = async (after: number, bytes: number) =>
        (await store.readSegments(after, bytes)).map((one) => one.first);
      assert.deepEqual(await firsts(0, 1e9), [1, 11, 21, 31]);
      assert.deepEqual(await firsts(10, 1e9), [11, 21, 31]);
      assert.deepEqual(await firsts(15, 1e9), [11, 21, 31]);
      assert.deepEqual(await firsts(0, 0), [1]);
      assert.deepEqual(await firsts(0, 999), [1]);
      assert.deepEqual(await firsts(0, 1_500), [1, 11]);
      assert.deepEqual(await firsts(40, 1e9), []);
    }),
  "a trim deletes whole segments and never lowers the next sequence": async (place) => {
    await place.store(async (store) => {
      await kinds([store.append(testSegment(1, 10)), store.append(testSegment(11, 10))]);
      await store.setCheckpoint(20);
      await store.trim(15);
      assert.deepEqual((await store.readSegments(0, 1e9)).map((one) => one.first), [11]);
      await store.trim(20);
      assert.deepEqual(await store.readSegments(0, 1e9), []);
    });
    await place.store((store) => {
      assert.deepEqual([store.start.checkpoint, store.start.lastSeq, store.start.nextSeq], [20, 0, 21]);
      return Promise.resolve();
    });
  },
  "the statistics count what is there": (place) =>
    place.store(async (store) => {
      await kinds([store.append(heavySegment(1, 10, 1_000)), store.append(heavySegment(11, 10, 500))]);
      await store.setCheckpoint(4);
      await store.setSourceState("in", 1, Uint8Array.of(1));
      await store.writeDeadLetters([testLetter(2)]);
      const { schemaVersion: _version, fileBytes: _file, ...counts } = await store.stats();
      assert.deepEqual(counts, {
        checkpoint: 4,
        firstSeq: 1,
        lastSeq: 20,
        segments: 2,
        messages: 20,
        bytes: 1_500,
        uncommitted: 16,
        deadLetters: 1,
        sourceStates: 1,
      });
    }),
};

const MARKS: Record<string, Check> = {
  "the checkpoint is durable and never goes back": async (place) => {
    await place.store(async (store) => {
      await Promise.all([store.setCheckpoint(7), store.setCheckpoint(5)]);
      await store.setCheckpoint(3);
      assert.equal((await store.stats()).checkpoint, 7);
    });
    await place.store(async (store) => {
      assert.equal(store.start.checkpoint, 7);
      await store.setCheckpoint(6);
      assert.equal((await store.stats()).checkpoint, 7);
    });
  },
  "of several states of a source the one of the highest number is kept": async (place) => {
    const states = async () => {
      const start = await place.store((store) => Promise.resolve(store.start));
      return Object.fromEntries([...start.sourceStates].map(([source, state]) => [source, [...state]]));
    };
    await place.store(async (store) => {
      const late = Uint8Array.of(9);
      const saved = store.setSourceState("a", 9, late);
      late.fill(0);
      await Promise.all([
        saved,
        store.setSourceState("a", 4, Uint8Array.of(4)),
        store.setSourceState("b", 1, new Uint8Array()),
      ]);
      await store.setSourceState("a", 8, Uint8Array.of(8));
    });
    assert.deepEqual(await states(), { a: [9], b: [] });
    // The numbers begin anew with every engine.
    await place.store((store) => store.setSourceState("a", 1, Uint8Array.of(1)));
    assert.deepEqual(await states(), { a: [1], b: [] });
  },
};

const LETTERS: Record<string, Check> = {
  "a dead letter comes back as it was; written again it replaces itself": async (place) => {
    const full = testLetter(5, {
      original: Uint8Array.of(1, 2),
      backtrace: "line 1",
      runId: "r",
      branch: "0.1",
      edge: "",
    });
    await place.store(async (store) => {
      await store.writeDeadLetters([testLetter(5), full]);
      await store.writeDeadLetters([testLetter(5, { reason: "the server said 500", attempts: 6 })]);
    });
    await place.store(async (store) => {
      const letters = await store.readDeadLetters({ limit: 10 });
      const bare = letters.map(({ id: _, ...letter }) => letter);
      assert.deepEqual(bare, [testLetter(5, { reason: "the server said 500", attempts: 6 }), full]);
      assert.deepEqual(letters.map(({ id }) => id), [1, 2]);
    });
  },
  "dead letters are chosen by id, time, run and number, and deleted by id": (place) =>
    place.store(async (store) => {
      await store.writeDeadLetters([1, 2, 3, 4, 5].map((seq) => testLetter(seq, seq === 4 ? { runId: "r" } : {})));
      const seqs = async (query: Parameters<StoreClient["readDeadLetters"]>[0]) =>
        (await store.readDeadLetters(query)).map((letter) => letter.seq);
      assert.deepEqual(await seqs({ limit: 2 }), [1, 2]);
      assert.deepEqual(await seqs({ limit: 9, afterId: 3 }), [4, 5]);
      assert.deepEqual(await seqs({ limit: 9, sinceMs: 1_003 }), [3, 4, 5]);
      assert.deepEqual(await seqs({ limit: 9, runId: "r" }), [4]);
      assert.deepEqual(await seqs({ limit: 9, ids: [5, 1, 77] }), [1, 5]);
      assert.deepEqual(await seqs({ limit: 9, ids: [] }), []);
      assert.equal(await store.deleteDeadLetters([1, 5, 77]), 2);
      assert.deepEqual(await seqs({ limit: 9 }), [2, 3, 4]);
      await store.writeDeadLetters([testLetter(1)]);
      assert.deepEqual((await store.readDeadLetters({ limit: 9, afterId: 5 })).map(({ id }) => id), [6]);
    }),
  "dead letters are chosen by node and class, and read without their messages": (place) =>
    place.store(async (store) => {
      const original = Uint8Array.of(1);
      await store.writeDeadLetters([1, 2, 3, 4].map((seq) => testLetter(seq, { original, node: seq > 2 ? "b" : "a" })));
      await store.writeDeadLetters([testLetter(5, { node: "b", class: "decode" })]);
      const chosen = await store.readDeadLetters({ limit: 9, node: "b", class: "delivery", content: false });
      assert.deepEqual(chosen.map(({ seq }) => seq), [3, 4]);
      assert.deepEqual(chosen.map(({ bytes, original }) => [bytes.length, original]), [[0, undefined], [0, undefined]]);
      assert.equal(chosen[0]?.reason, testLetter(3).reason);
    }),
  "a replay that fails takes the letter's record over; what else fails of it has its own": (place) =>
    place.store(async (store) => {
      const original = Uint8Array.of(7);
      await store.writeDeadLetters([testLetter(1), testLetter(2, { original, runId: "r", attempts: 4 })]);
      const again = testLetter(20, { replayOf: 2, reason: "still 400", attempts: 2 });
      const beside = testLetter(20, { replayOf: 2, node: "other", attempts: 1 });
      const rows = async () => {
        const letters = await store.readDeadLetters({ limit: 9 });
        return letters.map(({ id, seq, node, attempts, runId, reason }) => [id, seq, node, attempts, runId, reason]);
      };
      const first = [1, 1, "out", 3, undefined, "the server said 400"];
      const taken = [2, 20, "out", 6, "r", "still 400"];
      const second = [3, 20, "other", 1, undefined, "the server said 400"];
      // Written again after a crash they stay the same two records.
      for (let round = 0; round < 2; round++) {
        await store.writeDeadLetters([again, beside]);
        assert.deepEqual(await rows(), [first, taken, second]);
      }
      assert.deepEqual((await store.readDeadLetters({ limit: 1, ids: [2] }))[0]?.original, original);
      await store.deleteDeadLetters([2]);
      await store.writeDeadLetters([testLetter(30, { replayOf: 2, attempts: 5 })]);
      const last = (await store.readDeadLetters({ limit: 9, afterId: 3 })).map(({ seq, attempts }) => [seq, attempts]);
      assert.deepEqual(last, [[30, 5]]);
      assert.deepEqual((await rows()).slice(0, 2), [first, second]);
    }),
  "letters that failed again since they were read are not discarded": (place) =>
    place.store(async (store) => {
      await store.writeDeadLetters([1, 2, 3].map((seq) => testLetter(seq)));
      const read = await store.readDeadLetters({ limit: 9 });
      await store.writeDeadLetters([testLetter(20, { replayOf: 2 })]);
      assert.equal(await store.discardDeadLetters(read), 2);
      assert.deepEqual((await store.readDeadLetters({ limit: 9 })).map(({ id, seq }) => [id, seq]), [[2, 20]]);
      assert.equal(await store.discardDeadLetters(read), 0);
    }),
  "a sweep deletes old dead letters, at most as many as told": (place) =>
    place.store(async (store) => {
      await store.writeDeadLetters([1, 2, 3, 4].map((seq) => testLetter(seq)));
      assert.equal(await store.sweepDeadLetters(1_004, 2), 2);
      assert.equal(await store.sweepDeadLetters(1_004, 2), 1);
      assert.equal(await store.sweepDeadLetters(1_004, 2), 0);
      assert.deepEqual((await store.readDeadLetters({ limit: 9 })).map(({ seq }) => seq), [4]);
    }),
};

const FAULTS: Record<string, Check> = {
  "a failed group takes along what is behind it, and its sequences are void": async (place) => {
    await place.store(async (store) => {
      // A full group each, so that several are under way.
      const appends = [1, 2001, 4001, 6001, 8001, 10001].map((first) => store.append(heavySegment(first, 2000, 4000)));
      const refused = "refused store_write";
      assert.deepEqual(await kinds(appends), ["durable", refused, refused, refused, refused, refused]);
      await store.setCheckpoint(1);
    }, [{ operation: "append", nth: 2, kind: "refused" }]);
    await place.store(async (store) => {
      assert.deepEqual([store.start.lastSeq, store.start.nextSeq], [2000, 12001]);
      assert.deepEqual(await kinds([store.append(testSegment(12001))]), ["durable"]);
    });
  },
  "marks that ride a refused group are written without it": async (place) => {
    await place.store(async (store) => {
      const [append] = [store.append(testSegment(1)), store.setCheckpoint(9)];
      assert.deepEqual(await kinds([append]), ["refused store_full"]);
      assert.equal((await store.stats()).checkpoint, 9);
      assert.deepEqual(await kinds([store.append(testSegment(10))]), ["durable"]);
    }, [{ operation: "append", nth: 1, kind: "full" }]);
  },
  "a mark that cannot be written fails its callers, not the next": async (place) => {
    await place.store(async (store) => {
      await assert.rejects(store.setCheckpoint(9), { code: "store_write" });
      await assert.rejects(store.setSourceState("a", 1, Uint8Array.of(1)), { code: "store_write" });
      await Promise.all([store.setCheckpoint(8), store.setSourceState("a", 1, Uint8Array.of(2))]);
      assert.equal((await store.stats()).checkpoint, 8);
    }, [{ operation: "marks", nth: 1, times: 2, kind: "refused" }]);
  },
  "an unknown append stops every later write, and the restart decides": async (place) => {
    for (const [kind, lastSeq] of [["unknown_lost", 1], ["unknown_kept", 2]] as const) {
      await place.store(async (store) => {
        if (store.start.lastSeq === 0) await store.append(testSegment(1));
        assert.deepEqual(await kinds([store.append(testSegment(2))]), ["unknown store_unknown"]);
        assert.deepEqual(await kinds([store.append(testSegment(3))]), ["refused store_unknown"]);
        await assert.rejects(store.setCheckpoint(1), { code: "store_unknown" });
        await assert.rejects(store.writeDeadLetters([testLetter(1)]), { code: "store_unknown" });
      }, [{ operation: "append", nth: lastSeq === 1 ? 2 : 1, kind }]);
      await place.store((store) => Promise.resolve(assert.equal(store.start.lastSeq, lastSeq)));
    }
  },
  "after an unknown trim the next append is told that the engine must end": async (place) => {
    await place.store(async (store) => {
      await assert.rejects(store.trim(1), { code: "store_unknown" });
      assert.deepEqual(await kinds([store.append(testSegment(1))]), ["unknown store_unknown"]);
      assert.deepEqual(await store.readSegments(0, 1), []);
    }, [{ operation: "trim", nth: 1, kind: "unknown_lost" }]);
  },
  "a failed trim, sweep or read blocks nothing": async (place) => {
    const faults = ([
      "trim",
      "sweepDeadLetters",
      "readSegments",
      "readDeadLetters",
      "deleteDeadLetters",
      "discardDeadLetters",
      "stats",
    ] as const).map((operation): Fault => ({ operation, nth: 1, kind: "refused" }));
    await place.store(async (store) => {
      const calls = [
        () => store.trim(1),
        () => store.sweepDeadLetters(1, 1),
        () => store.readSegments(0, 1),
        () => store.readDeadLetters({ limit: 1 }),
        () => store.deleteDeadLetters([1]),
        () => store.discardDeadLetters([{ id: 1, seq: 1 }]),
        () => store.stats(),
      ];
      for (const call of calls) {
        await assert.rejects(call(), { code: "store_write" });
        await call();
      }
      assert.deepEqual(await kinds([store.append(testSegment(1))]), ["durable"]);
    }, faults);
  },
  "dead letters that fail with others are tried by themselves": async (place) => {
    await place.store(async (store) => {
      const [first, second] = [store.writeDeadLetters([testLetter(1)]), store.writeDeadLetters([testLetter(2)])];
      await assert.rejects(first, { code: "store_write" });
      await second;
      assert.deepEqual((await store.readDeadLetters({ limit: 9 })).map(({ seq }) => seq), [2]);
    }, [{ operation: "writeDeadLetters", nth: 1, times: 2, kind: "refused" }]);
  },
};
