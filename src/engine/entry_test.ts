import assert from "node:assert/strict";
import { pack, single } from "../message/mod.ts";
import { type Codec, CodecError, type Source } from "../plugin/mod.ts";
import { type DeadLetter, openMemoryStore } from "../store/mod.ts";
import { plainJson, planFixture } from "../../tests/suites/plan_fixture.ts";
import { CollectingSink, ListSource } from "../../tests/suites/plugin_fixtures.ts";
import { Engine, type Outcome } from "./mod.ts";

const numbers = Array.from({ length: 1_200 }, (_, n) => ({ n }));

/** Runs the numbers through a decoder. */
async function decodeWith(codec: Codec, count = 4) {
  const sink = new CollectingSink();
  const store = await openMemoryStore();
  const nodes = {
    in: { source: new ListSource(numbers.slice(0, count), { batch: count }), codec: { name: "odd", codec } },
    out: { sink, from: ["in"] },
  };
  const plan = { ...planFixture({ nodes }), codecs: new Map([["odd", { name: "odd", codec }]]) };
  const outcome: Outcome = await new Engine(plan, store, {}).run(new AbortController().signal);
  const letters: readonly DeadLetter[] = await store.readDeadLetters({ limit: 10_000 });
  await store.close();
  return { outcome, letters, values: sink.values };
}

Deno.test("Entry: a codec that throws for many is asked for each, and only the culprits become dead letters", async () => {
  const { outcome, letters, values } = await decodeWith({
    ...plainJson,
    decode(bytes) {
      const value = plainJson.decode(bytes) as { n: number };
      if (value.n === 2) throw null;
      return value;
    },
    decodeMany() {
      throw new Error("not my day");
    },
  });
  assert.equal(outcome.status, "partial");
  assert.deepEqual(letters.map(({ seq, class: of }) => [seq, of]), [[3, "decode"]]);
  assert.deepEqual(values, [{ n: 0 }, { n: 1 }, { n: 3 }]);
});

Deno.test("Entry: a failure told for no message of the batch is nobody's, one without an error is a failure", async () => {
  const { outcome, letters } = await decodeWith({
    ...plainJson,
    decodeMany(_bytes, ends, _gap, payloads, failed) {
      for (let i = 0; i < ends.length; i++) payloads[i] = { n: i };
      failed(99, new CodecError("nobody"));
      failed(1, undefined as unknown as CodecError);
    },
  });
  assert.equal(outcome.counts.committed, 4);
  assert.equal(outcome.counts.decodeErrors, 1);
  assert.deepEqual(letters.map(({ seq }) => seq), [2]);
});

Deno.test("Entry: a large segment enters whole and in order, its failures by message", async () => {
  const { letters, values } = await decodeWith({
    ...plainJson,
    decodeMany(bytes, ends, gap, payloads, failed) {
      let start = 0;
      for (let i = 0; i < ends.length; i++) {
        const value = plainJson.decode(bytes.subarray(start, ends[i])) as { n: number };
        if (value.n % 500 === 7) failed(i, new CodecError("seven"));
        else payloads[i] = value;
        start = (ends[i] ?? 0) + gap;
      }
    },
  }, 1_200);
  assert.deepEqual(letters.map(({ seq }) => seq), [8, 508, 1008]);
  assert.deepEqual(values, numbers.filter(({ n }) => n % 500 !== 7));
});

Deno.test("Entry: what a codec finds to be no message ends as filtered, one by one and in a batch", async () => {
  const decode = (bytes: Uint8Array) => {
    const value = plainJson.decode(bytes) as { n: number };
    return value.n === 0 ? undefined : value;
  };
  for (
    const codec of [{ ...plainJson, decode }, {
      ...plainJson,
      decodeMany(_bytes: Uint8Array, ends: Uint32Array, _gap: number, payloads: unknown[]) {
        for (let i = 1; i < ends.length; i++) payloads[i] = { n: i };
      },
    }]
  ) {
    const { outcome, letters, values } = await decodeWith(codec);
    assert.deepEqual(values, [{ n: 1 }, { n: 2 }, { n: 3 }]);
    assert.equal(letters.length, 0);
    assert.equal(outcome.status, "completed");
    assert.equal(outcome.counts.committed, 4);
    assert.equal(outcome.counts.filtered, 1);
  }
});

Deno.test("Entry: a deletion is null to every codec, and no failure", async () => {
  const sink = new CollectingSink();
  const store = await openMemoryStore();
  const source: Source = {
    init() {},
    async run(emit) {
      const meta = { kafka_tombstone: true };
      await emit(pack([{ bytes: new Uint8Array(0), meta }, { bytes: new TextEncoder().encode("1") }], 1));
      await emit(single({ bytes: new Uint8Array(0), meta }, 3));
    },
    commit: () => undefined,
    close() {},
  };
  const plan = planFixture({ nodes: { in: { source }, out: { sink, from: ["in"] } } });
  const outcome = await new Engine(plan, store, {}).run(new AbortController().signal);
  await store.close();
  assert.deepEqual([outcome.status, outcome.counts.decodeErrors], ["completed", 0]);
  assert.deepEqual(sink.messages.map(({ payload }) => payload), [null, 1, null]);
});
