/** Owns which offset of which partition each emitted message has, and how far each partition is committed. */

/** A partition while this source reads it. */
export class PartitionTracker {
  readonly topic: string;
  readonly partition: number;
  /** The offset to be read next. */
  position: number;
  /** The offset that the group is to read next, should this source be gone: everything before it is committed. */
  committable: number;
  /** What the group has been told of that. */
  committed: number;
  /** Messages emitted and not committed. */
  outstanding = 0;
  /** Whether the partition is somebody else's by now: nothing may be emitted from it, nor told of it. */
  revoked = false;

  constructor(topic: string, partition: number, position: number) {
    this.topic = topic;
    this.partition = partition;
    this.position = position;
    this.committable = position;
    this.committed = position;
  }

  /** Its name in logs. */
  get label(): string {
    return `${this.topic}/${this.partition}`;
  }
}

/** Messages of one emission: numbered one by one, all of one partition. */
interface Entry {
  readonly tracker: PartitionTracker;
  readonly firstSrcSeq: number;
  readonly offsets: Float64Array<ArrayBuffer>;
  /** The offset behind the last message and what follows it that is none. */
  readonly next: number;
}

/** Keeps what was emitted until it is committed. */
export class OffsetLedger {
  #entries: Entry[] = [];
  #through = 0;
  #nextSrcSeq = 1;
  readonly #watchers = new Set<() => void>();

  /** Number of the next message. */
  get nextSrcSeq(): number {
    return this.#nextSrcSeq;
  }

  /** Takes down that these messages are emitted, and gives the number of the first. */
  add(tracker: PartitionTracker, offsets: Float64Array<ArrayBuffer>, next: number): number {
    const firstSrcSeq = this.#nextSrcSeq;
    this.#nextSrcSeq += offsets.length;
    this.#entries.push({ tracker, firstSrcSeq, offsets, next });
    tracker.outstanding += offsets.length;
    tracker.position = next;
    return firstSrcSeq;
  }

  /** Passes over what holds no message. With nothing outstanding, the group need not read it again. */
  pass(tracker: PartitionTracker, next: number): void {
    tracker.position = next;
    if (tracker.outstanding === 0) tracker.committable = next;
  }

  /** Takes down that everything through this number is committed. */
  advance(throughSrcSeq: number): void {
    let done = 0;
    for (const entry of this.#entries) {
      const count = Math.min(entry.offsets.length, throughSrcSeq - entry.firstSrcSeq + 1);
      if (count <= 0) break;
      const before = Math.max(0, Math.min(entry.offsets.length, this.#through - entry.firstSrcSeq + 1));
      const { tracker } = entry;
      tracker.outstanding -= count - before;
      const isWhole = count === entry.offsets.length;
      const next = isWhole ? entry.next : (entry.offsets[count - 1] ?? 0) + 1;
      tracker.committable = Math.max(tracker.committable, next);
      if (!isWhole) break;
      done++;
    }
    if (done > 0) this.#entries = this.#entries.slice(done);
    this.#through = Math.max(this.#through, throughSrcSeq);
    for (const watcher of this.#watchers) watcher();
  }

  /** Resolves when nothing of these partitions is outstanding; rejects with the signal's reason. */
  async settled(trackers: Iterable<PartitionTracker>, signal: AbortSignal): Promise<void> {
    const all = [...trackers];
    while (all.some(({ outstanding }) => outstanding > 0)) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const stop = () => reject(signal.reason);
      this.#watchers.add(resolve);
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      try {
        await promise;
      } finally {
        this.#watchers.delete(resolve);
        signal.removeEventListener("abort", stop);
      }
    }
  }
}
