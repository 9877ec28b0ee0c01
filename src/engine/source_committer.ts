/** Owns the commits of one source: coalesced, off the hot path, retried when they fail, flushed at the end. */

import { LinkedController } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { Source } from "../plugin/mod.ts";
import type { EngineCore } from "./core.ts";

/** What a committer needs of its engine. */
export type CommitterCore = Pick<EngineCore, "store" | "options" | "fail">;

/** Commits one source. */
export class SourceCommitter {
  readonly #core: CommitterCore;
  readonly #name: string;
  readonly #source: Source;
  /** Makes what the sinks have written durable; a source's state must not outlive its messages. */
  readonly #syncSinks: () => Promise<void>;
  readonly #stopped = new AbortController();
  #pending = 0;
  #committed = 0;
  #wake: (() => void) | undefined;
  #loop: Promise<void> | undefined;

  constructor(core: CommitterCore, name: string, source: Source, syncSinks: () => Promise<void>) {
    this.#core = core;
    this.#name = name;
    this.#source = source;
    this.#syncSinks = syncSinks;
  }

  /** Everything through `srcSeq` is committed. */
  advance(srcSeq: number): void {
    this.#pending = Math.max(this.#pending, srcSeq);
    this.#wake?.();
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Ends the loop and commits what is pending. */
  async flush(signal: AbortSignal): Promise<void> {
    this.#stopped.abort();
    this.#wake?.();
    await this.#loop;
    if (this.#pending > this.#committed) await this.#commit(signal);
  }

  async #run(): Promise<void> {
    const { clock, sourceCommitIntervalMs } = this.#core.options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const seen = this.#pending;
      if (seen > this.#committed) await this.#commit(signal);
      try {
        if (sourceCommitIntervalMs > 0) await clock.sleep(sourceCommitIntervalMs, signal);
      } catch {
        return; // Stopped: flush goes on from here.
      }
      if (this.#pending === seen) await this.#rest();
    }
  }

  /** Until the next advance; after a failed commit not for ever, since a source may emit nothing before it is told. */
  async #rest(): Promise<void> {
    if (this.#committed >= this.#pending) return await this.#advanced();
    const { clock, sourceCommitRetryMs } = this.#core.options;
    using over = new LinkedController(this.#stopped.signal);
    // Rejected only when an advance or the stop came first.
    clock.sleep(sourceCommitRetryMs, over.signal).then(() => this.#wake?.(), () => {});
    await this.#advanced();
    over.abort();
  }

  #advanced(): Promise<void> {
    if (this.#stopped.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  async #commit(signal: AbortSignal): Promise<void> {
    const through = this.#pending;
    try {
      await this.#syncSinks();
      const state = stateOf(await this.#source.commit(through, signal));
      if (state !== undefined) await this.#core.store.setSourceState(this.#name, through, state);
      this.#committed = through;
    } catch (caught) {
      const error = EventboatError.from(caught, "source_failed");
      // Whether the write is durable only a restart can tell, and the store takes no other before it.
      if (error.code === "store_unknown") return this.#core.fail(error);
      // At the end: flush goes on from here, or the time for it is over.
      if (signal.aborted || error.code === "store_closed") return;
      this.#core.options.log.log("warn", "cannot commit a source; trying again", {
        source: this.#name,
        code: error.code,
        error: error.message,
      });
    }
  }
}

/** The bytes of a state, copied. What is neither bytes nor nothing would silently become an empty state. */
function stateOf(given: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (given === undefined || given === null) return undefined;
  if (given instanceof Uint8Array) return new Uint8Array(given);
  throw new EventboatError("source_failed", `commit gave ${typeof given} for its state, neither bytes nor nothing`);
}
