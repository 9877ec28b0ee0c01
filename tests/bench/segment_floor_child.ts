/** The bare loop of segments, each made durable by an isolate of its own while others are worked on: IN OUT DATABASE DURABILITY. */

import { peakMemoryMb, tell } from "./child_program.ts";
import { changeLine, syncMode } from "./floor_work.ts";
import type { FloorEnded } from "./row_floor_child.ts";
import type { FromSegmentStore, ToSegmentStore } from "./segment_floor_store.ts";

const NEWLINE = 10;
const CHUNK_BYTES = 1024 * 1024;
/** Lines of a segment, as the engine's `max_rows`. */
const SEGMENT_LINES = 2000;
const SEGMENTS_UNDER_WAY = 4;

/** The store's isolate, with a promise for each segment that it has not answered. */
class SegmentStore {
  readonly #worker = new Worker(new URL("./segment_floor_store.ts", import.meta.url), { type: "module" });
  readonly #answers: (() => void)[] = [];

  constructor() {
    this.#worker.onmessage = (_event: MessageEvent<FromSegmentStore>) => this.#answers.shift()?.();
  }

  send(message: ToSegmentStore, buffers: ArrayBuffer[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answers.push(resolve);
    this.#worker.postMessage(message, buffers);
    return promise;
  }

  close(): void {
    this.#worker.terminate();
  }
}

/** Segments in order: each is worked on once it is durable and those before it are done. */
class SegmentFloor {
  readonly #store: SegmentStore;
  readonly #sink: Deno.FsFile;
  readonly #isSynced: boolean;
  readonly #underWay: Promise<void>[] = [];
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  lines = 0;

  constructor(store: SegmentStore, sink: Deno.FsFile, isSynced: boolean) {
    this.#store = store;
    this.#sink = sink;
    this.#isSynced = isSynced;
  }

  async run(source: Deno.FsFile): Promise<void> {
    const buffer = new Uint8Array(CHUNK_BYTES);
    let tail = new Uint8Array(0);
    for (let read = source.readSync(buffer); read !== null; read = source.readSync(buffer)) {
      const chunk = new Uint8Array(tail.length + read);
      chunk.set(tail);
      chunk.set(buffer.subarray(0, read), tail.length);
      tail = chunk.slice(await this.#admitAll(chunk));
    }
    await Promise.all(this.#underWay);
  }

  /** Gives where the last whole line ended. */
  async #admitAll(chunk: Uint8Array<ArrayBuffer>): Promise<number> {
    let [base, line] = [0, 0];
    let ends: number[] = [];
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, line)) {
      ends.push(end - base);
      line = end + 1;
      if (ends.length < SEGMENT_LINES) continue;
      await this.#admit(chunk.subarray(base, line), ends);
      base = line;
      ends = [];
    }
    if (ends.length > 0) await this.#admit(chunk.subarray(base, line), ends);
    return line;
  }

  async #admit(bytes: Uint8Array<ArrayBuffer>, at: readonly number[]): Promise<void> {
    const ends = Uint32Array.from(at);
    const [bytesCopy, endsCopy] = [bytes.slice(), ends.slice()];
    const segment = { first: this.lines, count: ends.length, ends: new Uint8Array(endsCopy.buffer), bytes: bytesCopy };
    const durable = this.#store.send({ kind: "segment", ...segment }, [bytesCopy.buffer, endsCopy.buffer]);
    this.lines += ends.length;
    const before = this.#underWay.at(-1);
    this.#underWay.push(this.#work({ bytes, ends, before, durable }));
    if (this.#underWay.length >= SEGMENTS_UNDER_WAY) await this.#underWay.shift();
  }

  async #work({ bytes, ends, before, durable }: {
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly ends: Uint32Array;
    readonly before: Promise<void> | undefined;
    readonly durable: Promise<void>;
  }): Promise<void> {
    await before;
    await durable;
    let [text, from] = ["", 0];
    for (const end of ends) {
      text += changeLine(this.#decoder.decode(bytes.subarray(from, end)));
      from = end + 1;
    }
    this.#sink.writeSync(this.#encoder.encode(text));
    if (this.#isSynced) await this.#sink.syncData();
  }
}

async function main([input = "", output = "", database = "", durability = ""]: readonly string[]): Promise<void> {
  const store = new SegmentStore();
  await store.send({ kind: "open", path: database, synchronous: syncMode(durability) }, []);
  const startedMs = performance.now();
  using source = Deno.openSync(input);
  using sink = Deno.openSync(output, { create: true, write: true, truncate: true });
  const floor = new SegmentFloor(store, sink, durability === "power");
  await floor.run(source);
  const seconds = (performance.now() - startedMs) / 1000;
  store.close();
  tell({ lines: floor.lines, seconds, peakMb: peakMemoryMb() } satisfies FloorEnded);
}

if (import.meta.main) await main(Deno.args);
