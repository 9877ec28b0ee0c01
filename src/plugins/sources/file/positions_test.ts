import assert from "node:assert/strict";
import { EMPTY_HEAD } from "./fingerprint.ts";
import { decodeState } from "./position_state.ts";
import { type Incarnation, type Place, Positions, START } from "./positions.ts";

function incarnation(key: string): Incarnation {
  return { key, birthMs: null, head: EMPTY_HEAD, forgotten: false };
}

function place(offset: number): Place {
  return { offset, inside: false, packedSize: 0, anchor: { at: offset, length: 1, hash: offset } };
}

/** Offsets by file of a state. */
function offsets(state: Uint8Array): Record<string, number> {
  return Object.fromEntries(decodeState(state).map(({ incarnation, place }) => [incarnation.key, place.offset]));
}

Deno.test("Positions: a state holds what is committed and nothing beyond", () => {
  const positions = new Positions(undefined);
  const [a, b] = [incarnation("a"), incarnation("b")];
  positions.pass(a, 1, Float64Array.of(0, 10, 20), START, place(30));
  positions.pass(b, 4, Float64Array.of(0, 5), START, place(9));
  positions.pass(a, 6, Float64Array.of(30), place(30), place(40));
  assert.deepEqual(offsets(positions.commit(1)), { a: 10 });
  assert.deepEqual(offsets(positions.commit(3)), { a: 30 });
  assert.deepEqual(offsets(positions.commit(4)), { a: 30, b: 5 });
  assert.deepEqual(offsets(positions.commit(6)), { a: 40, b: 9 });
});

Deno.test("Positions: a place within a batch is proven by the bytes in front of the batch", () => {
  const positions = new Positions(undefined);
  positions.pass(incarnation("a"), 1, Float64Array.of(100, 110), place(100), place(120));
  const [position] = decodeState(positions.commit(1));
  assert.deepEqual(position?.place, { ...place(110), anchor: place(100).anchor });
});

Deno.test("Positions: a mark counts once everything before it is committed", () => {
  const positions = new Positions(undefined);
  positions.mark(incarnation("z"), 1, place(7));
  positions.pass(incarnation("a"), 1, Float64Array.of(0, 10), START, place(20));
  positions.mark(incarnation("b"), 3, place(99));
  assert.deepEqual(offsets(positions.commit(1)), { z: 7, a: 10 });
  assert.deepEqual(offsets(positions.commit(2)), { z: 7, a: 20, b: 99 });
});

Deno.test("Positions: what was forgotten does not come back with a late commit", () => {
  const positions = new Positions(undefined);
  const a = incarnation("a");
  positions.pass(a, 1, Float64Array.of(0), START, place(10));
  positions.forget(a);
  assert.deepEqual(offsets(positions.commit(1)), {});
});

Deno.test("Positions: a new life of a file takes the place of the old one, in the order of the messages", () => {
  const positions = new Positions(undefined);
  const [old, young] = [incarnation("a"), incarnation("a")];
  positions.pass(old, 1, Float64Array.of(0), START, place(1000));
  positions.pass(young, 2, Float64Array.of(0), START, place(5));
  assert.deepEqual(offsets(positions.commit(1)), { a: 1000 });
  assert.deepEqual(offsets(positions.commit(2)), { a: 5 });
});

Deno.test("Positions: a state survives a life that finds none of its files", () => {
  const first = new Positions(undefined);
  first.pass(incarnation("a"), 1, Float64Array.of(0), START, place(10));
  const second = new Positions(first.commit(1));
  assert.equal(second.savedCount, 1);
  assert.deepEqual(offsets(second.commit(0)), { a: 10 });
  assert.deepEqual(second.takeSaved("a")?.place, place(10));
  assert.equal(second.takeSaved("a"), undefined);
});

Deno.test("Positions: remembers only so many files that are gone", () => {
  const positions = new Positions(undefined);
  for (let i = 0; i < 10_500; i++) {
    const gone = incarnation(`gone ${i}`);
    positions.pass(gone, i + 1, Float64Array.of(0), START, place(1));
    positions.commit(i + 1 === 10_500 ? i + 1 : 0);
    positions.remember({ incarnation: gone, place: place(1) });
  }
  assert.equal(positions.savedCount, 10_000);
  assert.equal(positions.takeSaved("gone 499"), undefined);
});
