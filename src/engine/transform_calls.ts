/** Owns the calling of a transform: message by message, one that waits within its time, failures told apart. */

import { deadline, LinkedController, raceAbort } from "../base/mod.ts";
import { Message } from "../message/mod.ts";
import {
  type Applied,
  asTransformError,
  checkedResult,
  type Transform,
  TransformError,
  type TransformResult,
} from "../plugin/mod.ts";
import { Breath } from "./breath.ts";
import type { EngineCore } from "./core.ts";
import { warnWhenSlow } from "./slow_call.ts";
import { isThenable } from "./thenable.ts";

/** Messages between two looks at the clock. */
const MESSAGES_PER_LOOK = 32;

/** What a worker has messages applied by. */
export interface TransformCaller extends Disposable {
  /**
   * Applies the transform to all messages and fills `applied`; gives the indexes of those that failed. Returns early,
   * places unfilled, once the engine has let go.
   * @param timeoutMs limit of a call that waits
   */
  applyAll(messages: readonly Message[], applied: Applied[], timeoutMs: number): Promise<number[]>;
  /** How long the last {@linkcode TransformCaller.applyAll} worked, in milliseconds. */
  readonly workedMs: number;
}

/** Calls a transform in this isolate. */
export class TransformCalls implements TransformCaller {
  readonly #core: Pick<EngineCore, "options" | "released" | "spent">;
  readonly #node: string;
  readonly #transform: Transform;
  readonly #begin: (() => void) | undefined;
  readonly #breath: Breath;
  /** Aborts the call under way: past its time, or when the engine lets go. One for all calls that end in time. */
  #call: LinkedController;
  #workedMs = 0;

  /** `begin` is told of every message before it is applied. */
  constructor(
    core: Pick<EngineCore, "options" | "released" | "spent">,
    node: string,
    transform: Transform,
    begin?: () => void,
  ) {
    this.#core = core;
    this.#node = node;
    this.#transform = transform;
    this.#begin = begin;
    this.#breath = new Breath(core.options.clock);
    this.#call = new LinkedController(core.released);
  }

  get workedMs(): number {
    return this.#workedMs;
  }

  async applyAll(messages: readonly Message[], applied: Applied[], timeoutMs: number): Promise<number[]> {
    const { clock } = this.#core.options;
    const startedMs = clock.monotonic();
    const failed: number[] = [];
    for (let i = 0; i < messages.length; i++) {
      const message = messages[i]!; // i is within messages.
      this.#begin?.();
      try {
        const given = this.#transform.apply(message, this.#call.signal);
        const isWaitedFor = !(given instanceof Message) && isThenable(given);
        applied[i] = checkedResult(isWaitedFor ? await this.#bounded(given, timeoutMs) : given, message);
      } catch (caught) {
        applied[i] = asTransformError(caught);
      }
      if (applied[i] instanceof TransformError) failed.push(i);
      if (i % MESSAGES_PER_LOOK === 0 && this.#breath.due) await this.#breath.pause();
      if (this.#core.released.aborted) break;
    }
    this.#workedMs = clock.monotonic() - startedMs;
    return failed;
  }

  async #bounded(given: PromiseLike<TransformResult>, timeoutMs: number): Promise<TransformResult> {
    using limit = deadline(timeoutMs, {
      parent: this.#core.released,
      clock: this.#core.options.clock,
      what: `transform ${this.#node}`,
    });
    using _ = warnWhenSlow(this.#core, { node: this.#node, call: "apply", messages: 1 });
    try {
      return await raceAbort(given, limit.signal);
    } catch (caught) {
      if (!limit.expired) throw caught;
      this.#core.spent.keep();
      this.#call.abort(limit.signal.reason);
      this.#call = new LinkedController(this.#core.released);
      throw tookTooLong(timeoutMs, caught);
    }
  }

  [Symbol.dispose](): void {
    this.#call[Symbol.dispose]();
  }
}

/** The failure of a message whose call did not end in time. */
export function tookTooLong(timeoutMs: number, cause?: unknown): TransformError {
  return new TransformError("timeout", `took longer than ${timeoutMs} ms`, { cause });
}
