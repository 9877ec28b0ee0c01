/** Owns the comparison of `SeenKeys` with a model: lists, looked through from one end to the other. */

import assert from "node:assert/strict";
import { SeenKeys } from "./seen_keys.ts";

const TTL_MS = 3000;
const SEEDS = 40;
const STEPS = 4000;
/** Messages on their way at once. */
const OVERTAKEN_MAX = 150;

/** Numbers that look random and are the same in every run. */
function drawing(seed: number): (below: number) => number {
  let state = seed * 2654435761 >>> 0;
  return (below) => {
    state = (Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ state >>> 13) >>> 0) % below;
  };
}

interface Seen {
  readonly key: string;
  readonly seq: number;
  readonly atMs: number;
}

/** What is to be remembered, by the words of the documentation. */
class Model {
  readonly #size: number;
  seen: Seen[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  isFirst(key: string, seq: number, nowMs: number): boolean {
    this.seen = this.seen.filter(({ atMs }) => atMs + TTL_MS > nowMs);
    const known = this.seen.find((each) => each.key === key);
    if (known !== undefined) return known.seq === seq;
    this.seen = [...this.seen, { key, seq, atMs: nowMs }].slice(-this.#size);
    return true;
  }

  /** After a crash: what was committed is remembered as far as it was when that was written down. */
  crash(saved: readonly Seen[], committed: number): void {
    this.seen = saved.filter(({ seq }) => seq <= committed);
  }
}

/** A pipeline of one transform: messages overtake each other, commit in any order, and come again after a crash. */
class Pipeline {
  readonly draw: (below: number) => number;
  readonly size: number;
  readonly model: Model;
  readonly keys: string[] = [""];
  readonly stored = new Map<string, Uint8Array<ArrayBuffer>>();
  seenKeys: SeenKeys;
  savedModel: readonly Seen[] = [];
  checkpoint = 0;
  /** Messages on their way to the transform, and the next one to set out. */
  waiting: number[] = [];
  next = 1;
  nowMs = 0;
  /** Messages that were let through and are through for good, by key. */
  readonly delivered = new Set<string>();

  constructor(seed: number) {
    this.draw = drawing(seed);
    this.size = [1, 50, 200, 700][this.draw(4)] ?? 1;
    this.model = new Model(this.size);
    this.seenKeys = this.#make();
  }

  #make(): SeenKeys {
    return new SeenKeys({ size: this.size, ttlMs: TTL_MS, binding: 1, now: () => this.nowMs });
  }

  step(): void {
    const kind = this.draw(1000);
    if (kind < 900) this.pass();
    else if (kind < 930) this.save(false);
    else if (kind < 940) this.save(true);
    else if (kind < 946) this.crash();
    else this.nowMs += this.draw(kind === 999 ? 2 * TTL_MS : 20);
  }

  pass(): void {
    for (const wanted = 1 + this.draw(OVERTAKEN_MAX); this.waiting.length < wanted;) this.waiting.push(this.next++);
    const [seq = 0] = this.waiting.splice(this.draw(this.waiting.length), 1);
    while (seq >= this.keys.length) this.keys.push(`key ${this.draw(2 * this.size + 3)}`);
    const key = this.keys[seq] ?? "";
    const passed = this.seenKeys.isFirst(key, { seq, branch: "" });
    assert.equal(passed, this.model.isFirst(key, seq, this.nowMs), `message ${seq}, ${key}`);
    if (passed) this.delivered.add(key);
  }

  /** A checkpoint somewhere in what went through; with it, in one transaction, what has changed. */
  save(fails: boolean): void {
    const { mark, parts } = this.seenKeys.changes();
    if (fails) return;
    for (const [name, bytes] of parts) this.stored.set(name, bytes);
    this.seenKeys.saved(mark);
    this.checkpoint += this.draw(Math.min(this.next, ...this.waiting) - this.checkpoint);
    this.savedModel = this.model.seen;
  }

  crash(): void {
    this.seenKeys = this.#make();
    this.seenKeys.restore(
      new Map([...this.stored].filter(([, bytes]) => bytes.length > 0)),
      this.checkpoint,
    );
    this.model.crash(this.savedModel, this.checkpoint);
    // What comes again may be another message by then: somebody has changed what is in front of the transform.
    this.keys.length = this.checkpoint + 1;
    this.waiting = [];
    this.next = this.checkpoint + 1;
  }
}

Deno.test("SeenKeys: lets pass and drops what a plain model does, through crashes, failed writes and time", () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const pipeline = new Pipeline(seed);
    try {
      for (let step = 0; step < STEPS; step++) pipeline.step();
    } catch (caught) {
      throw new Error(`seed ${seed}`, { cause: caught });
    }
    // No key is lost: of every key that came, a message was let through.
    const came = pipeline.keys.filter((_, seq) => seq > 0 && seq < pipeline.next && !pipeline.waiting.includes(seq));
    assert.deepEqual(new Set(came).difference(pipeline.delivered), new Set());
  }
});
