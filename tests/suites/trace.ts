/** Owns what a run of the fault scenario leaves behind, and the eight promises as questions to it. */

import assert from "node:assert/strict";

/** One thing that happened, in the order it happened, over all runs of one scenario. */
export type TraceEvent =
  | { readonly e: "start"; readonly checkpoint: number; readonly lastSeq: number }
  /** Appended and durable. */
  | { readonly e: "durable"; readonly first: number; readonly count: number }
  | { readonly e: "checkpoint"; readonly seq: number }
  /** The source's state: how many of its values are committed. */
  | { readonly e: "state"; readonly value: number }
  | { readonly e: "letter"; readonly seq: number; readonly node: string }
  /** A node was given a message. */
  | { readonly e: "seen"; readonly node: string; readonly seq: number; readonly id: string; readonly n: number }
  /** A sink has written a message. */
  | { readonly e: "wrote"; readonly node: string; readonly seq: number; readonly n: number; readonly value: unknown }
  | { readonly e: "ended"; readonly status: string };

/** Values of the scenario whose message fails for good at sink `b`. */
export function isPoison(n: number): boolean {
  return n % 10 === 3;
}

/** The trace of one scenario, restarts included. */
export class Trace {
  readonly events: TraceEvent[];

  constructor(events: TraceEvent[] = []) {
    this.events = events;
  }

  record(event: TraceEvent): void {
    this.events.push(event);
  }

  /** How often the scenario was started. */
  get starts(): number {
    return this.events.filter((event) => event.e === "start").length;
  }

  /** No node saw a message before it was durable. */
  checkSpoolBeforeVisible(): void {
    const durable = new Set<number>();
    for (const event of this.events) {
      if (event.e === "durable") { for (let i = 0; i < event.count; i++) durable.add(event.first + i); }
      if (event.e === "seen") assert.ok(durable.has(event.seq), `${event.node} saw ${event.seq} before it was durable`);
    }
  }

  /** The durable checkpoint crossed only messages whose every required branch had ended. */
  checkCheckpoints(): void {
    const durable = new Set<number>();
    const ended = new Ends();
    for (const event of this.events) {
      ended.take(event);
      if (event.e === "durable") { for (let i = 0; i < event.count; i++) durable.add(event.first + i); }
      if (event.e !== "checkpoint") continue;
      for (const seq of durable) {
        if (seq <= event.seq) assert.ok(ended.complete(seq), `checkpoint ${event.seq} crossed uncommitted ${seq}`);
      }
    }
  }

  /** What the last run replayed contains everything that was durable and uncommitted when it began. */
  checkReplay(): void {
    const last = this.events.findLastIndex((event) => event.e === "start");
    const before = new Ends();
    const durable = new Set<number>();
    for (const event of this.events.slice(0, last)) {
      before.take(event);
      if (event.e === "durable") { for (let i = 0; i < event.count; i++) durable.add(event.first + i); }
    }
    const seen = new Set(this.events.slice(last).flatMap((event) => event.e === "seen" ? [event.seq] : []));
    for (const seq of durable) {
      if (!before.complete(seq)) assert.ok(seen.has(seq), `${seq} was uncommitted and not replayed`);
    }
  }

  /** No poison message was committed without its dead letter. */
  checkDeadLetters(): void {
    this.checkCheckpoints();
    const letters = new Set(this.events.flatMap((event) => event.e === "letter" ? [event.seq] : []));
    for (const event of this.events) {
      if (event.e === "wrote" && event.node === "a" && isPoison(event.n) && this.#isCommitted(event.seq)) {
        assert.ok(letters.has(event.seq), `poison ${event.seq} was committed without a dead letter`);
      }
    }
  }

  /** Every value arrived at sink `a`, although the optional sink beside it never took one. */
  checkOptionalIsolates(count: number): void {
    const arrived = new Set(this.events.flatMap((event) => event.e === "wrote" && event.node === "a" ? [event.n] : []));
    assert.equal(this.events.some((event) => event.e === "wrote" && event.node === "optional"), false);
    for (let n = 0; n < count; n++) assert.ok(arrived.has(n), `value ${n} never arrived`);
  }

  /** However often a message was delivered, it had one identity. */
  checkIdentity(): void {
    const ids = new Map<number, string>();
    for (const event of this.events) {
      if (event.e !== "seen") continue;
      assert.equal(ids.get(event.seq) ?? event.id, event.id, `${event.seq} changed its identity`);
      ids.set(event.seq, event.id);
    }
  }

  /** The source's durable state never passed a value whose message was not committed. */
  checkWatermark(): void {
    const ended = new Ends();
    const seqs = new Map<number, number[]>();
    for (const event of this.events) {
      ended.take(event);
      if (event.e === "seen") seqs.set(event.n, [...seqs.get(event.n) ?? [], event.seq]);
      if (event.e !== "state") continue;
      for (let n = 0; n < event.value; n++) {
        const committed = (seqs.get(n) ?? []).some((seq) => ended.complete(seq));
        assert.ok(committed, `the state passed value ${n}, which was not committed`);
      }
    }
  }

  /** Sink `a` got the changed message, sink `b` the one that came in. */
  checkBranches(): void {
    for (const event of this.events) {
      if (event.e !== "wrote") continue;
      const { n } = event;
      assert.deepEqual(event.value, event.node === "a" ? { n, mark: `a${n}` } : { n });
    }
  }

  /** The last run completed, and nothing that was durable is open. */
  checkEnd(): void {
    const last = this.events.findLast((event) => event.e === "ended");
    // A restart that finds every dead letter written already has none of its own.
    assert.match(last?.e === "ended" ? last.status : "none", /^(partial|completed)$/);
    const ended = new Ends();
    for (const event of this.events) ended.take(event);
    for (const event of this.events) {
      if (event.e !== "durable") continue;
      for (let i = 0; i < event.count; i++) assert.ok(ended.complete(event.first + i), `${event.first + i} is open`);
    }
  }

  #isCommitted(seq: number): boolean {
    return this.events.some((event) => event.e === "checkpoint" && event.seq >= seq);
  }
}

/** Which required branches have ended: `a` by a write, `b` by a write or a dead letter. */
class Ends {
  readonly #a = new Set<number>();
  readonly #b = new Set<number>();

  take(event: TraceEvent): void {
    if (event.e === "wrote" && event.node === "a") this.#a.add(event.seq);
    if (event.e === "wrote" && event.node === "b") this.#b.add(event.seq);
    if (event.e === "letter" && event.node === "b") this.#b.add(event.seq);
  }

  complete(seq: number): boolean {
    return this.#a.has(seq) && this.#b.has(seq);
  }
}
