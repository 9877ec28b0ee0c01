import assert from "node:assert/strict";
import { SeenKeys } from "./seen_keys.ts";
import { PART_PLACES } from "./seen_part.ts";

const TTL_MS = 1000;

/** A memory with a clock, and the store it is kept in. */
class Bench {
  nowMs = 0;
  readonly stored = new Map<string, Uint8Array<ArrayBuffer>>();
  size: number;
  binding = 1;
  keys: SeenKeys;

  constructor(size = 10) {
    this.size = size;
    this.keys = this.#make();
  }

  #make(): SeenKeys {
    return new SeenKeys({ size: this.size, ttlMs: TTL_MS, binding: this.binding, now: () => this.nowMs });
  }

  first(key: string, seq: number, branch = ""): boolean {
    return this.keys.isFirst(key, { seq, branch });
  }

  /** Makes what has changed durable, and gives the names of the parts. */
  save(): string[] {
    const { mark, parts } = this.keys.changes();
    for (const [name, bytes] of parts) {
      if (bytes.length === 0) this.stored.delete(name);
      else this.stored.set(name, bytes);
    }
    this.keys.saved(mark);
    return [...parts.keys()];
  }

  restart(committedThrough: number): void {
    this.keys = this.#make();
    this.keys.restore(new Map(this.stored), committedThrough);
  }
}

Deno.test("SeenKeys: the first message of a key passes, also when it is asked about again", () => {
  const bench = new Bench();
  assert.deepEqual(
    [bench.first("a", 1), bench.first("a", 2), bench.first("b", 3), bench.first("a", 1)],
    [true, false, true, true],
  );
});

Deno.test("SeenKeys: of one message's branches one passes", () => {
  const bench = new Bench();
  assert.deepEqual(
    [bench.first("a", 1, "0"), bench.first("a", 1, "1"), bench.first("a", 1, "0")],
    [true, false, true],
  );
});

Deno.test("SeenKeys: forgets when the time is over, counted from the first message", () => {
  const bench = new Bench();
  bench.first("a", 1);
  bench.nowMs = TTL_MS - 1;
  assert.equal(bench.first("a", 2), false);
  bench.nowMs = TTL_MS;
  assert.equal(bench.first("a", 3), true);
  assert.equal(bench.keys.count, 1);
});

Deno.test("SeenKeys: beyond its size forgets the key that was first seen longest ago", () => {
  const bench = new Bench(3);
  for (const [i, key] of ["a", "b", "c", "a", "d"].entries()) bench.first(key, i + 1);
  assert.equal(bench.keys.count, 3);
  assert.deepEqual([bench.first("b", 6), bench.first("a", 7)], [false, true]);
});

Deno.test("SeenKeys: long keys, malformed keys and the empty key are told apart", () => {
  const bench = new Bench();
  const long = "k".repeat(100_000);
  const keys = ["", "\ufeff", long, `${long}!`, "\ud800", "\ud801", "\ufffd", `sha256:${"0".repeat(64)}`];
  for (const [i, key] of keys.entries()) assert.equal(bench.first(key, i + 1), true, JSON.stringify(key.slice(0, 9)));
  for (const [i, key] of keys.entries()) assert.equal(bench.first(key, i + 99), false, JSON.stringify(key.slice(0, 9)));
  bench.save();
  bench.restart(99);
  for (const [i, key] of keys.entries()) assert.equal(bench.first(key, i + 199), false);
});

Deno.test("SeenKeys: remembers across a restart what was committed, and nothing else", () => {
  const bench = new Bench();
  bench.first("a", 1);
  bench.first("b", 2);
  bench.first("c", 3);
  bench.save();
  bench.restart(2);
  // Another message came first this time: after a crash the order may be another one.
  assert.deepEqual([bench.first("a", 9), bench.first("c", 4), bench.first("c", 3)], [false, true, false]);
  assert.equal(bench.first("b", 2), true);
});

Deno.test("SeenKeys: what was not committed at one start is not taken for committed at the next", () => {
  const bench = new Bench();
  bench.first("a", 1);
  bench.first("b", 2);
  bench.save();
  bench.restart(1);
  // Message 2 is another one in this life, for whatever reason, and its key never came.
  assert.deepEqual(bench.save(), ["0"]);
  bench.restart(50);
  assert.equal(bench.first("b", 60), true);
  assert.equal(bench.first("a", 61), false);
});

