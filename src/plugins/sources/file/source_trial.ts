/** Owns the trial of the file source: a folder, a clock that is moved by hand, and an engine that collects. For tests. */

import { join } from "node:path";
import type { Data, HeldClock } from "../../../base/mod.ts";
import type { EventboatError } from "../../../diagnostics/mod.ts";
import { type Emission, segmentBytes } from "../../../message/mod.ts";
import { type Source, type TestContext, testContext } from "../../../plugin/mod.ts";
import { fileDefinition } from "./file_config.ts";
import { fileSource } from "./file_source.ts";

/** One message as it arrived. */
export interface Arrival {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly srcSeq: number;
  readonly meta: { readonly [key: string]: unknown };
}

/** What a trial may be given beside its block. */
export interface TrialOptions {
  /** What an earlier life committed. */
  readonly state?: Uint8Array | undefined;
  /** Answers an emission before it is collected: an error refuses it. */
  readonly answer?: (emission: Emission) => EventboatError | undefined | Promise<EventboatError | undefined>;
  /** Most messages the engine takes at once. Default 2000. */
  readonly batchMessagesMax?: number;
  /** Default: `run`. */
  readonly drive?: "run" | "pull";
}

/** A folder for one test, removed afterwards. */
export class TrialFolder implements Disposable {
  readonly path = Deno.makeTempDirSync({ prefix: "eventboat-file-" });

  at(name: string): string {
    return join(this.path, name);
  }

  write(name: string, content: string | Uint8Array): void {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    Deno.writeFileSync(this.at(name), bytes);
  }

  append(name: string, content: string | Uint8Array): void {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    Deno.writeFileSync(this.at(name), bytes, { append: true });
  }

  /** Truncates in place and writes: the file keeps its inode. */
  overwrite(name: string, content: string): void {
    const file = Deno.openSync(this.at(name), { write: true, truncate: true });
    file.writeSync(new TextEncoder().encode(content));
    file.close();
  }

  rename(from: string, to: string): void {
    Deno.renameSync(this.at(from), this.at(to));
  }

  /** What `copytruncate` does. */
  copyTruncate(from: string, to: string): void {
    Deno.copyFileSync(this.at(from), this.at(to));
    Deno.truncateSync(this.at(from), 0);
  }

  /** Creates files until one has the inode; false where the platform does not give it away again soon. */
  reuseInode(name: string, inode: number | null, content: string): boolean {
    for (let i = 0; i < 200; i++) {
      this.write(`try${i}`, content);
      if (Deno.statSync(this.at(`try${i}`)).ino !== inode) continue;
      this.rename(`try${i}`, name);
      return true;
    }
    return false;
  }

  remove(name: string): void {
    Deno.removeSync(this.at(name));
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

const POLL_MS = 250;

/** One life of a source. */
export class SourceTrial implements AsyncDisposable {
  readonly arrivals: Arrival[] = [];
  readonly emissions: Emission[] = [];
  readonly ended: Promise<void>;
  readonly #abort = new AbortController();
  readonly #source: Source;
  readonly #context: TestContext;
  #isOver = false;

  constructor(directory: string, block: Record<string, Data>, options: TrialOptions = {}) {
    const parsed = fileDefinition.parse({ host: "here", ...block });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
    this.#context = testContext({ directory, batchMessagesMax: options.batchMessagesMax ?? 2000 });
    this.#source = fileSource.create(parsed.value, this.#context);
    const drive = options.drive ?? "run";
    this.ended = this.#live(drive, options).finally(() => this.#isOver = true);
    this.ended.catch(() => {});
  }

  get clock(): HeldClock {
    return this.#context.clock;
  }

  /** What a counter of the source has come to, by its name without `source_` and `_total`. */
  count(name: string): number {
    return this.#context.meter.value(`source_${name}_total`);
  }

  /** What the source logged. */
  get logged(): TestContext["log"]["lines"] {
    return this.#context.log.lines;
  }

  get texts(): string[] {
    return this.arrivals.map((arrival) => arrival.text);
  }

  /** The source's own number of the last message. */
  get lastSrcSeq(): number {
    return this.arrivals.at(-1)?.srcSeq ?? 0;
  }

  /** Until the source has nothing to do but to wait. */
  async idle(): Promise<this> {
    await Promise.race([this.clock.untilSleeping(), this.ended]);
    return this;
  }

  /** Lets the source look again, so many times. */
  async poll(times = 1): Promise<void> {
    await this.idle();
    for (let i = 0; i < times && !this.#isOver; i++) {
      await this.clock.advance(this.clock.nextWakeMs ?? POLL_MS);
      await this.idle();
    }
  }

  /** Lets so much time pass, one look after the other. */
  async pass(ms: number): Promise<void> {
    const endMs = this.clock.monotonic() + ms;
    while (this.clock.monotonic() < endMs && !this.#isOver) await this.poll();
  }

  async commit(throughSrcSeq: number = this.lastSrcSeq): Promise<Uint8Array | undefined> {
    return await this.#source.commit(throughSrcSeq, new AbortController().signal);
  }

  /** Ends this life and returns what is committed of it. */
  async stop(throughSrcSeq?: number): Promise<Uint8Array | undefined> {
    this.#abort.abort();
    await this.ended;
    return await this.commit(throughSrcSeq ?? this.lastSrcSeq);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.ended.catch(() => {});
  }

  async #live(drive: "run" | "pull", options: TrialOptions): Promise<void> {
    const source = this.#source;
    try {
      await source.init(options.state);
      const emit = async (emission: Emission) => {
        const error = await options.answer?.(emission);
        if (error !== undefined) throw error;
        this.#collect(emission);
      };
      if (drive === "pull") await source.pull?.(emit, this.#abort.signal);
      else await source.run(emit, this.#abort.signal);
    } finally {
      await source.close();
    }
  }

  #collect(emission: Emission): void {
    const { bytes: all, ends } = emission;
    this.emissions.push({ ...emission, bytes: all.slice(), ends: ends.slice() });
    const decoder = new TextDecoder();
    for (let i = 0; i < emission.ends.length; i++) {
      const bytes = segmentBytes(emission, i).slice();
      const meta: Record<string, unknown> = { ...emission.meta };
      for (const key in emission.columns) meta[key] = emission.columns[key]?.[i];
      this.arrivals.push({ text: decoder.decode(bytes), bytes, srcSeq: emission.firstSrcSeq + i, meta });
    }
    // An emission is given away: whoever still looks at its buffers finds them empty.
    for (const column of [all, ends, ...Object.values(emission.columns ?? {})]) {
      if (ArrayBuffer.isView(column)) structuredClone(column.buffer, { transfer: [column.buffer as ArrayBuffer] });
    }
  }
}
