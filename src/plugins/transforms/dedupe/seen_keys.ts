/** Owns the keys that were seen: the latest ones, for a while, each with the message that brought it. */

import type { MemoryChanges, TransformMemory } from "../../../plugin/mod.ts";
import { keyIdentity, ownText } from "./key_identity.ts";
import { decodePart, encodePart, PART_PLACES, type SeenEntry } from "./seen_part.ts";

/** How much is remembered. */
export interface SeenKeysOptions {
  /** Most keys; beyond them the one seen longest ago is forgotten. */
  readonly size: number;
  /** How long a key is remembered from the moment it was first seen. */
  readonly ttlMs: number;
  /** Stands for what keys are made of: keys of another binding are not these. 32 bits. */
  readonly binding: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Which message asks. */
export interface Bearer {
  readonly seq: number;
  readonly branch: string;
}

/** The branch of a key that came from a part: any. Its message is committed, and only itself has its sequence. */
const ANY_BRANCH = undefined;

/**
 * A ring of places in the order in which keys were first seen; what is forgotten is always at its beginning. Part `n`
 * holds the places from `n * PART_PLACES` on and is stored under the name `n % parts`, so that it takes the place of a
 * part of which everything is forgotten.
 */
export class SeenKeys implements TransformMemory {
  readonly #options: SeenKeysOptions;
  readonly #parts: number;
  readonly #places: number;
  readonly #positions = new Map<string, number>();
  /** By place, which is the position modulo the number of places. */
  readonly #identities: (string | undefined)[];
  readonly #branches: (string | undefined)[];
  readonly #seqs: Float64Array;
  readonly #times: Float64Array;
  /** The first position that may be remembered, and the one after the last. */
  #head = 0;
  #tail = 0;
  /** Part to mark: those that are not durable as they are. */
  readonly #changed = new Map<number, number>();
  /** Names of stored parts that nobody needs any more, to be emptied. */
  #stale: readonly string[] = [];
  #staleMark = 0;
  #mark = 0;

  constructor(options: SeenKeysOptions) {
    this.#options = options;
    // One more than hold the keys, since the first and the last one may be in part taken.
    this.#parts = Math.ceil(options.size / PART_PLACES) + 1;
    this.#places = this.#parts * PART_PLACES;
    this.#identities = new Array(this.#places);
    this.#branches = new Array(this.#places);
    this.#seqs = new Float64Array(this.#places);
    this.#times = new Float64Array(this.#places);
  }

  /** How many keys are remembered, those included whose time is over and that nobody has asked for since. */
  get count(): number {
    return this.#positions.size;
  }

  /** Whether the message is the first with its key, or was the first before; a new key is remembered. */
  isFirst(key: string, bearer: Bearer): boolean {
    const nowMs = this.#options.now();
    const identity = keyIdentity(key);
    const known = this.#positions.get(identity);
    if (known !== undefined && !this.#isOver(known, nowMs)) {
      const place = known % this.#places;
      const branch = this.#branches[place];
      return this.#seqs[place] === bearer.seq && (branch === ANY_BRANCH || branch === bearer.branch);
    }
    while (this.#head < this.#tail && this.#isOver(this.#head, nowMs)) this.#forgetFirst();
    this.#append({ identity: ownText(identity), seq: bearer.seq, seenAtMs: nowMs }, bearer.branch);
    this.#changed.set(partOf(this.#tail - 1), ++this.#mark);
    return true;
  }

  restore(parts: ReadonlyMap<string, Uint8Array<ArrayBuffer>>, committedThrough: number): void {
    const stored = [...parts].flatMap(([name, bytes]) => {
      const part = decodePart(bytes, this.#options.binding);
      return part === undefined ? [] : [{ name, ...part }];
    }).sort((a, b) => a.number - b.number);
    // The part that was written last knows best what had been forgotten by then.
    const head = Math.max(0, ...stored.map((part) => part.head));
    const unchanged = new Set<number>();
    const nowMs = this.#options.now();
    for (const { name, number, entries } of stored) {
      let isAsStored = name === this.#nameOf(number);
      for (const entry of entries) {
        if (entry.position < head) continue;
        if (entry.seq > committedThrough) {
          // It comes again, and is then remembered as what it is by then. Found here it would be taken for seen.
          isAsStored = false;
        } else if (entry.seenAtMs + this.#options.ttlMs > nowMs) {
          if (this.#head === this.#tail) this.#head = this.#tail = entry.position;
          isAsStored &&= entry.position === this.#tail;
          this.#append(entry, ANY_BRANCH);
        }
      }
      if (isAsStored) unchanged.add(number);
    }
    this.#markChanged([...parts.keys()], unchanged);
  }

  changes(): MemoryChanges {
    const parts = new Map<string, Uint8Array<ArrayBuffer>>(this.#stale.map((name) => [name, new Uint8Array()]));
    for (const number of [...this.#changed.keys()].sort((a, b) => a - b)) {
      parts.set(this.#nameOf(number), this.#encode(number));
    }
    return { mark: this.#mark, parts };
  }

  saved(mark: number): void {
    for (const [number, changedAt] of this.#changed) if (changedAt <= mark) this.#changed.delete(number);
    if (this.#staleMark <= mark) this.#stale = [];
  }

  /** Marks the parts that are not stored as they are now, and the names that hold none of them. */
  #markChanged(storedNames: readonly string[], unchanged: ReadonlySet<number>): void {
    const names = new Set<string>();
    for (let part = partOf(this.#head); part * PART_PLACES < this.#tail; part++) {
      names.add(this.#nameOf(part));
      if (!unchanged.has(part)) this.#changed.set(part, ++this.#mark);
    }
    this.#stale = storedNames.filter((name) => !names.has(name));
    if (this.#stale.length > 0) this.#staleMark = ++this.#mark;
  }

  #append({ identity, seq, seenAtMs }: Omit<SeenEntry, "position">, branch: string | undefined): void {
    if (this.#tail - this.#head >= this.#options.size) this.#forgetFirst();
    const place = this.#tail % this.#places;
    this.#identities[place] = identity;
    this.#branches[place] = branch;
    this.#seqs[place] = seq;
    this.#times[place] = seenAtMs;
    this.#positions.set(identity, this.#tail++);
  }

  #forgetFirst(): void {
    const position = this.#head++;
    const place = position % this.#places;
    const identity = this.#identities[place];
    if (identity === undefined) return;
    this.#identities[place] = undefined;
    // The same key may have come again since, at a later place.
    if (this.#positions.get(identity) === position) this.#positions.delete(identity);
  }

  /** Whether the time of the key at a position is over; that of a free place is. */
  #isOver(position: number, nowMs: number): boolean {
    const place = position % this.#places;
    return this.#identities[place] === undefined || this.#times[place]! + this.#options.ttlMs <= nowMs; // Every place has one.
  }

  #nameOf(part: number): string {
    return String(part % this.#parts);
  }

  #encode(part: number): Uint8Array<ArrayBuffer> {
    const entries: (SeenEntry | undefined)[] = [];
    const first = part * PART_PLACES;
    for (let position = first; position < Math.min(first + PART_PLACES, this.#tail); position++) {
      const place = position % this.#places;
      const identity = position < this.#head ? undefined : this.#identities[place];
      // Both arrays have a number at every place.
      const [seq, seenAtMs] = [this.#seqs[place]!, this.#times[place]!];
      entries.push(identity === undefined ? undefined : { position, identity, seq, seenAtMs });
    }
    return encodePart({ number: part, head: this.#head, entries }, this.#options.binding);
  }
}

function partOf(position: number): number {
  return Math.floor(position / PART_PLACES);
}
