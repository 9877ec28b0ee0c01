/** A random walk of writes, rotations of both kinds, looks and restarts: nothing is lost, nothing committed comes again. */

import assert from "node:assert/strict";
import { SourceTrial, TrialFolder } from "./source_trial.ts";

const BLOCK = { path: "app*.log" };
const STEPS = 60;
/** The walks that once found something, and some others. */
const SEEDS = [105, 112, ...Array.from({ length: 8 }, (_, i) => i + 1)];

/** Numbers in [0, 1), the same for the same seed. */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

class Walk implements AsyncDisposable {
  readonly folder = new TrialFolder();
  readonly arrived = new Set<number>();
  /** Numbers of lines that came although they were committed. */
  readonly repeated: number[] = [];
  written = 0;
  readonly #committed = new Set<number>();
  readonly #draw: () => number;
  #trial: SourceTrial;
  #seen = 0;
  #files = 0;

  constructor(seed: number) {
    this.#draw = draws(seed);
    this.folder.write("app.log", "");
    this.#trial = new SourceTrial(this.folder.path, BLOCK);
  }

  async step(): Promise<void> {
    const choice = this.#draw();
    if (choice < 0.45) return this.#append();
    if (choice < 0.65) return this.#rotate(choice < 0.55);
    if (choice < 0.9) await this.#trial.poll();
    else await this.#restart();
    this.#take();
  }

  async end(): Promise<void> {
    // Longer than a file is held back that looks like a copy.
    await this.#trial.pass(3000);
    this.#take();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#trial[Symbol.asyncDispose]();
    this.folder[Symbol.dispose]();
  }

  #append(): void {
    const count = 1 + Math.floor(this.#draw() * 8);
    let text = "";
    for (let i = 0; i < count; i++) text += `${++this.written} ${"x".repeat(Math.floor(this.#draw() * 200))}\n`;
    this.folder.append("app.log", text);
  }

  #rotate(byRename: boolean): void {
    for (let i = this.#files; i >= 1; i--) this.folder.rename(`app.${i}.log`, `app.${i + 1}.log`);
    this.#files++;
    if (!byRename) return this.folder.copyTruncate("app.log", "app.1.log");
    this.folder.rename("app.log", "app.1.log");
    this.folder.write("app.log", "");
  }

  async #restart(): Promise<void> {
    const { lastSrcSeq, arrivals } = this.#trial;
    const through = Math.min(lastSrcSeq, Math.floor(this.#draw() * 1.3 * lastSrcSeq));
    const state = await this.#trial.stop(through);
    this.#take();
    for (const { srcSeq, text } of arrivals) if (srcSeq <= through) this.#committed.add(Number.parseInt(text));
    this.#trial = new SourceTrial(this.folder.path, BLOCK, { state });
    this.#seen = 0;
    if (this.#draw() < 0.5) await this.#trial.idle();
  }

  #take(): void {
    for (const { text } of this.#trial.arrivals.slice(this.#seen)) {
      const number = Number.parseInt(text);
      if (this.#committed.has(number)) this.repeated.push(number);
      this.arrived.add(number);
    }
    this.#seen = this.#trial.arrivals.length;
  }
}

for (const seed of SEEDS) {
  Deno.test(`file source: walk ${seed} loses nothing and repeats nothing that was committed`, async () => {
    await using walk = new Walk(seed);
    for (let step = 0; step < STEPS; step++) await walk.step();
    await walk.end();
    assert.deepEqual(walk.repeated, []);
    assert.deepEqual(walk.arrived.size, walk.written);
  });
}
