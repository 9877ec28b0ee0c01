/** Owns order by key: one live write per key, other keys pass. */

/** Live writes of one sink: enough to keep other keys moving while one waits for a retry. */
const WRITES_MAX = 8;
/** Waiting items at which the lanes ask for a pause. */
const WAITING_MAX = 1000;

/** How the lanes deliver. */
export interface OrderedLanesOptions<Item> {
  /** Most items of one write. */
  readonly batchMax: number;
  /** Delivers items, in their order; resolves when all have settled. */
  readonly deliver: (items: readonly Item[]) => Promise<void>;
  /** Told when `deliver` rejects, which is a mistake in the program. */
  readonly fail: (caught: unknown) => void;
}

interface Waiting<Item> {
  readonly item: Item;
  readonly key: string;
}

/**
 * Writes run side by side, but no two of them hold the same key: an item waits until the write before it that holds
 * its key has settled, retries and dead letters included.
 */
export class OrderedLanes<Item> {
  readonly #options: OrderedLanesOptions<Item>;
  readonly #busy = new Set<string>();
  readonly #wakers = new Set<() => void>();
  #waiting: Waiting<Item>[] = [];
  #writes = 0;

  constructor(options: OrderedLanesOptions<Item>) {
    this.#options = options;
  }

  /** Adds an item behind all others; it is written as soon as its key is free. */
  add(item: Item, key: string): void {
    this.#waiting.push({ item, key });
    if (this.#waiting.length === 1 || this.#waiting.length >= this.#options.batchMax) this.#start();
  }

  /** Resolves with true when there is room for more. */
  async roomy(): Promise<true> {
    this.#start();
    while (this.#waiting.length >= WAITING_MAX || (this.#writes >= WRITES_MAX && this.#waiting.length > 0)) {
      await this.#change();
    }
    return true;
  }

  /** Resolves with true when everything has settled. */
  async idle(): Promise<true> {
    this.#start();
    while (this.#writes > 0 || this.#waiting.length > 0) await this.#change();
    return true;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => void this.#wakers.add(resolve));
  }

  #start(): void {
    while (this.#writes < WRITES_MAX) {
      const chosen = this.#choose();
      if (chosen.length === 0) return;
      this.#write(chosen);
    }
  }

  /** The next write: waiting items whose key is free, and whose key no earlier waiting item blocks. */
  #choose(): Waiting<Item>[] {
    const chosen: Waiting<Item>[] = [];
    const rest: Waiting<Item>[] = [];
    for (const one of this.#waiting) {
      if (chosen.length < this.#options.batchMax && !this.#busy.has(one.key)) chosen.push(one);
      else rest.push(one);
    }
    if (chosen.length > 0) this.#waiting = rest;
    return chosen;
  }

  #write(chosen: readonly Waiting<Item>[]): void {
    const keys = new Set(chosen.map(({ key }) => key));
    for (const key of keys) this.#busy.add(key);
    this.#writes++;
    this.#options.deliver(chosen.map(({ item }) => item)).catch(this.#options.fail).finally(() => {
      for (const key of keys) this.#busy.delete(key);
      this.#writes--;
      this.#start();
      for (const wake of this.#wakers) wake();
      this.#wakers.clear();
    });
  }
}
