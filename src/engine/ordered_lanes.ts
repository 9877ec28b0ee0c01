/** Owns order by key: one live write per key, other keys pass. */

/** Live writes of one sink: enough to keep other keys moving while one waits for a retry. */
const WRITES_MAX = 8;
/** Waiting items at which the lanes ask for a pause. */
const WAITING_MAX = 1000;
/** Taken places at the front of a list at which the list is cut. */
const TAKEN_MAX = 1024;

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
  /** Counts the items in the order they came. */
  readonly number: number;
}

/** First in, first out; what is taken costs the same however many wait. */
class Line<T> {
  #items: T[] = [];
  #taken = 0;

  get length(): number {
    return this.#items.length - this.#taken;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#taken];
    if (this.length > 0) this.#taken++;
    if (this.#taken < this.#items.length && this.#taken < TAKEN_MAX) return item;
    this.#items = this.#items.slice(this.#taken);
    this.#taken = 0;
    return item;
  }
}

/** One key: what waits for it. It stands among the ready ones when something waits and no write holds the key. */
interface Lane<Item> {
  readonly key: string;
  readonly waiting: Line<Waiting<Item>>;
  isHeld: boolean;
}

/**
 * Writes run side by side, but no two of them hold the same key: an item waits until the write before it that holds
 * its key has settled, retries and dead letters included.
 */
export class OrderedLanes<Item> {
  readonly #options: OrderedLanesOptions<Item>;
  /** Keys of which something waits or is being written. */
  readonly #lanes = new Map<string, Lane<Item>>();
  readonly #ready = new Line<Lane<Item>>();
  readonly #wakers = new Set<() => void>();
  #added = 0;
  #waiting = 0;
  #writes = 0;

  constructor(options: OrderedLanesOptions<Item>) {
    this.#options = options;
  }

  /** Adds an item behind all others; it is written as soon as {@linkcode OrderedLanes.start} finds its key free. */
  add(item: Item, key: string): void {
    let lane = this.#lanes.get(key);
    if (lane === undefined) this.#lanes.set(key, lane = { key, waiting: new Line(), isHeld: false });
    lane.waiting.push({ item, number: this.#added++ });
    this.#waiting++;
    if (!lane.isHeld && lane.waiting.length === 1) this.#ready.push(lane);
  }

  /** Begins what may be written. Called when all of a batch was added, so that it is not torn into single writes. */
  start(): void {
    while (this.#writes < WRITES_MAX && this.#ready.length > 0) this.#write();
  }

  /** Starts, and resolves with true when there is room for more. */
  async roomy(): Promise<true> {
    this.start();
    while (this.#waiting >= WAITING_MAX || (this.#writes >= WRITES_MAX && this.#waiting > 0)) await this.#change();
    return true;
  }

  /** Starts, and resolves with true when everything has settled. */
  async idle(): Promise<true> {
    this.start();
    while (this.#writes > 0 || this.#waiting > 0) await this.#change();
    return true;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => void this.#wakers.add(resolve));
  }

  /** Writes what waits for free keys, and holds these keys until it has settled. */
  #write(): void {
    const chosen: Waiting<Item>[] = [];
    const held: Lane<Item>[] = [];
    while (chosen.length < this.#options.batchMax && this.#ready.length > 0) {
      const lane = this.#ready.shift()!; // The line is not empty.
      lane.isHeld = true;
      held.push(lane);
      while (chosen.length < this.#options.batchMax && lane.waiting.length > 0) chosen.push(lane.waiting.shift()!); // Neither.
    }
    // Of several keys the items stand lane by lane now; a reader expects them as they came.
    if (held.length > 1) chosen.sort((a, b) => a.number - b.number);
    this.#waiting -= chosen.length;
    this.#writes++;
    this.#options.deliver(chosen.map(({ item }) => item)).catch(this.#options.fail).finally(() => this.#end(held));
  }

  #end(held: readonly Lane<Item>[]): void {
    for (const lane of held) {
      lane.isHeld = false;
      if (lane.waiting.length > 0) this.#ready.push(lane);
      else this.#lanes.delete(lane.key);
    }
    this.#writes--;
    this.start();
    for (const wake of this.#wakers) wake();
    this.#wakers.clear();
  }
}
