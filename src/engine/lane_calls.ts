/** Owns the calling of a transform that runs in lanes: messages go there in batches, a lost lane costs none of them. */

import type { Message } from "../message/mod.ts";
import { type Applied, TransformError } from "../plugin/mod.ts";
import { cutRuns, packBatch, unpackAnswer } from "./lane_batch.ts";
import type { LaneEnd } from "./lane_berth.ts";
import type { LanePool } from "./lane_pool.ts";
import { unlessReleased } from "./router.ts";
import { tookTooLong, type TransformCaller } from "./transform_calls.ts";

/** What one call works on. */
interface Work {
  readonly messages: readonly Message[];
  readonly applied: Applied[];
  readonly timeoutMs: number;
}

/** Calls a transform in the lanes of its node. */
export class LaneCalls implements TransformCaller {
  readonly #pool: LanePool;
  readonly #released: AbortSignal;
  #workedMs = 0;

  constructor(pool: LanePool, released: AbortSignal) {
    this.#pool = pool;
    this.#released = released;
  }

  get workedMs(): number {
    return this.#workedMs;
  }

  async applyAll(messages: readonly Message[], applied: Applied[], timeoutMs: number): Promise<number[]> {
    this.#workedMs = 0;
    const work = { messages, applied, timeoutMs };
    const runs = cutRuns(messages, this.#pool.batchMessages(messages.length));
    await Promise.all(runs.map((run) => this.#apply(work, run, false)));
    const failed: number[] = [];
    for (let i = 0; i < messages.length; i++) if (applied[i] instanceof TransformError) failed.push(i);
    return failed;
  }

  [Symbol.dispose](): void {}

  /** Applies a run of messages, given by their indexes, until every one of them has a result or a failure. */
  async #apply(work: Work, run: readonly number[], isAlone: boolean): Promise<void> {
    const { applied, timeoutMs } = work;
    const end = await this.#send(work, run, isAlone);
    if (end === undefined || end.kind === "answered") return;
    if (end.kind === "stuck") {
      applied[run[end.at] ?? 0] = tookTooLong(timeoutMs);
      const others = run.filter((_, at) => at !== end.at);
      if (others.length > 0) await this.#apply(work, others, isAlone);
    } else if (!end.isSuspect) {
      await this.#apply(work, run, isAlone);
    } else if (run.length === 1 && isAlone) {
      applied[run[0] ?? 0] = new TransformError("other", `its lane died: ${end.error.message}`);
    } else await this.#eachAlone(work, run);
  }

  /** One of these may have taken its lane along: each goes by itself, so that only that one is to blame. */
  async #eachAlone(work: Work, run: readonly number[]): Promise<void> {
    for (const index of run) await this.#apply(work, [index], true);
  }

  /** Sends a run and fills in its results; undefined where that was done, or the engine has let go. */
  async #send(work: Work, run: readonly number[], isAlone: boolean): Promise<LaneEnd | undefined> {
    const { messages, applied, timeoutMs } = work;
    const these = run.map((index) => messages[index]!); // `run` holds indexes of messages.
    try {
      const end = await unlessReleased(
        this.#pool.send({
          pack: (codecs) => packBatch(these, codecs, timeoutMs),
          count: these.length,
          timeoutMs,
          isAlone,
        }),
        this.#released,
      );
      if (end?.kind !== "answered") return end;
      this.#workedMs += end.answer.workedMs;
      unpackAnswer(end.answer, these, (position, result) => applied[run[position] ?? 0] = result);
      return end;
    } catch (caught) {
      // Nothing was sent: the payload of one of them holds what is no data.
      if (run.length > 1) await this.#eachAlone(work, run);
      else applied[run[0] ?? 0] = uncrossable(caught);
      return undefined;
    }
  }
}

function uncrossable(caught: unknown): TransformError {
  const reason = caught instanceof Error ? caught.message : String(caught);
  return new TransformError("other", `the payload cannot cross to a lane: ${reason}`, {
    cause: caught,
    retryable: false,
  });
}
