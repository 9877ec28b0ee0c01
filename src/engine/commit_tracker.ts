/** Owns the count of open branches per message and the frontier: how far everything is committed without a gap. */

/** A sequence that was given to a message which is not yet durable and registered: the frontier does not cross it. */
const HOLE = -1;
const CLOSED = 0;

/** What one advance of the frontier covered. */
export interface Advance {
  /** The frontier before. */
  readonly from: number;
  /** The frontier now. */
  readonly to: number;
}

/**
 * A ring over sequence numbers: element `seq & mask` holds how many branches of that message are open. All calls are
 * array operations; nothing is allocated per message. A call that names a sequence outside the window, or a message
 * that is closed already, is a late completion and is ignored.
 */
export class CommitTracker {
  readonly #windowMax: number;
  #open: Int32Array;
  #mask: number;
  #frontier: number;
  #newest: number;
  #outstanding = 0;

  /**
   * @param windowMax Most sequences the frontier and the newest one may be apart.
   * @param checkpoint Everything up to here is committed.
   */
  constructor(windowMax: number, checkpoint: number) {
    this.#windowMax = windowMax;
    this.#open = new Int32Array(ringSize(windowMax));
    this.#mask = this.#open.length - 1;
    this.#frontier = checkpoint;
    this.#newest = checkpoint;
  }

  /** Highest sequence up to which everything is committed. */
  get frontier(): number {
    return this.#frontier;
  }

  /** Highest sequence given so far. */
  get newest(): number {
    return this.#newest;
  }

  /** Messages that are registered and have an open branch. */
  get outstanding(): number {
    return this.#outstanding;
  }

  /** Whether nothing is open and no sequence waits to be registered. */
  get settled(): boolean {
    return this.#frontier === this.#newest;
  }

  /** How many more sequences fit the window. */
  get room(): number {
    return this.#open.length - (this.#newest - this.#frontier);
  }

  /**
   * Gives the sequences `[first, first + count)` out, as holes. Numbers skipped before `first` count as closed: they
   * belong to groups that failed, in this life or an earlier one. The caller has made sure of
   * {@linkcode CommitTracker.room} for what it gives out; for what is skipped the window grows.
   */
  assign(first: number, count: number): void {
    if (first <= this.#newest) {
      throw new RangeError(`cannot assign sequence ${first}: ${this.#newest} is given already`);
    }
    if (this.settled) this.#frontier = this.#newest = first - 1;
    if (first > this.#newest + 1) this.#grow(first - this.#frontier);
    if (first + count - 1 - this.#frontier > this.#open.length) {
      throw new RangeError(`cannot assign ${count} sequences from ${first}: the window holds ${this.#open.length}`);
    }
    for (let seq = this.#newest + 1; seq < first; seq++) this.#open[seq & this.#mask] = CLOSED;
    for (let seq = first; seq < first + count; seq++) this.#open[seq & this.#mask] = HOLE;
    this.#newest = first + count - 1;
  }

  /** Registers assigned messages, each with one open branch. */
  arrive(first: number, count: number): void {
    for (let seq = first; seq < first + count; seq++) this.#open[seq & this.#mask] = 1;
    this.#outstanding += count;
  }

  /** Closes assigned sequences that never became messages. */
  void(first: number, count: number): void {
    for (let seq = first; seq < first + count; seq++) this.#open[seq & this.#mask] = CLOSED;
  }

  /** Opens `extra` more branches of a message. */
  branch(seq: number, extra: number): void {
    const at = seq & this.#mask;
    const open = this.#open[at] ?? CLOSED;
    if (!this.#inWindow(seq) || open <= CLOSED) return;
    this.#open[at] = open + extra;
  }

  /** Closes one branch of a message; answers whether that was its last. */
  done(seq: number): boolean {
    const at = seq & this.#mask;
    const open = this.#open[at] ?? CLOSED;
    if (!this.#inWindow(seq) || open <= CLOSED) return false;
    this.#open[at] = open - 1;
    if (open !== 1) return false;
    this.#outstanding--;
    return true;
  }

  /** Moves the frontier over the contiguous closed prefix. Undefined when it did not move. */
  advance(): Advance | undefined {
    const from = this.#frontier;
    let to = from;
    while (to < this.#newest && this.#open[(to + 1) & this.#mask] === CLOSED) to++;
    if (to === from) return undefined;
    this.#frontier = to;
    return { from, to };
  }

  /** Makes the window as wide as ever beyond `skipped` numbers. */
  #grow(skipped: number): void {
    const size = ringSize(skipped + this.#windowMax);
    if (size <= this.#open.length) return;
    const open = new Int32Array(size);
    for (let seq = this.#frontier + 1; seq <= this.#newest; seq++) {
      open[seq & (size - 1)] = this.#open[seq & this.#mask]!; // Masked.
    }
    this.#open = open;
    this.#mask = size - 1;
  }

  #inWindow(seq: number): boolean {
    return seq > this.#frontier && seq <= this.#newest;
  }
}

/** The smallest power of two that holds so many places. */
function ringSize(places: number): number {
  let size = 1;
  while (size < places) size *= 2;
  return size;
}
