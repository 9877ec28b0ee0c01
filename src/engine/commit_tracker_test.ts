import assert from "node:assert/strict";
import { CommitTracker } from "./commit_tracker.ts";

Deno.test("CommitTracker: the frontier crosses only a contiguous closed prefix", () => {
  const tracker = new CommitTracker(16, 0);
  tracker.assign(1, 3);
  tracker.arrive(1, 3);
  tracker.done(2);
  assert.equal(tracker.advance(), undefined);
  tracker.done(1);
  assert.deepEqual(tracker.advance(), { from: 0, to: 2 });
  assert.equal(tracker.outstanding, 1);
});

Deno.test("CommitTracker: a sequence that is given but not registered is a hole", () => {
  const tracker = new CommitTracker(16, 0);
  tracker.assign(1, 1);
  tracker.assign(2, 1);
  tracker.arrive(2, 1);
  tracker.done(2);
  assert.equal(tracker.advance(), undefined);
  tracker.void(1, 1);
  assert.deepEqual(tracker.advance(), { from: 0, to: 2 });
});

Deno.test("CommitTracker: a message ends with the last of its branches", () => {
  const tracker = new CommitTracker(16, 0);
  tracker.assign(1, 1);
  tracker.arrive(1, 1);
  tracker.branch(1, 2);
  assert.deepEqual([tracker.done(1), tracker.done(1), tracker.done(1)], [false, false, true]);
});

Deno.test("CommitTracker: late completions name a full sequence and are ignored", () => {
  const tracker = new CommitTracker(4, 0);
  tracker.assign(1, 1);
  tracker.arrive(1, 1);
  tracker.done(1);
  tracker.advance();
  tracker.assign(5, 1); // Shares its place in the ring with 1.
  tracker.arrive(5, 1);
  assert.equal(tracker.done(1), false);
  assert.equal(tracker.outstanding, 1);
  assert.equal(tracker.done(5), true);
  assert.equal(tracker.done(5), false);
});

Deno.test("CommitTracker: a restart begins at the checkpoint, and numbers skipped there are crossed", () => {
  const tracker = new CommitTracker(8, 1_000_000);
  tracker.assign(2_000_000, 2);
  tracker.arrive(2_000_000, 2);
  tracker.done(2_000_000);
  assert.deepEqual(tracker.advance(), { from: 1_999_999, to: 2_000_000 });
});

Deno.test("CommitTracker: numbers skipped while something is open widen the window, and nothing open is lost", () => {
  const tracker = new CommitTracker(4, 0);
  tracker.assign(1, 2);
  tracker.arrive(1, 2);
  tracker.branch(2, 1);
  tracker.assign(1_000, 4);
  tracker.arrive(1_000, 4);
  for (let seq = 1_000; seq < 1_004; seq++) tracker.done(seq);
  assert.equal(tracker.advance(), undefined);
  tracker.done(1);
  assert.deepEqual(tracker.advance(), { from: 0, to: 1 });
  assert.deepEqual([tracker.done(2), tracker.done(2)], [false, true]);
  assert.deepEqual(tracker.advance(), { from: 1, to: 1_003 });
  assert.equal(tracker.settled, true);
});

Deno.test("CommitTracker: counts to the last number there is", () => {
  const last = Number.MAX_SAFE_INTEGER;
  const tracker = new CommitTracker(64, last - 40);
  tracker.assign(last - 39, 40);
  tracker.arrive(last - 39, 40);
  for (let seq = last; seq > last - 40; seq--) assert.equal(tracker.done(seq), true);
  assert.deepEqual(tracker.advance(), { from: last - 40, to: last });
});

Deno.test("CommitTracker: refuses numbers that were given and more than its window holds", () => {
  const tracker = new CommitTracker(4, 0);
  tracker.assign(1, 2);
  assert.throws(() => tracker.assign(2, 1), RangeError);
  assert.throws(() => tracker.assign(3, 3), RangeError);
});

/** A small generator, so that a failure can be run again. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state % below;
  };
}

/** The tracker's plain twin: a map of open branches. */
class Model {
  readonly open = new Map<number, number | "hole">();
  frontier = 0;
  newest = 0;

  advance(): void {
    while (this.frontier < this.newest && !this.open.has(this.frontier + 1)) this.frontier++;
  }

  done(seq: number): void {
    const branches = this.open.get(seq);
    if (typeof branches !== "number") return;
    if (branches === 1) this.open.delete(seq);
    else this.open.set(seq, branches - 1);
  }
}

Deno.test("CommitTracker: agrees with a map of open branches over random histories", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = randomFrom(seed);
    const tracker = new CommitTracker(32, 0);
    const model = new Model();
    for (let step = 0; step < 300; step++) {
      const seq = model.frontier + random(40);
      switch (random(5)) {
        case 0: {
          const count = 1 + random(4);
          if (tracker.room < count) break;
          tracker.assign(model.newest + 1, count);
          for (let i = 0; i < count; i++) model.open.set(++model.newest, "hole");
          break;
        }
        case 1:
          if (model.open.get(seq) !== "hole") break;
          tracker.arrive(seq, 1);
          model.open.set(seq, 1);
          break;
        case 2:
          tracker.branch(seq, 1);
          if (typeof model.open.get(seq) === "number") model.open.set(seq, Number(model.open.get(seq)) + 1);
          break;
        default:
          tracker.done(seq);
          model.done(seq);
      }
      tracker.advance();
      model.advance();
      assert.equal(tracker.frontier, model.frontier, `seed ${seed}, step ${step}`);
    }
  }
});