Deno.test("SeenKeys: a restart that finds all committed writes nothing", () => {
  const bench = new Bench(1000);
  for (let n = 1; n <= 700; n++) bench.first(`k${n}`, n);
  assert.equal(bench.save().length, Math.ceil(700 / PART_PLACES));
  bench.restart(700);
  assert.deepEqual(bench.save(), []);
  assert.equal(bench.keys.count, 700);
  bench.first("one more", 701);
  assert.deepEqual(bench.save(), [String(Math.floor(700 / PART_PLACES))]);
});

Deno.test("SeenKeys: where one comes again the parts behind it are written anew, since their keys move up", () => {
  const bench = new Bench(1000);
  for (let n = 1; n <= 300; n++) bench.first(`k${n}`, n === 200 ? 999 : n);
  bench.save();
  bench.restart(300);
  assert.deepEqual(bench.save(), ["1", "2"]);
  bench.restart(300);
  assert.deepEqual(bench.save(), []);
  assert.equal(bench.keys.count, 299);
});

Deno.test("SeenKeys: one more key costs one part, however many there are", () => {
  const bench = new Bench(100_000);
  for (let n = 1; n <= 120_000; n++) bench.first(`0198a3c1-7b1f-7c3e-8a9b-${n.toString(16).padStart(12, "0")}`, n);
  bench.save();
  bench.first("one more", 120_001);
  const { parts } = bench.keys.changes();
  assert.equal(parts.size, 1);
  assert.ok([...parts.values()].every((bytes) => bytes.length < 16_384));
  const total = [...bench.stored.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  assert.ok(total < 100_000 * 64, `${total} bytes`);
});

Deno.test("SeenKeys: a write that failed is written again, with what has come since", () => {
  const bench = new Bench(1000);
  bench.first("a", 1);
  const { mark } = bench.keys.changes();
  bench.first("b", 2);
  const later = bench.keys.changes();
  assert.deepEqual([...later.parts.keys()], ["0"]);
  bench.keys.saved(mark);
  assert.deepEqual([...bench.keys.changes().parts.keys()], ["0"]);
  bench.keys.saved(later.mark);
  assert.equal(bench.keys.changes().parts.size, 0);
});

for (const [before, after] of [[1000, 200], [200, 1000], [1000, 1], [1, 1000]] as const) {
  Deno.test(`SeenKeys: a window of ${before} that becomes ${after} keeps the latest keys`, () => {
    const bench = new Bench(before);
    const last = 1500;
    for (let n = 1; n <= last; n++) bench.first(`k${n}`, n);
    bench.save();
    bench.size = after;
    bench.restart(last);
    const kept = Math.min(before, after);
    assert.equal(bench.keys.count, kept);
    bench.save();
    bench.restart(last);
    assert.equal(bench.keys.count, kept);
    assert.equal(bench.first(`k${last - kept + 1}`, 2000), false);
    assert.equal(bench.first(`k${last - kept}`, 2001), true);
    assert.equal(bench.stored.size, new Set([...bench.stored.keys()]).size);
    assert.ok(bench.stored.size <= Math.ceil(after / PART_PLACES) + 1);
  });
}

Deno.test("SeenKeys: keys of another expression are forgotten, and so is what is no part", () => {
  const bench = new Bench();
  bench.first("a", 1);
  bench.save();
  bench.stored.set("7", Uint8Array.of(1, 2, 3));
  bench.binding = 2;
  bench.restart(1);
  assert.equal(bench.first("a", 2), true);
  bench.save();
  assert.deepEqual([...bench.stored.keys()], ["0"]);
  bench.restart(2);
  assert.equal(bench.first("a", 3), false);
});

Deno.test("SeenKeys: damaged bytes never make it fail", () => {
  const bench = new Bench(1000);
  for (let n = 1; n <= 300; n++) bench.first(`k${n}`, n);
  bench.save();
  const whole = bench.stored.get("1") ?? assert.fail();
  for (let at = 0; at < whole.length; at += 7) {
    for (const bytes of [whole.slice(0, at), whole.with(at, whole[at]! ^ 0xff)]) {
      bench.stored.set("1", new Uint8Array(bytes));
      bench.restart(300);
      assert.equal(bench.first("k1", 301), false);
    }
  }
});
