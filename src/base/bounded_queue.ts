/** Owns the one kind of queue that stands between two tasks: bounded by weight, cancellable, closable. */

/** What a {@linkcode BoundedQueue} is made of. */
export interface BoundedQueueOptions<T> {
  /** The weight from which on a push waits; at least 1. */
  readonly capacity: number;
  /** What an item weighs, for instance how many messages a batch holds. Less than 1 counts as 1. Default: 1 each. */
  readonly weigh?: (item: T) => number;
}

interface Pusher<T> {
  readonly item: T;
  readonly weight: number;
  settle(entered: boolean): void;
}

interface Taker<T> {
  settle(item: T | undefined): void;
}

/** Ring places at the start; doubled whenever they are all taken. */
const RING_PLACES_MIN = 16;

/**
 * First in, first out. A push waits while the queue weighs `capacity` or more, so an item heavier than the capacity
 * still enters an emptier queue and no batch is too large to pass. Pushers are served in the order they came, takers
 * too. `tryPush` and `tryTake` allocate no promise: loops call them first and wait only when they answer no.
 */
export class BoundedQueue<T extends NonNullable<unknown>> {
  /** The weight from which on a push waits. */
  readonly capacity: number;
  readonly #weigh: (item: T) => number;
  readonly #pushers = new Set<Pusher<T>>();
  readonly #takers = new Set<Taker<T>>();
  #items: (T | undefined)[] = new Array(RING_PLACES_MIN).fill(undefined);
  #weights = new Float64Array(RING_PLACES_MIN);
  #head = 0;
  #length = 0;
  #weight = 0;
  #closed = false;

  constructor(options: BoundedQueueOptions<T>) {
    if (!(options.capacity >= 1)) {
      throw new RangeError(`Cannot make a queue: its capacity must be at least 1, not ${options.capacity}`);
    }
    this.capacity = options.capacity;
    this.#weigh = options.weigh ?? (() => 1);
  }

  /** Items that wait to be taken. */
  get length(): number {
    return this.#length;
  }

  /** What the waiting items weigh together. */
  get weight(): number {
    return this.#weight;
  }

  /** Whether {@linkcode BoundedQueue.close} was called; items may still be there to take. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Enters the item at once, or answers `false`: full or closed. Overtakes nobody: pushers wait only while it is full. */
  tryPush(item: T): boolean {
    if (this.#closed || this.#weight >= this.capacity) return false;
    this.#enter(item, this.#weightOf(item));
    return true;
  }

  /**
   * Enters the item as soon as there is room: `true`, or `false` when the queue was closed before it could enter.
   * Rejects with the signal's reason once that aborts; the item has not entered then.
   */
  push(item: T, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#closed) return Promise.resolve(false);
    if (this.tryPush(item)) return Promise.resolve(true);
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#pushers.delete(pusher);
        reject(signal?.reason);
      };
      const pusher: Pusher<T> = {
        item,
        weight: this.#weightOf(item),
        settle(entered) {
          signal?.removeEventListener("abort", stop);
          resolve(entered);
        },
      };
      this.#pushers.add(pusher);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /** The item that waits longest without taking it; `undefined` when none waits. */
  peek(): T | undefined {
    return this.#length === 0 ? undefined : this.#items[this.#head];
  }

  /** Takes the item that waits longest; `undefined` when none waits. */
  tryTake(): T | undefined {
    if (this.#length === 0) return undefined;
    const item = this.#leave();
    this.#admit();
    return item;
  }

  /**
   * Takes the item that waits longest, or the next that comes; `undefined` once the queue is closed and empty.
   * Rejects with the signal's reason once that aborts; nothing was taken then.
   */
  take(signal?: AbortSignal): Promise<T | undefined> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const item = this.tryTake();
    if (item !== undefined || this.#closed) return Promise.resolve(item);
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#takers.delete(taker);
        reject(signal?.reason);
      };
      const taker: Taker<T> = {
        settle(taken) {
          signal?.removeEventListener("abort", stop);
          resolve(taken);
        },
      };
      this.#takers.add(taker);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /** Takes all that waits, oldest first. Pushers that waited enter afterwards as far as there is room. */
  takeAll(): T[] {
    const all: T[] = [];
    while (this.#length > 0) all.push(this.#leave());
    this.#admit();
    return all;
  }

  /**
   * Ends the intake: pushers that still wait are answered `false`, what has entered can be taken, and takers get
   * `undefined` after it. Closing again does nothing.
   */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const pushers = [...this.#pushers];
    this.#pushers.clear();
    for (const pusher of pushers) pusher.settle(false);
    // Takers wait only while nothing is there to take.
    const takers = [...this.#takers];
    this.#takers.clear();
    for (const taker of takers) taker.settle(undefined);
  }

  #weightOf(item: T): number {
    const weight = this.#weigh(item);
    return weight >= 1 ? weight : 1;
  }

  /** Hands the item to the taker that waits longest, or places it at the end of the ring. */
  #enter(item: T, weight: number): void {
    for (const taker of this.#takers) {
      this.#takers.delete(taker);
      taker.settle(item);
      return;
    }
    if (this.#length === this.#items.length) this.#grow();
    const place = (this.#head + this.#length) % this.#items.length;
    this.#items[place] = item;
    this.#weights[place] = weight;
    this.#length++;
    this.#weight += weight;
  }

  #leave(): T {
    const item = this.#items[this.#head] as T; // Callers have seen that #length > 0, and every held place has an item.
    this.#items[this.#head] = undefined;
    this.#weight -= this.#weights[this.#head] ?? 0;
    this.#head = (this.#head + 1) % this.#items.length;
    this.#length--;
    return item;
  }

  /** Lets pushers that wait enter, oldest first, while there is room. */
  #admit(): void {
    for (const pusher of this.#pushers) {
      if (this.#weight >= this.capacity) return;
      this.#pushers.delete(pusher);
      this.#enter(pusher.item, pusher.weight);
      pusher.settle(true);
    }
  }

  #grow(): void {
    const places = this.#items.length;
    const items: (T | undefined)[] = new Array(places * 2).fill(undefined);
    const weights = new Float64Array(places * 2);
    for (let i = 0; i < places; i++) {
      items[i] = this.#items[(this.#head + i) % places];
      weights[i] = this.#weights[(this.#head + i) % places] ?? 0;
    }
    this.#items = items;
    this.#weights = weights;
    this.#head = 0;
  }
}
